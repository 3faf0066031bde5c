import type { Problem } from "../../core/errors.js";
import { findBeside, type Places } from "../find-beside.js";
import type { Assertion } from "./assertion.js";
import { translatePattern } from "./pattern.js";
import type { WrittenCase, WrittenChecks } from "./schema.js";

/** Something wrong at a path in the case. */
export interface Fault extends Pick<Problem, "message"> {
  path: PropertyKey[];
  /** The name of the field is what is wrong, not what it holds. */
  part?: "key";
}

interface Found {
  assertions: Assertion[];
  /** What makes a regular expression none. Its assertion is there all the same, and fails. */
  faults: Fault[];
}

type Make<Fields> = {
  [K in keyof Fields]?: (value: NonNullable<Fields[K]>, fields: Fields, places: Places) => Assertion[] | Found;
};

const contains = (texts: string[]): Assertion[] => texts.map((text) => ({ type: "contains", text }));
const containsNot = (texts: string[]): Assertion[] => texts.map((text) => ({ type: "not_contains", text }));

const ofCase: Make<WrittenCase> = {
  expect_keywords: contains,
  expect_regex: (written) => matches(written, { path: ["expect_regex"], ignoreCase: true }),
  forbidden_keywords: containsNot,
  max_turns: (limit) => (limit === 0 ? [] : [{ type: "max_turns", limit }]),
};

const ofChecks: Make<WrittenChecks> = {
  must_contain: contains,
  must_match: (written) => matches(written, { path: ["checks", "must_match"], ignoreCase: false }),
  must_not_contain: containsNot,
  valid_json: (value, { strip_fences: stripFences = false }) => [
    { type: "valid_json", ...(value !== true && { schema: value }), stripFences },
  ],
  max_words: (limit) => [{ type: "max_words", limit }],
  min_words: (limit) => [{ type: "min_words", limit }],
  max_chars: (limit) => [{ type: "max_chars", limit }],
  // The output is trimmed: a blank at these ends, as the `|` of YAML leaves one, could never be met.
  equals: (text) => [{ type: "equals", text: text.trim() }],
  starts_with: (text) => [{ type: "starts_with", text: text.trimStart() }],
  ends_with: (text) => [{ type: "ends_with", text: text.trimEnd() }],
  script: (script) => [{ type: "script", script }],
  script_path: (path, _, places) => [{ type: "script_path", path: findBeside(path, places) }],
  rubric: (rubric, { tone }) => questions(rubric, tone),
  tone: (tone, { rubric }) => (rubric === undefined ? questions(undefined, tone) : []),
  trajectory: (written) => [
    {
      type: "trajectory",
      mustCall: (written.must_call ?? []).map((call) => (typeof call === "string" ? { name: call } : call)),
      mustNotCall: written.must_not_call ?? [],
      ...(written.order && { order: written.order }),
      ...(written.exact && { exact: written.exact }),
      ...(written.max_calls !== undefined && { maxCalls: written.max_calls }),
      noErrors: written.no_errors ?? false,
    },
  ],
  retrieval: (written) => [
    {
      type: "retrieval",
      expectIds: written.expect_ids,
      ...(written.k !== undefined && { k: written.k }),
      ...(written.min_recall !== undefined && { minRecall: written.min_recall }),
      ...(written.min_precision !== undefined && { minPrecision: written.min_precision }),
      ...(written.min_mrr !== undefined && { minMrr: written.min_mrr }),
      ...(written.min_ndcg !== undefined && { minNdcg: written.min_ndcg }),
    },
  ],
  files: (written) => [
    {
      type: "files",
      mustExist: written.must_exist ?? [],
      mustNotExist: written.must_not_exist ?? [],
      mustChange: written.must_change ?? [],
      mustNotChange: written.must_not_change ?? [],
      contains: written.contains ?? {},
    },
  ],
  max_cost_usd: (limit) => [{ type: "max_cost_usd", limit }],
  max_tokens: (limit) => [{ type: "max_tokens", limit }],
  max_duration_ms: (limit) => [{ type: "max_duration_ms", limit }],
};

/** What a case asserts, in the order of its fields. */
export function caseAssertions(written: WrittenCase, places: Places): Found {
  const { checks } = written;
  const parts = Object.keys(written).map((key) =>
    key === "checks" && checks
      ? all(checks, ofChecks, places)
      : made(written, ofCase, key as keyof WrittenCase, places),
  );
  return joined(parts);
}

function all<Fields extends object>(fields: Fields, make: Make<Fields>, places: Places): Found {
  return joined(Object.keys(fields).map((key) => made(fields, make, key as keyof Fields, places)));
}

function made<Fields, K extends keyof Fields>(fields: Fields, make: Make<Fields>, key: K, places: Places): Found {
  const value = fields[key];
  if (value === undefined || value === null) return { assertions: [], faults: [] };
  const found = make[key]?.(value, fields, places) ?? [];
  return Array.isArray(found) ? { assertions: found, faults: [] } : found;
}

function joined(parts: readonly Found[]): Found {
  return {
    assertions: parts.flatMap(({ assertions }) => assertions),
    faults: parts.flatMap(({ faults }) => faults),
  };
}

function matches(written: string | string[], options: { path: string[]; ignoreCase: boolean }): Found {
  const { path, ignoreCase } = options;
  const faults: Fault[] = [];
  const assertions = [written].flat().map((text, index): Assertion => {
    const pattern = translatePattern(text, { ignoreCase });
    if (!("problem" in pattern)) return { type: "matches", ...pattern, written: text };
    faults.push({ path: Array.isArray(written) ? [...path, index] : path, message: pattern.problem });
    return { type: "matches", source: text, flags: ignoreCase ? "i" : "", written: text, problem: pattern.problem };
  });
  return { assertions, faults };
}

/** Every line that is not blank is a question, byte for byte. */
function questions(rubric: string | string[] | undefined, tone: string | undefined): Assertion[] {
  const lines = typeof rubric === "string" ? rubric.split(/\r?\n/) : (rubric ?? []);
  const asked = lines.filter((line) => line.trim() !== "");
  if (tone !== undefined) asked.push(`Is the tone of the answer ${tone}?`);
  return asked.length === 0 ? [] : [{ type: "rubric", questions: asked }];
}
