export type Status = "passed" | "failed" | "error";

/** All that the page shows, as it stands in it. Texts are as they came: the page makes them safe to look at. */
export interface PageData {
  run: PageRun;
  items: PageItem[];
}

export interface PageRun extends PageFigures {
  /** What an item is called: `check`, and several of them. */
  noun: string;
  plural: string;
  passed: boolean;
  tally: Record<Status, number>;
  /** How many items did not end since the run was stopped. */
  interrupted: number;
  /** Titles of the `cells` of the items. */
  columns: readonly string[];
  run_id: string;
  project_root: string;
  /** ISO 8601, UTC. */
  started_at: string;
  duration_ms: number;
}

/** The figures of a run, by its kind. */
export interface PageFigures {
  title: string;
  /** From 0 to 1, where it is known. */
  score: { value: number; low?: number; high?: number; needed?: number; baseline?: number };
  figures: readonly Fact[];
  gates: readonly { passed: boolean; decided?: boolean; text: string }[];
  /** What was compared with the baseline, and what was not, in words. */
  comparison: readonly string[];
}

/** What is said of an item besides its status: `flaky`, `worse`, `better`, … */
export type Mark = "flaky" | "worse" | "better" | "new" | "changed" | "cached" | "interrupted";

export type Fact = readonly [name: string, value: string];

export interface PageItem extends PageDetail {
  id: string;
  type: string;
  status: Status;
  duration_ms: number;
  description: string;
  cells: readonly string[];
  source: string;
  /** The command that runs it again. */
  again?: string;
}

/** What the page says of an item, by its kind. */
export interface PageDetail {
  /** Why it ended as it did. */
  why: string;
  tags: readonly string[];
  marks: readonly Mark[];
  /** How each of several runs ended. */
  runs: readonly Status[];
  /** Milliseconds since the run began. */
  began: number;
  ended: number;
  /** Null: left out, since the page would be too large. */
  blocks: readonly Block[] | null;
}

export type Block =
  | { kind: "facts"; facts: readonly Fact[] }
  | { kind: "text"; title: string; text: string }
  | { kind: "scores"; scores: readonly ScoreLine[] }
  | { kind: "session"; turns: readonly Turn[] }
  | { kind: "patch"; files: readonly string[]; path: string | null; text: string }
  | { kind: "files"; files: readonly Fact[] }
  | { kind: "run"; title: string; status: Status; blocks: readonly Block[] };

export interface ScoreLine {
  type: string;
  status: Status;
  reason: string;
  facts: readonly Fact[];
}

/** A message, or a call of a tool. */
export type Turn =
  | { role: string; name?: string; text: string }
  | { tool: string; arguments: string; result?: string; error?: string };
