import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { describeSystemError, type Problem } from "../core/errors.js";
import { type DiscoverOptions, discoverChecks } from "./discover.js";
import { parseCheck } from "./parse.js";
import type { CheckDefinition, CheckType } from "./schema.js";

/** What is kept of a check between discovery and its run. Small: there may be tens of thousands. */
export interface PlannedCheck {
  id: string;
  type: CheckType;
  description: string;
  tags: string[];
  /** Resolved path of the YAML file. */
  sourcePath: string;
  /** Says what the definition meant when it was found. */
  fingerprint: string;
}

export interface PlanOptions extends DiscoverOptions {
  checkId?: string | undefined;
  /** Any of them. */
  tags?: readonly string[];
  /** Sees each selected definition once, e.g. to print or verify it. */
  inspect?: (definition: CheckDefinition, sourcePath: string) => Problem[];
}

export interface Plan {
  /** The selected checks, by path. */
  checks: PlannedCheck[];
  /** All problems of all files that matter for the selection. */
  problems: Problem[];
  warnings: string[];
  /** How many check files were looked at. */
  fileCount: number;
  /** With `checkId`: the ids of the other checks, for a suggestion. */
  others: string[];
}

/** Finds, reads, validates and selects checks. */
export function planChecks(options: PlanOptions): Plan {
  const { files, problems: unreadable, warnings } = discoverChecks(options);
  const checks: PlannedCheck[] = [];
  const problems: Problem[] = [];
  const broken: Problem[] = [...unreadable];
  const seen = new Map<string, string>();
  const others: string[] = [];

  for (const file of files) {
    const parsed = readCheck(file);
    const { definition } = parsed;
    if (!definition) {
      (parsed.id !== undefined && parsed.id === options.checkId ? problems : broken).push(...parsed.problems);
      continue;
    }
    if (options.checkId !== undefined && definition.id !== options.checkId) {
      others.push(definition.id);
      continue;
    }
    const other = seen.get(definition.id);
    if (other !== undefined) {
      problems.push({ file, field: "id", message: `'${definition.id}' is the id of another check too: ${other}` });
      continue;
    }
    seen.set(definition.id, file);
    if (!isSelected(definition, options.tags)) continue;
    problems.push(...(options.inspect?.(definition, file) ?? []));
    checks.push(plannedCheck(definition, file));
  }

  if (options.checkId === undefined) problems.unshift(...broken);
  else if (checks.length === 0) problems.push(...broken);
  else if (broken.length > 0)
    warnings.push(`${new Set(broken.map(({ file }) => file)).size} other check file(s) are not valid`);
  return { checks, problems, warnings, fileCount: files.length, others };
}

function readCheck(file: string) {
  try {
    return parseCheck(readFileSync(file), file);
  } catch (error) {
    return { problems: [{ file, message: `cannot be read: ${describeSystemError(error)}` }] };
  }
}

function isSelected(definition: CheckDefinition, tags: readonly string[] = []): boolean {
  return tags.length === 0 || tags.some((tag) => definition.tags.includes(tag));
}

function plannedCheck(definition: CheckDefinition, sourcePath: string): PlannedCheck {
  // A copy: strings that the YAML parser cut out of a file keep all of the file in memory.
  const { id, type, description, tags }: CheckDefinition = JSON.parse(JSON.stringify(definition));
  return { id, type, description, tags, sourcePath, fingerprint: fingerprint(definition) };
}

/** Equal for definitions that mean the same, whatever their YAML looks like. */
export function fingerprint(definition: CheckDefinition): string {
  return createHash("sha256").update(JSON.stringify(definition)).digest("base64");
}
