import { basename, dirname, extname, resolve } from "node:path";
import { byPlace, type Problem } from "../../core/errors.js";
import { parseJson } from "../../core/json.js";
import { LOST_KEY, lostKeys } from "../../core/lost-keys.js";
import { count, describeValue, shortPath } from "../../core/text.js";
import { decodeUtf8 } from "../../core/utf8.js";
import { type ParsedYaml, parseYaml } from "../../core/yaml.js";
import { zodProblems } from "../../core/zod-problems.js";
import type { Places } from "../find-beside.js";
import { suiteFileSchema, suiteSchema } from "../format/schema.js";
import { fieldsAt, plainSchema, type SchemaNode } from "../format/schema-at.js";
import { caseIn, type ParsedSource, type UncheckedCase } from "../format/written-case.js";
import type { Suite } from "../suite.js";
import type { NamesTarget, TestCase } from "../test-case.js";
import { type BuildOptions, buildCase, type WrittenSchema, workspaceFaults } from "./build-case.js";
import { digestOf } from "./case-digest.js";
import { fileContent } from "./file-content.js";
import { resolveWorkspace } from "./merge-workspaces.js";
import { readCaseFiles } from "./read-case-files.js";
import { soundPart } from "./sound-part.js";

export interface LoadedSuite {
  /** Undefined: it cannot be run. */
  suite?: Suite;
  /** All of them, by place. Where there is a suite, each makes a case of it fail, and no others. */
  problems: Problem[];
  warnings: string[];
  /** What of it is right, for those who look for what else is wrong; undefined where not even its target is known. */
  sound?: Suite;
  /** Cases that are not in it, with the targets that they name. */
  leftOut?: readonly NamesTarget[];
  /** There are cases, and nothing is known of their targets. */
  isPartial?: boolean;
  /** The JSON Schemas of all cases. */
  schemas?: readonly WrittenSchema[];
}

export interface LoadSuiteOptions {
  projectRoot: string;
  /** The target of `-c`, in place of the suite's. */
  config?: string | undefined;
}

/** One file that is no suite at all should not bury what is wrong with the others. */
const MAX_PROBLEMS = 100;

/** The suite in a YAML or JSON file, with the cases in the files that it names. Never throws. */
export function loadSuite(path: string, { projectRoot, config }: LoadSuiteOptions): LoadedSuite {
  const file = resolve(path);
  const content = fileContent(file);
  if ("problem" in content) return { problems: [{ file, message: content.problem }], warnings: [] };
  const parsed = parse(file, content.bytes);
  if (parsed.problems.length === 0) return loadParsed(parsed, file, { projectRoot, config });
  const problems = parsed.problems.map((problem) => ({ file, ...problem, ...hintOf(problem) }));
  return { problems: atMost(problems), warnings: [], isPartial: true };
}

/**
 * The same from a value that a program gives. `path` stands for the file that it could be in: paths are relative to its
 * directory, and a run is told by it.
 */
export function suiteFromValue(value: unknown, path: string, options: LoadSuiteOptions): LoadedSuite {
  const loaded = loadParsed({ value, problems: [], locate: () => ({}) }, path, options);
  const { suite } = loaded;
  return {
    ...loaded,
    ...(suite && { suite: { ...suite, isInFile: false } }),
    problems: loaded.problems.map((problem) => withoutFile(problem, path)),
  };
}

/** There is no such file. */
function withoutFile(problem: Problem, path: string): Problem {
  const { file, ...rest } = problem;
  return file === path ? rest : problem;
}

function loadParsed(parsed: ParsedSource, file: string, { projectRoot, config }: LoadSuiteOptions): LoadedSuite {
  const places: Places = { directory: dirname(file), root: projectRoot };
  const { written, problems: wrongHead } = readHead(parsed, file);
  const inline = written.cases.map((value, index) => caseIn(parsed, file, [...written.casesPath, index], value));
  const fromFiles = readCaseFiles(written.caseFiles, { ...places, file, locate: parsed.locate });
  const { head } = written;
  const workspace = head?.workspace && resolveWorkspace(head.workspace, places);
  const built = buildCases([...inline, ...fromFiles.cases], { ...places, workspace });
  const fatal = [...wrongHead, ...fromFiles.problems, ...built.fatal];
  if (fatal.length === 0 && built.cases.length === 0)
    fatal.push({ file, ...parsed.locate(written.casesPath), message: "has no cases" });
  const faults = (workspace ? workspaceFaults(workspace) : []).map(({ path: at, message }) => ({
    file,
    ...parsed.locate(at),
    field: at.join("."),
    message,
  }));
  const problems = atMost([...fatal, ...built.faults, ...faults]);
  const { schemas } = built;
  if (!head) return { problems, warnings: [], isPartial: written.cases.length > 0, schemas };

  const unfinished: Omit<Suite, "digest"> = {
    name: head.name ?? basename(file, extname(file)),
    path: file,
    isInFile: true,
    config: config ?? head.config,
    configPlace: config === undefined && head.config !== undefined ? parsed.locate(["config"]) : undefined,
    runs: head.runs,
    timeoutSeconds: head.timeout_seconds,
    gates: head.gates,
    judge: head.judge,
    cases: built.cases,
  };
  const sound: Suite = { ...unfinished, digest: suiteDigest(unfinished, head.config) };
  if (fatal.length > 0) return { problems, warnings: [], sound, leftOut: built.leftOut, schemas };
  return { suite: sound, problems, warnings: warningsOf(sound), sound, schemas };
}

function parse(file: string, bytes: Uint8Array): ParsedYaml {
  if (extname(file).toLowerCase() !== ".json") return parseYaml(bytes);
  const text = decodeUtf8(bytes);
  if (text !== undefined) return parseJson(text);
  return { value: undefined, locate: () => ({ line: 1, column: 1 }), problems: [{ message: "is not valid UTF-8" }] };
}

function hintOf({ message }: Problem): Pick<Problem, "hint"> {
  if (!/^is (?:too large|larger)/.test(message)) return {};
  return { hint: "put the cases into a JSONL or CSV file and name it with cases_file, or write the suite as .json" };
}

type Head = ReturnType<typeof suiteSchema.parse>;

interface Written {
  /** What of the mapping is valid; undefined where it is none, or the target that it names is not valid. */
  head: Head | undefined;
  cases: readonly unknown[];
  casesPath: string[];
  /** The paths in `cases_file`, each with where it stands. */
  caseFiles: { path: string; at: PropertyKey[] }[];
}

let fields: SchemaNode | undefined;

/** What the file says beside the single cases. */
function readHead(parsed: ParsedSource, file: string): { written: Written; problems: Problem[] } {
  const { value, locate } = parsed;
  if (Array.isArray(value)) {
    const head = suiteSchema.parse({});
    return { written: { head, cases: value, casesPath: [], caseFiles: [] }, problems: [] };
  }
  if (typeof value !== "object" || value === null) {
    const message = `expected a suite (a mapping with cases, or a list of cases), found ${describeValue(value)}`;
    const nothing = { head: undefined, cases: [], casesPath: [], caseFiles: [] };
    return { written: nothing, problems: [{ file, ...locate([]), message }] };
  }
  const { type } = value as { type?: unknown };
  if (typeof type === "string" && !("cases" in value) && !("cases_file" in value)) {
    const message =
      "is a target, and no suite: a suite has cases, and names its target with config; or name this one with -c";
    const nothing = { head: undefined, cases: [], casesPath: [], caseFiles: [] };
    return { written: nothing, problems: [{ file, ...locate(["type"], "key"), message }] };
  }
  const { data, error } = suiteSchema.safeParse(value);
  const problems = error
    ? zodProblems(error, {
        value,
        known: (path) => {
          fields ??= plainSchema(suiteFileSchema);
          return fieldsAt(fields, path);
        },
        locate: (path, part) => ({ file, ...locate(path, part) }),
      })
    : lostKeys(value, data).map((path) => ({ file, ...locate(path, "key"), field: path.join("."), message: LOST_KEY }));
  const { cases, cases_file: caseFile } = value as Record<string, unknown>;
  const caseFiles = [caseFile].flat().flatMap((path, index) => {
    const at = Array.isArray(caseFile) ? ["cases_file", index] : ["cases_file"];
    return typeof path === "string" && path.trim() !== "" ? [{ path, at }] : [];
  });
  if (cases === undefined && caseFile === undefined)
    problems.push({ file, ...locate([]), field: "cases", message: "is required: a list of cases, or cases_file" });
  const sound = data ?? suiteSchema.safeParse(soundPart(value, error.issues)).data;
  const isTargetKnown = data !== undefined || sound?.config === (value as { config?: unknown }).config;
  const head = isTargetKnown ? sound : undefined;
  const written = { head, cases: Array.isArray(cases) ? cases : [], casesPath: ["cases"], caseFiles };
  return { written, problems };
}

function buildCases(unchecked: readonly UncheckedCase[], options: BuildOptions) {
  const cases: TestCase[] = [];
  const leftOut: NamesTarget[] = [];
  const schemas: WrittenSchema[] = [];
  const fatal: Problem[] = [];
  const faults: Problem[] = [];
  const seen = new Map<string, UncheckedCase>();
  for (const one of unchecked) {
    const { testCase, problems, schemas: found = [] } = buildCase(one, options);
    schemas.push(...found);
    (testCase ? faults : fatal).push(...problems);
    const { id, config } = (one.value ?? {}) as { id?: unknown; config?: unknown };
    if (!testCase && (config === undefined || typeof config === "string"))
      leftOut.push({ id: String(id), config, source: { file: one.file, line: one.locate([]).line ?? 1 } });
    if (typeof id !== "string" || id.trim() === "") continue;
    const name = testCase?.id ?? id.trim();
    const other = seen.get(name);
    if (other) {
      const message = `'${name}' is the id of another case too${placeOf(other, one.file)}`;
      fatal.push({ file: one.file, ...one.locate(["id"]), field: "id", message });
    } else seen.set(name, one);
    if (testCase) cases.push(testCase);
  }
  return { cases, fatal, faults, schemas, leftOut };
}

/** Where the id of a case stands, seen from a file: `: line 3`, `: cases.csv:3`; empty where it stands in none. */
function placeOf({ file, locate }: UncheckedCase, from: string): string {
  const { line } = locate(["id"]);
  if (line === undefined) return "";
  return file === from ? `: line ${line}` : `: ${shortPath(file)}:${line}`;
}

/** `config` is the target that the suite names: another one, of `-c`, is no other suite. */
function suiteDigest({ runs, timeoutSeconds, judge, cases }: Omit<Suite, "digest">, config?: string): string {
  const digests = cases.map(({ digest }) => digest).sort();
  return digestOf("eval-banana/suite-sha256/v1", { config, runs, timeoutSeconds, judge, cases: digests });
}

function warningsOf({ judge, cases }: Omit<Suite, "digest">): string[] {
  const judged = cases.filter(({ assertions }) => assertions.some(({ type }) => type === "rubric")).length;
  if (judge.when !== "never" || judged === 0) return [];
  return [`${count(judged, "case")} with a rubric, and judge.when is never: nobody is asked`];
}

function atMost(problems: Problem[]): Problem[] {
  const all = problems.sort(byPlace);
  const [next] = all.slice(MAX_PROBLEMS);
  if (!next) return all;
  const more = `${next.message}; and ${all.length - MAX_PROBLEMS - 1} more problems`;
  return [...all.slice(0, MAX_PROBLEMS), { ...next, message: more }];
}
