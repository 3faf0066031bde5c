import { isDeepStrictEqual } from "node:util";
import { foldCase } from "../../core/text.js";
import type { Assertion } from "../format/assertion.js";
import type { Fault } from "../format/case-assertions.js";
import type { WrittenCase } from "../format/schema.js";
import { isRecorded } from "../workspaces/changes.js";

interface Known {
  /** Those of the case. */
  assertions: readonly Assertion[];
  /** False: fields that are wrong are left out of what was written. */
  isWhole: boolean;
}

/** What is wrong with fields that are right each by itself. */
export function relationFaults(written: WrittenCase, { assertions, isWhole }: Known): Fault[] {
  return [
    ...trajectoryFaults(written),
    ...filesFaults(written),
    ...(isWhole ? fencesFaults(written) : []),
    ...lengthFaults(written),
    ...keywordFaults(written),
    ...(assertions.length > 0 || !isWhole ? [] : [nothingAsserted]),
  ];
}

const nothingAsserted: Fault = {
  path: [],
  message: "asserts nothing, so it could never fail: give it e.g. expect_keywords, expect_regex or checks",
};

/** Of `task`, `input` and `task_file`, looked at in what was written, also where other fields are wrong. */
export function taskFaults(raw: Readonly<Record<string, unknown>>): Fault[] {
  const given = ["task", "input", "task_file"].filter((name) => Object.hasOwn(raw, name));
  const [first] = given;
  if (first === undefined) return [{ path: [], message: "one of task, input and task_file is required" }];
  if (given.includes("task_file") && given.length > 1)
    return [{ path: ["task_file"], message: `stands beside '${first}': the task is given by one of them` }];
  if (given.length === 2 && !isDeepStrictEqual(raw["task"], raw["input"]))
    return [{ path: ["input"], message: "differs from 'task', which means the same" }];
  return given
    .filter((name) => raw[name] === null || (typeof raw[name] === "string" && raw[name].trim() === ""))
    .map((name) => ({ path: [name], message: "expected a task that is not blank, found nothing" }));
}

function trajectoryFaults({ checks }: WrittenCase): Fault[] {
  const { trajectory } = checks ?? {};
  if (!trajectory) return [];
  const path = ["checks", "trajectory"];
  const forbidden = new Set(trajectory.must_not_call);
  const wanted = [
    ...(trajectory.must_call ?? []).map((call) => (typeof call === "string" ? call : call.name)),
    ...(trajectory.order ?? []),
    ...(trajectory.exact ?? []),
  ];
  const both = [...new Set(wanted.filter((name) => forbidden.has(name)))].map((name) => ({
    path: [...path, "must_not_call"],
    message: `forbids '${name}', which is expected too: the case can never pass`,
  }));
  return assertsSomething(trajectory) ? both : [{ path, message: "asserts nothing of the calls" }];
}

function filesFaults({ checks }: WrittenCase): Fault[] {
  if (!checks?.files) return [];
  const path = ["checks", "files"];
  if (!assertsSomething(checks.files)) return [{ path, message: "asserts nothing of the files" }];
  const { must_change = [], must_not_change = [] } = checks.files;
  const unseen = (field: string, files: readonly string[], outcome: string) =>
    files.flatMap((file, index): Fault[] => {
      if (isRecorded(file)) return [];
      return [{ path: [...path, field, index], message: `changes there are never recorded: it can never ${outcome}` }];
    });
  return [...unseen("must_change", must_change, "pass"), ...unseen("must_not_change", must_not_change, "fail")];
}

/** Whether one of the fields is more than empty or `false`. An empty `exact` says that there are no calls. */
function assertsSomething(fields: object): boolean {
  return Object.entries(fields).some(([name, value]: [string, unknown]) => {
    if (typeof value !== "object" || value === null) return value !== undefined && value !== false;
    return name === "exact" || Object.keys(value).length > 0;
  });
}

function fencesFaults({ checks }: WrittenCase): Fault[] {
  if (checks?.strip_fences === undefined || checks.valid_json !== undefined) return [];
  return [{ path: ["checks", "strip_fences"], message: "says how 'valid_json' is checked, which is missing" }];
}

function lengthFaults({ checks }: WrittenCase): Fault[] {
  const { min_words: min = 0, max_words: max = Number.POSITIVE_INFINITY } = checks ?? {};
  if (min <= max) return [];
  return [{ path: ["checks", "min_words"], message: `is more than max_words (${max}): the case can never pass` }];
}

function keywordFaults({ expect_keywords = [], forbidden_keywords = [], checks = {} }: WrittenCase): Fault[] {
  const { must_contain = [], must_not_contain = [] } = checks;
  const wanted = [...expect_keywords, ...must_contain];
  const faultsOf = (forbidden: readonly string[], path: string[]) =>
    forbidden.flatMap((text, index): Fault[] => {
      const other = wanted.find((keyword) => foldCase(keyword).includes(foldCase(text)));
      if (other === undefined) return [];
      const message = `forbids what the keyword ${JSON.stringify(other)} holds: the case can never pass`;
      return [{ path: [...path, index], message }];
    });
  return [
    ...faultsOf(forbidden_keywords, ["forbidden_keywords"]),
    ...faultsOf(must_not_contain, ["checks", "must_not_contain"]),
  ];
}
