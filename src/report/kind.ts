import type { Redactor } from "../core/redact.js";
import type { PageDetail, PageFigures } from "../viewer/page-data.js";
import type { CheckResult, ItemStatus, RunSummary } from "./schema.js";
import type { CaseResult, SuiteSummary, TrialResult } from "./suite-schema.js";

/** What is kept of an item of any kind: a check, a case of a suite. */
interface ItemResult {
  status: ItemStatus;
  /** Why there is no verdict; `INTERRUPTED` when the run was stopped before there was one. */
  error_detail: string | null;
}

/** What is known of any run at its end. */
export interface RunFacts {
  run_id: string;
  project_root: string;
  /** Absolute path of the run directory. */
  output_dir: string;
  /** ISO 8601, UTC. */
  started_at: string;
  completed_at: string;
  duration_ms: number;
}

/** A kind of run, by the types of what it reports. */
export interface Kind {
  /** What `run.start` says besides what it says of every run. */
  start: object;
  result: ItemResult;
  /** What is kept of an item before its result. */
  note: { type: string };
  summary: RunFacts;
}

/** Runs of checks. */
export interface Checks extends Kind {
  start: { pass_threshold: number };
  result: CheckResult;
  note: never;
  summary: RunSummary;
}

/** Runs of suites; their items are cases. */
export interface Suites extends Kind {
  /** `case_ids`: of all cases that it is to run. */
  start: { suite: string; suite_path: string; case_ids: readonly string[] };
  result: CaseResult;
  /** A run of a case that has ended while others of the case have not. */
  note: { type: "trial.end"; case_id: string; trial: TrialResult };
  summary: SuiteSummary;
}

/** How many items ended how. */
export type Tally = Record<ItemStatus, number>;

export function emptyTally(): Tally {
  return { passed: 0, failed: 0, error: 0 };
}

/** How the results of a kind of run are shown to people and to other programs. The reporters know no more of it. */
export interface View<K extends Kind> {
  /** What an item is called: `check`. */
  noun: string;
  /** The field of `report.json` that holds the items, and the directory of their files. */
  plural: "checks" | "cases";
  /** The option that runs one item again. */
  againOption: string;
  /** Titles of more columns of the table of all items; those that would be empty come last, and are left out. */
  columns: (summary: K["summary"]) => readonly string[];
  item: (result: K["result"]) => ItemView;
  /** What the log of `--verbose` says besides. */
  log: (result: K["result"]) => object;
  /** What `report.json` says of an item, where that is less than what is in its own file. */
  brief?: (result: K["result"]) => object;
  /** An item as it may be written: with secrets masked. */
  mask: (result: K["result"], redactor: Redactor) => K["result"];
  maskNote: (note: K["note"], redactor: Redactor) => K["note"];
  run: (summary: K["summary"]) => RunView;
  /** What JUnit is told besides: the name of all of it, and what is a test of its own. */
  junit?: (summary: K["summary"]) => {
    suite: string;
    gates: readonly { name: string; passed: boolean; decided: boolean; text: string }[];
  };
  /** What `--resume` takes to complete a run that was stopped; without it there is no such option. */
  resume?: (summary: K["summary"]) => string;
  /** What `report.html` says besides. */
  page: (summary: K["summary"]) => Page<K>;
}

/** What the page says of a run and of each item in it. */
export interface Page<K extends Kind> {
  figures: PageFigures;
  detail: (result: K["result"]) => PageDetail;
}

export interface ItemView {
  id: string;
  type: string;
  status: ItemStatus;
  duration_ms: number;
  /** How long it took in words, where that is more than the time. */
  time?: string;
  description: string;
  /** Why it ended as it did; empty when nothing was said. */
  why: string;
  /** The ends of what it printed. */
  stdout: string;
  stderr: string;
  /** Absolute path of the file that defines it. */
  source: string;
  /** Where more can be seen: a name, and a path relative to the run directory or absolute. */
  evidence: readonly (readonly [name: string, path: string])[];
  /** What stands in the columns that the view may add. */
  cells: readonly string[];
}

interface RunView {
  passed: boolean;
  tally: Tally;
  /** The score in words: `3 of 4 points`. */
  score: readonly string[];
  /** What was needed, in words: `100% and no errors`. */
  needed: string;
  /** More that matters as much, a line each. */
  lines: readonly string[];
}
