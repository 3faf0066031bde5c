import { printable } from "../core/text.js";
import type { Reporter } from "../report/events.js";
import { printError } from "./print.js";

/** The log of `--verbose`: lines on standard error, or nothing. */
export function debugLog(verbose: boolean | undefined): (message: string) => void {
  if (!verbose) return () => {};
  return (message) => printError(`debug: ${printable(message)}\n`);
}

/** Logs what happens in a run. */
export function debugReporter(log: (message: string) => void): Reporter {
  return {
    name: "debug",
    on: (event) => {
      if (event.type === "run.start") log(`run ${event.run_id} of ${event.total} in ${event.output_dir}`);
      if (event.type === "item.start") log(`started ${event.id}`);
      if (event.type === "item.end") {
        const { check_id, status, exit_code, duration_ms, details } = event.result;
        log(`ended ${check_id}: ${status}, exit code ${exit_code}, ${duration_ms} ms, ${JSON.stringify(details)}`);
      }
    },
  };
}
