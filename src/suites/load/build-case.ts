import { isAbsolute } from "node:path";
import type { Problem } from "../../core/errors.js";
import { LOST_KEY, lostKeys } from "../../core/lost-keys.js";
import { isDirectory } from "../../core/make-directory.js";
import { describeValue } from "../../core/text.js";
import { decodeUtf8 } from "../../core/utf8.js";
import { findBeside, type Places } from "../find-beside.js";
import type { Assertion } from "../format/assertion.js";
import { caseAssertions, type Fault } from "../format/case-assertions.js";
import { unknownKeywords } from "../format/json-schema.js";
import { caseSchema, type WrittenCase } from "../format/schema.js";
import type { UncheckedCase } from "../format/written-case.js";
import type { Json } from "../json.js";
import type { TestCase } from "../test-case.js";
import type { WorkspaceLayer } from "../workspace.js";
import { caseDigest } from "./case-digest.js";
import { faultProblem, fieldProblems } from "./case-problems.js";
import { fileContent } from "./file-content.js";
import { mergeWorkspaces, resolveWorkspace } from "./merge-workspaces.js";
import { relationFaults, taskFaults } from "./relation-faults.js";
import { soundPart } from "./sound-part.js";

export interface BuiltCase {
  /** Undefined: it cannot be run. */
  testCase?: TestCase;
  /** Where there is a test case: what will make it fail, e.g. a regular expression that is none. */
  problems: Problem[];
  /** The JSON Schemas in it, which only a validator can look at: that is large, and loaded where it is wanted. */
  schemas?: WrittenSchema[];
}

export interface WrittenSchema {
  schema: Json;
  /** Something that is wrong at a path in the schema. */
  problem: (fault: Fault) => Problem;
}

export interface BuildOptions extends Places {
  /** What the suite says of the workspace. */
  workspace: WorkspaceLayer | undefined;
}

/** The test case that was written, or all that is wrong with it. Reads the files that it names. */
export function buildCase(unchecked: UncheckedCase, options: BuildOptions): BuiltCase {
  const { value, file, locate } = unchecked;
  const problemOf = (fault: Fault) => faultProblem(fault, unchecked);
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    const message = `expected a case (a mapping with id, task and what is expected), found ${describeValue(value)}`;
    return { problems: [{ file, ...locate([]), message }] };
  }
  const raw = value as Record<string, unknown>;
  const { data, error } = caseSchema.safeParse(raw);
  const wrongTask = taskFaults(raw);
  const wrongFields = error ? fieldProblems(error, unchecked) : [];
  // What is right is looked at all the same, so that everything that is wrong is told at once.
  const sound = data ?? caseSchema.safeParse({ id: "-", ...soundPart(raw, error.issues) }).data;
  if (!sound) return { problems: [...wrongFields, ...wrongTask.map(problemOf)] };

  const written = inOrderOf(raw, sound);
  const task = wrongTask.length === 0 ? readTask(written, options) : { faults: wrongTask };
  const { assertions, faults: patternFaults } = caseAssertions(written, options);
  const own = written.workspace && resolveWorkspace(written.workspace, options);
  const lost = data ? lostKeys(raw, data).map((path) => ({ path, message: LOST_KEY })) : [];
  const schemaPath = ["checks", "valid_json"];
  const schema = assertions.find((assertion) => assertion.type === "valid_json")?.schema;
  const relations = relationFaults(written, { assertions, isWhole: data !== undefined });
  const fatal = [...lost, ...task.faults, ...relations, ...unknownKeywords(schema, schemaPath)];
  const faults = [
    ...patternFaults,
    ...scriptFaults(assertions),
    ...patternPaths(written),
    ...(own ? workspaceFaults(own) : []),
  ];
  const problems = [...wrongFields, ...[...fatal, ...faults].map(problemOf)];
  const schemas =
    schema === undefined
      ? []
      : [{ schema, problem: (fault: Fault) => problemOf({ ...fault, path: [...schemaPath, ...fault.path] }) }];
  if (!data || task.input === undefined || fatal.length > 0) return { problems, schemas };

  const workspace = mergeWorkspaces(options.workspace, own);
  const { id, config, tags = [], runs, timeout_seconds: timeoutSeconds, must_succeed: mustSucceed = true } = written;
  const testCase: Omit<TestCase, "digest"> = {
    id,
    input: task.input,
    ...(task.file !== undefined && { taskFile: task.file }),
    ...(config !== undefined && { config }),
    tags,
    ...(runs !== undefined && { runs }),
    ...(timeoutSeconds !== undefined && { timeoutSeconds }),
    mustSucceed,
    assertions,
    ...(workspace && { workspace }),
    source: { file, line: locate([]).line ?? 1 },
  };
  return { testCase: { ...testCase, digest: caseDigest(testCase, options.root) }, problems, schemas };
}

/** Files that a workspace begins with and that are not there. */
export function workspaceFaults({ from, files = {} }: WorkspaceLayer): Fault[] {
  const faults: Fault[] = [];
  if (from && "template" in from && !isDirectory(from.template))
    faults.push({ path: ["workspace", "template"], message: `is not a directory: ${from.template}` });
  if (from && "repo" in from && isAbsolute(from.repo) && !isDirectory(from.repo))
    faults.push({ path: ["workspace", "repo"], message: `is not a directory: ${from.repo}` });
  for (const [name, file] of Object.entries(files)) {
    const content = "from" in file ? fileContent(file.from) : undefined;
    if (content && "problem" in content)
      faults.push({ path: ["workspace", "files", name, "from"], message: content.problem });
  }
  return faults;
}

/** Names of files that look like patterns, and are none that a scorer would take. */
function patternPaths({ checks }: WrittenCase): Fault[] {
  const { contains = {}, ...lists } = checks?.files ?? {};
  const inLists = Object.entries(lists).flatMap(([field, paths]) =>
    (paths ?? []).map((path, index) => ({ path: [field, index], name: path })),
  );
  const inMapping = Object.keys(contains).map((name) => ({ path: ["contains", name], name, part: "key" as const }));
  return [...inLists, ...inMapping]
    .filter(({ name }) => /[*?]/.test(name))
    .map(({ name: _, path, ...rest }) => ({
      ...rest,
      path: ["checks", "files", ...path],
      message: "is a pattern: expected the name of a file, or of a directory for all that is in it",
    }));
}

function scriptFaults(assertions: readonly Assertion[]): Fault[] {
  return assertions.flatMap((assertion): Fault[] => {
    const content = assertion.type === "script_path" ? fileContent(assertion.path) : undefined;
    if (!content || !("problem" in content)) return [];
    return [{ path: ["checks", "script_path"], message: `the script ${content.problem}` }];
  });
}

function readTask(
  written: WrittenCase,
  places: Places,
): { input?: Json | undefined; file?: string | undefined; faults: Fault[] } {
  if (written.task_file === undefined) return { input: written.task ?? written.input, faults: [] };
  const failed = (message: string) => ({ faults: [{ path: ["task_file"], message }] });
  const file = findBeside(written.task_file, places);
  const content = fileContent(file);
  if ("problem" in content) return failed(content.problem);
  const input = decodeUtf8(content.bytes)?.trim();
  if (input === undefined) return failed("is not valid UTF-8");
  return input === "" ? failed("is blank: it holds no task") : { input, file, faults: [] };
}

/** The fields in the order in which they were written: the schema returns them in its own. */
function inOrderOf(raw: object, parsed: WrittenCase): WrittenCase {
  const ordered = sortedLike(raw, parsed);
  const { checks } = raw as { checks?: object };
  return parsed.checks && checks ? { ...ordered, checks: sortedLike(checks, parsed.checks) } : ordered;
}

function sortedLike<T extends object>(model: object, fields: T): T {
  const place = Object.fromEntries(Object.keys(model).map((key, index) => [key, index]));
  const entries = Object.entries(fields).sort(([a], [b]) => (place[a] ?? 0) - (place[b] ?? 0));
  return Object.fromEntries(entries) as T;
}
