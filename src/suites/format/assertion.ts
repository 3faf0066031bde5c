import type { Json } from "../json.js";

/** What can be asserted of a session. The final assistant message is called the output. */
export type Assertion =
  /** The text occurs in the output, whatever its case. */
  | { type: "contains"; text: string }
  /** It does not. */
  | { type: "not_contains"; text: string }
  /**
   * The regular expression (JavaScript syntax) matches somewhere in the output. `written` is what stands in the file;
   * `problem` why it is none: then the assertion fails.
   */
  | { type: "matches"; source: string; flags: string; written: string; problem?: string }
  /** Of the trimmed output. */
  | { type: "equals" | "starts_with" | "ends_with"; text: string }
  /** The output is JSON, and matches the JSON Schema where there is one. */
  | { type: "valid_json"; schema?: Json; stripFences: boolean }
  | { type: "max_words" | "min_words" | "max_chars"; limit: number }
  /** A Python script ends with exit code 0. */
  | { type: "script"; script: string }
  /** The same with a file: absolute path. */
  | { type: "script_path"; path: string }
  /** The judge answers every question with yes. */
  | { type: "rubric"; questions: readonly string[] }
  | ({ type: "trajectory" } & TrajectoryAssertion)
  | ({ type: "retrieval" } & RetrievalAssertion)
  | ({ type: "files" } & FilesAssertion)
  /** Of the whole session of one run. */
  | { type: "max_turns" | "max_cost_usd" | "max_tokens" | "max_duration_ms"; limit: number };

export interface TrajectoryAssertion {
  mustCall: readonly ExpectedCall[];
  mustNotCall: readonly string[];
  /** These names occur in this order, with others between them. */
  order?: readonly string[] | undefined;
  /** These names and no others, in this order. */
  exact?: readonly string[] | undefined;
  maxCalls?: number | undefined;
  noErrors: boolean;
}

export interface ExpectedCall {
  name: string;
  /** What its arguments must hold; they may hold more. */
  arguments?: Json | undefined;
  /** Exactly this often; undefined: at least once. */
  times?: number | undefined;
}

export interface RetrievalAssertion {
  expectIds: readonly string[];
  /** How many of the first retrieved count; undefined: all. */
  k?: number | undefined;
  minRecall?: number | undefined;
  minPrecision?: number | undefined;
  minMrr?: number | undefined;
  minNdcg?: number | undefined;
}

/** Paths are relative to the workspace. */
export interface FilesAssertion {
  mustExist: readonly string[];
  mustNotExist: readonly string[];
  mustChange: readonly string[];
  mustNotChange: readonly string[];
  /** Text that a file must hold. */
  contains: Readonly<Record<string, string>>;
}

/** What became of an assertion. */
export interface Score {
  /** Its type. */
  type: Assertion["type"] | "must_succeed";
  /** `error`: no verdict, e.g. since the judge could not be asked. */
  status: "passed" | "failed" | "error";
  /** Why; for a failure what was expected and what was found. Empty where it passed and there is nothing to say. */
  reason: string;
  /** Figures, e.g. `{ recall: 0.5 }`. */
  metrics?: Readonly<Record<string, number>>;
  /** More for the report: what a judge cost, votes, paths. */
  details?: Readonly<Record<string, Json>>;
}
