import type { Config } from "../../config/settings.js";
import { createEventStream } from "../../report/event-stream.js";
import type { Reporter, RunEvent } from "../../report/events.js";
import type { Suites } from "../../report/kind.js";
import type { SuiteReport } from "../../report/suite-schema.js";
import type { SuiteFields } from "../format/schema.js";
import type { TargetFunction } from "../targets/function/function-target.js";
import type { TargetFields } from "../targets/types.js";

export interface RunSuiteOptions {
  /**
   * A suite file, or what could stand in one. An object is as a file in `cwd` that is named after the suite: its paths
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
  /** Only cases with any of these tags. */
  tags?: readonly string[];
  /** Only the cases with these ids. */
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
  /** False: call every target and judge. Default: unchanged answers are taken from the cache; those of a function never. */
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

export interface RunSuiteControls {
  /** Told of every event, in turn, besides the reporters that write the run directory. */
  reporters?: readonly Reporter<Suites>[];
  /** Ends the run early; cases that did not finish are errors in the report. */
  signal?: AbortSignal;
}

/** A run that is going on: await it for its report, iterate it for its events as they happen, or both. */
export interface SuiteRun extends Promise<SuiteReport>, AsyncIterable<RunEvent<Suites>> {}

/**
 * Runs the cases of a suite, and writes the run directory.
 *
 * The run begins in the next turn of the event loop, so that an iteration that is begun at once misses nothing.
 * It goes on when an iteration is left; `controls.signal` ends it. Cases that do not pass, targets that fail and gates
 * that are missed are no errors: they are in the report, whose `run_passed` is what `eb suite run --ci` exits by.
 *
 * @returns the report, with the cases in the order of the suite, once everything is written. Times are in milliseconds,
 *   costs in US dollars, rates from 0 to 1. Texts are whole; `report.json` cuts those of sessions.
 * @throws UserError, from awaiting and from iterating: its `code` says why the run could not begin or go on, its
 *   `problems` what is wrong with the suite, the target or the options
 */
export function runSuite(options: RunSuiteOptions = {}, controls: RunSuiteControls = {}): SuiteRun {
  const stream = createEventStream<Suites>();
  const report = begin(options, controls, stream.reporter);
  // Takes the error in too: it is for whoever awaits or iterates, and one who only iterates does not await.
  report.then(
    ({ cases, ...summary }) => stream.end({ type: "run.end", summary, results: () => cases }),
    (error: unknown) => stream.fail(error),
  );
  return Object.assign(report, { [Symbol.asyncIterator]: stream.iterate });
}

async function begin(
  options: RunSuiteOptions,
  { reporters = [], signal }: RunSuiteControls,
  stream: Reporter<Suites>,
): Promise<SuiteReport> {
  await new Promise((resolve) => setImmediate(resolve));
  // Programs that run checks need none of it.
  const { startSuite } = await import("./start-suite.js");
  return startSuite(options, { reporters: [...reporters, stream], signal });
}
