import type { Config } from "../../config/settings.js";
import type { SuiteFields } from "../format/schema.js";
import type { TargetFunction } from "../targets/function/call-function.js";
import type { TargetFields } from "../targets/types.js";

export interface RunSuiteOptions {
  /**
   * A suite file, or what could stand in one. An object is as a file `NAME.yaml` in `cwd`: its paths
   * lead from there, its baseline is `NAME.baseline.json`. Default: the suite of the project.
   */
  suite?: string | SuiteFields;
  /** What is called for cases that name no target: a target file, its fields, or a function. Default: that of the suite. */
  target?: string | TargetFields | TargetFunction;
  /** Where the search for the project begins, and where paths in these options lead from; default: the working directory. */
  cwd?: string;
  /** False: no `config.toml` is read and `cwd` is the project root. Default true. */
  useConfig?: boolean;
  /** Settings that win over environment and file, and for the judge over the suite. */
  settings?: Partial<Config>;
  /** Only cases with this text in the id or a tag, whatever its case. */
  filter?: string;
  /** Only cases with any of these tags: none, where the list is empty. */
  tags?: readonly string[];
  /** Only the cases with these ids: none, where the list is empty. */
  caseIds?: readonly string[];
  /** Only this many, drawn the same way each time. */
  sample?: number;
  /** Draws others for `sample`. */
  seed?: string;
  /** Only cases that did not pass when they last ran. */
  lastFailed?: boolean;
  /** Take over what this run has finished: a directory, an id, `latest`. */
  resume?: string;
  /** How often a case is run that does not say it itself. Default: as the suite says. */
  runs?: number;
  /** Time limit of one run of a case that has none, in seconds; 0 = none. Default: as the suite says. */
  timeout?: number;
  /** How many runs go on at the same time. Default: `core.max_parallel_checks`. */
  maxParallel?: number;
  /** False: call every target and judge, and keep these answers. Default: unchanged answers are taken from the cache; those of a function never. */
  cache?: boolean;
  /** When rubrics are judged. Default: as the suite says. */
  judge?: "always" | "deterministic-pass" | "deterministic-fail" | "never";
  /** Gate: least score, 0 to 1. Default: as the suite says, or every case. */
  minPassRate?: number;
  /** Gate: most that the score may be below the baseline's, 0 to 1. Default: as the suite says. */
  maxDrop?: number;
  /** The baseline file. Default: the one beside the suite. */
  baseline?: string;
  /** A file that gets a line of JSON for each case that ends. */
  output?: string;
  /** Write into `core.output_dir` itself, which must be absent or empty. */
  flatOutput?: boolean;
}
