import type { Problem } from "../core/errors.js";
import type { Gates, JudgeSettings } from "./format/schema.js";
import type { Target } from "./targets/types.js";
import type { TestCase } from "./test-case.js";

export interface Suite {
  name: string;
  /** Absolute path of its file. */
  path: string;
  /** False: a program gave it, and `path` only says where its paths lead from and what it is called. */
  isInFile: boolean;
  /** The target file of the cases that name none: as written there or after `-c`. Undefined: nobody names one. */
  config?: string | undefined;
  /** Where in the file it stands; undefined where it does not. */
  configPlace?: Pick<Problem, "line" | "column"> | undefined;
  /** The target of a program, in place of `config`. */
  target?: Target | undefined;
  /** How often a case is run that does not say it itself. */
  runs: number;
  /** Time limit of one run of a case that does not say it itself, in seconds; 0 = none. */
  timeoutSeconds: number;
  gates: Gates;
  judge: JudgeSettings;
  /** In the order of the file, then of the files that it names. */
  cases: readonly TestCase[];
  /** `sha256:<hex>` over what can change the outcome: the cases, in whatever order, target, judge, runs, time limit. */
  digest: string;
}
