import { readFileSync } from "node:fs";
import { basename, dirname, extname, relative } from "node:path";
import { resolveAgents } from "../../agents/resolve.js";
import type { AgentTemplate } from "../../agents/templates.js";
import type { AgentOverrides } from "../../config/agent-template.js";
import type { ModelTable } from "../../config/model-table.js";
import { canonicalJson } from "../../core/canonical-json.js";
import { byPlace, describeSystemError, type Problem, UserError } from "../../core/errors.js";
import { LOST_KEY, lostKeys } from "../../core/lost-keys.js";
import { readRegularFile } from "../../core/read-file.js";
import { didYouMean } from "../../core/suggest.js";
import { describeValue } from "../../core/text.js";
import { parseYaml } from "../../core/yaml.js";
import { formatPath, zodProblems } from "../../core/zod-problems.js";
import { findFile, type Places } from "../find-beside.js";
import { fieldsAt, plainSchema } from "../format/schema-at.js";
import type { ParsedSource } from "../format/written-case.js";
import { resolveWorkspace } from "../load/merge-workspaces.js";
import type { Builder } from "./builder.js";
import { followedFiles, followedVariables } from "./followed-files.js";
import { noteNamedFiles } from "./named-files.js";
import { targetDigest } from "./target-digest.js";
import type { TargetType } from "./target-type.js";
import { type Target, typeNamed, typeNames, type WrittenTarget } from "./types.js";

export interface TargetSources {
  projectRoot: string;
  /** `[agents.*]` and `[models.*]` of the configuration, as written. */
  agents?: Record<string, AgentOverrides>;
  models?: Record<string, ModelTable>;
}

export interface LoadedTarget {
  target?: Target;
  /** Empty exactly when there is a target. */
  problems: Problem[];
  /** What does not keep it from being called. */
  warnings: Problem[];
  /** Its fields are wrong, so that what they name was not looked at. */
  isPartial?: boolean;
}

/** The target in a file, or all that is wrong with it. Never throws. `path` is absolute. */
export function loadTarget(path: string, sources: TargetSources): LoadedTarget {
  let bytes: Buffer;
  try {
    bytes = readRegularFile(path);
  } catch (error) {
    return { problems: [{ file: path, message: `cannot be read: ${describeSystemError(error)}` }], warnings: [] };
  }
  return loadParsed({ path, bytes, yaml: parseYaml(bytes), sources });
}

/** The same from a value that a program gives; `path` stands for the file that it could be in. */
export function targetFromValue(value: unknown, path: string, sources: TargetSources): LoadedTarget {
  const yaml: ParsedSource = { value, problems: [], locate: () => ({}) };
  const { target, problems, warnings } = loadParsed({ path, yaml, sources });
  const withoutFile = ({ file: _, ...problem }: Problem) => problem;
  return { ...(target && { target }), problems: problems.map(withoutFile), warnings: warnings.map(withoutFile) };
}

function loadParsed(source: Source): LoadedTarget {
  const { path, yaml } = source;
  const file = yaml.problems.length > 0 ? { problems: yaml.problems } : checkFields(yaml);
  if ("written" in file) return build(file, source);
  return {
    problems: file.problems.map((problem) => ({ file: path, ...problem })).sort(byPlace),
    warnings: [],
    isPartial: true,
  };
}

interface Checked {
  type: TargetType<WrittenTarget, Target>;
  written: WrittenTarget;
}

function checkFields(yaml: ParsedSource): Checked | { problems: Problem[] } {
  const { value } = yaml;
  const fail = (path: PropertyKey[], message: string) => ({
    problems: [{ ...yaml.locate(path), ...(path.length > 0 && { field: path.join(".") }), message }],
  });
  if (value === null || value === undefined) return fail([], "is empty; a target has a type, and the fields of that");
  if (typeof value !== "object" || Array.isArray(value)) {
    return fail([], `expected a mapping with the fields of a target, found ${describeValue(value)}`);
  }
  const { type: name } = value as Record<string, unknown>;
  const type = typeNamed(name);
  if (type === undefined) return fail(["type"], typeMessage(name));
  const { data, error } = type.schema.safeParse(value);
  const lost = lostKeys(value, data).map((path) => ({
    ...yaml.locate(path, "key"),
    field: path.join("."),
    message: LOST_KEY,
  }));
  if (data && lost.length === 0) return { type, written: data };
  if (data) return { problems: lost };
  return {
    problems: zodProblems(error, {
      value,
      known: (path) => fieldsAt(plainSchema(type.schema), path),
      locate: yaml.locate,
    }),
  };
}

function typeMessage(type: unknown): string {
  const wanted = `one of ${typeNames.join(", ")}`;
  if (type === undefined) return `is required: ${wanted}`;
  return `expected ${wanted}, found ${describeValue(type)}${typeof type === "string" ? didYouMean(type, typeNames) : ""}`;
}

interface Source {
  path: string;
  /** Undefined where it is no file. */
  bytes?: Uint8Array;
  yaml: ParsedSource;
  sources: TargetSources;
}

function build({ type, written }: Checked, { path, bytes, yaml, sources }: Source): LoadedTarget {
  const problems: Problem[] = [];
  const warnings: Problem[] = [];
  const reads = new Set<string>();
  const files: [string, Uint8Array | string][] = [["", bytes ?? canonicalJson(yaml.value)]];
  const at = (field: readonly PropertyKey[], message: string): Problem => ({
    file: path,
    ...yaml.locate(field),
    ...(field.length > 0 && { field: formatPath(field) }),
    message,
  });
  const places: Places = { directory: dirname(path), root: sources.projectRoot };
  const builder: Builder = {
    path,
    places,
    agents: knownAgents(sources, problems),
    models: sources.models ?? {},
    problem: (field, message) => void problems.push(at(field, message)),
    warn: (field, message) => void warnings.push(at(field, message)),
    note: (name, content) => void files.push([name, content]),
    follow(program) {
      const { projectRoot } = sources;
      const followed = followedFiles(program, projectRoot);
      for (const name of followedVariables(program, followed)) reads.add(name);
      const counts = written.cache === undefined || written.cache === true;
      if (counts) for (const [file, content] of followed) files.push([relative(projectRoot, file), content]);
      return followed.size > 0;
    },
    find(name, field) {
      const found = findFile(name, places);
      if (found === undefined)
        problems.push(at(field, `there is no such file: '${name}' (relative to this file, or to the project root)`));
      return found;
    },
    read(name, field) {
      const found = builder.find(name, field);
      if (found === undefined) return undefined;
      try {
        const content = readFileSync(found);
        files.push([name, content]);
        return { path: found, bytes: content };
      } catch (error) {
        problems.push(at(field, `cannot be read: ${describeSystemError(error)}`));
        return undefined;
      }
    },
  };
  if (typeof written.cache === "object") noteNamedFiles(written.cache.files, builder);
  const parts = type.build(written, builder);
  if (parts === undefined || problems.length > 0) return { problems: problems.sort(byPlace), warnings };
  const target: Target = {
    ...parts,
    name: written.name ?? basename(path, extname(path)),
    path,
    digest: targetDigest(files, type.configured?.(parts) ?? null),
    reads: [...reads],
    ...(written.cache !== undefined && { cache: written.cache }),
    ...(written.workspace && { workspace: resolveWorkspace(written.workspace, places) }),
  };
  return { target, problems, warnings };
}

function knownAgents({ agents = {} }: TargetSources, problems: Problem[]): Record<string, AgentTemplate> {
  try {
    return resolveAgents(agents);
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    problems.push(...error.problems);
    return {};
  }
}
