import { throwWithProblem } from "../../core/errors.js";
import { createEventStream } from "../../report/event-stream.js";
import type { Reporter, RunEvent } from "../../report/events.js";
import type { Suites } from "../../report/kind.js";
import type { SuiteReport } from "../../report/suite-schema.js";
import type { RunSuiteOptions } from "./run-suite-options.js";

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
  const report = begin(options, controls, stream.reporter).catch(throwWithProblem);
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
