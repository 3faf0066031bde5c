import { byPlace, describeSystemError, type Problem } from "../core/errors.js";
import { sha256Hex } from "../core/ids.js";
import { readRegularFile } from "../core/read-file.js";
import { count } from "../core/text.js";
import { type DiscoverOptions, discoverChecks } from "./discover.js";
import { type Locate, type ParsedCheck, parseCheck } from "./parse.js";
import type { CheckDefinition, CheckType } from "./schema.js";
import type { KnownCheck } from "./snapshot.js";

/** What is kept of a check between discovery and its run. Small: there may be tens of thousands. */
export interface PlannedCheck {
  id: string;
  type: CheckType;
  description: string;
  tags: string[];
  /** Resolved path of the YAML file. */
  sourcePath: string;
  /** What it was when it was found; a hash of what it meant where there are too many to keep. */
  known: KnownCheck | string;
}

/** How much text of files and definitions is kept, so that a file that is still what it was need not be parsed again. */
const KEPT_CHARACTERS = 1 << 21;

export interface PlanOptions extends DiscoverOptions {
  checkId?: string | undefined;
  /** Any of them; of none no check has one. */
  tags?: readonly string[] | undefined;
  /**
   * Sees each selected definition once, e.g. to print or verify it; `locate` says where its fields stand.
   * The plan is then one to look at: what its checks meant is not noted, and they can't be run.
   */
  inspect?: (definition: CheckDefinition, sourcePath: string, locate: Locate) => Problem[];
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
  /** Whether a file has the id `checkId`; true without one. */
  idFound: boolean;
}

/** Finds, reads, validates and selects checks. */
export function planChecks(options: PlanOptions): Plan {
  const { files, problems: unreadable, warnings } = discoverChecks(options);
  const checks: PlannedCheck[] = [];
  const problems: Problem[] = [];
  // Of files that may not be asked for.
  const broken: Problem[] = [...unreadable];
  const seen = new Map<string, string>();
  const others: string[] = [];
  const planned = createPlanner(options);

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
      const message = `'${definition.id}' is the id of another check too: ${other}`;
      problems.push({ ...parsed.locate(["id"]), field: "id", message });
      continue;
    }
    seen.set(definition.id, file);
    if (!isSelected(definition, options.tags)) continue;
    problems.push(...(options.inspect?.(definition, file, parsed.locate) ?? []));
    checks.push(planned(definition, file, parsed.bytes));
  }

  const idFound = options.checkId === undefined || seen.has(options.checkId) || problems.length > 0;
  const skipBroken = options.checkId !== undefined && idFound;
  if (skipBroken && broken.length > 0)
    warnings.push(
      `left aside: ${count(new Set(broken.map(({ file }) => file)).size, "check file")} that cannot be used`,
    );
  return {
    checks,
    problems: (skipBroken ? problems : [...broken, ...problems]).sort(byPlace),
    warnings,
    fileCount: files.length,
    others,
    idFound,
  };
}

function readCheck(file: string): ParsedCheck & { bytes: Buffer } {
  try {
    const bytes = readRegularFile(file);
    return { ...parseCheck(bytes, file), bytes };
  } catch (error) {
    const problem = { file, message: `cannot be read: ${describeSystemError(error)}` };
    return { problems: [problem], locate: () => ({ file }), bytes: Buffer.alloc(0) };
  }
}

function isSelected(definition: CheckDefinition, tags: readonly string[] | undefined): boolean {
  return tags === undefined || tags.some((tag) => definition.tags.includes(tag));
}

function createPlanner({ inspect }: PlanOptions) {
  if (inspect) return listed;
  let room = KEPT_CHARACTERS;
  return (definition: CheckDefinition, sourcePath: string, bytes: Buffer): PlannedCheck => {
    const text = JSON.stringify(definition);
    room -= text.length + bytes.length;
    const known = room >= 0 ? { text, source: bytes.toString("latin1") } : sha256Hex(text);
    return { ...listed(definition, sourcePath), known };
  };
}

function listed(definition: CheckDefinition, sourcePath: string): PlannedCheck {
  // A copy: strings that the YAML parser cut out of a file keep all of the file in memory.
  const { id, type, description, tags }: CheckDefinition = JSON.parse(JSON.stringify(definition));
  return { id, type, description, tags, sourcePath, known: "" };
}

/** Whether a definition means what the check meant when it was found, whatever its YAML looks like by now. */
export function isAsPlanned(definition: CheckDefinition, { known }: PlannedCheck): boolean {
  const text = JSON.stringify(definition);
  return typeof known === "string" ? sha256Hex(text) === known : text === known.text;
}
