import { loadConfig } from "../config/load.js";
import type { Config } from "../config/settings.js";
import { throwWithProblem, UserError } from "../core/errors.js";
import { didYouMean } from "../core/suggest.js";
import { checksView } from "../report/checks-view.js";
import { createEventStream } from "../report/event-stream.js";
import type { Reporter, RunEvent } from "../report/events.js";
import { standardReporters } from "../report/reporters/standard.js";
import type { RunReport } from "../report/schema.js";
import { planChecks } from "./plan.js";
import { runPlan } from "./run.js";
import { selectedChecks } from "./select.js";

export interface RunChecksOptions {
  /** Where the search for the project begins; default: the working directory. */
  cwd?: string;
  /** False: no `config.toml` is read and `cwd` is the project root. Default true. */
  useConfig?: boolean;
  /** Settings that win over environment and file, e.g. `{ "core.pass_threshold": 0.8 }`. */
  settings?: Partial<Config>;
  /** Scan only this directory; relative to the project root. */
  checkDir?: string;
  /** Only the check with this id. */
  checkId?: string;
  /** Only checks with any of these tags: none, where the list is empty. */
  tags?: readonly string[];
  /** Write into `core.output_dir` itself, which must be absent or empty. */
  flatOutput?: boolean;
}

export interface RunChecksControls {
  /** Told of every event, in turn, besides the reporters that write the run directory. */
  reporters?: readonly Reporter[];
  /** Ends the run early; what did not finish is an error in the report. */
  signal?: AbortSignal;
}

/** A run that is going on: await it for its report, iterate it for its events as they happen, or both. */
export interface ChecksRun extends Promise<RunReport>, AsyncIterable<RunEvent> {}

/**
 * Finds the checks of a project, runs them, and writes the run directory.
 *
 * The run begins in the next turn of the event loop, so that an iteration that is begun at once misses nothing.
 * It goes on when an iteration is left; `controls.signal` ends it. Checks that do not pass are no error: they are in
 * the report. A reporter that fails, also one that writes the run directory, is told of by a `warning` event.
 *
 * @returns the report, with the results in order of their paths, once everything is written
 * @throws UserError, from awaiting and from iterating: its `code` says why the run could not begin or go on
 */
export function runChecks(options: RunChecksOptions = {}, controls: RunChecksControls = {}): ChecksRun {
  const stream = createEventStream();
  const report = begin(options, controls, stream.reporter).catch(throwWithProblem);
  // Takes the error in too: it is for whoever awaits or iterates, and one who only iterates does not await.
  report.then(
    ({ checks, ...summary }) => stream.end({ type: "run.end", summary, results: () => checks }),
    (error: unknown) => stream.fail(error),
  );
  return Object.assign(report, { [Symbol.asyncIterator]: stream.iterate });
}

const OPTIONS = ["cwd", "useConfig", "settings", "checkDir", "checkId", "tags", "flatOutput"];

async function begin(options: RunChecksOptions, controls: RunChecksControls, stream: Reporter): Promise<RunReport> {
  await new Promise((resolve) => setImmediate(resolve));
  const { cwd = ".", useConfig = true, settings = {}, checkDir, checkId, tags, flatOutput = false } = options;
  const unknown = Object.keys(options).find((name) => !OPTIONS.includes(name));
  if (unknown !== undefined) {
    throw new UserError(`runChecks has no option '${unknown}'${didYouMean(unknown, OPTIONS)}`, { code: "usage" });
  }
  if (tags !== undefined && !Array.isArray(tags))
    throw new UserError("the option 'tags' of runChecks takes a list", { code: "usage" });
  const project = loadConfig({ cwd, useConfig, values: settings });
  const selection = {
    root: project.root,
    excludeDirs: project.config["discovery.exclude_dirs"],
    checkDir,
    checkId,
    tags,
  };
  const plan = planChecks(selection);
  const outcome = await runPlan({
    project,
    checks: selectedChecks(plan, selection),
    warnings: plan.warnings,
    flat: flatOutput,
    reporters: (runDir) => [...standardReporters(runDir, checksView), ...(controls.reporters ?? []), stream],
    signal: controls.signal,
  });
  try {
    return { ...outcome.end.summary, checks: [...outcome.end.results()] };
  } finally {
    outcome.close();
  }
}
