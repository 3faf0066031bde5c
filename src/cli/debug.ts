import { printable } from "../core/text.js";
import type { Reporter } from "../report/events.js";
import type { Kind, View } from "../report/kind.js";
import { printError } from "./print.js";

/** The log of `--verbose`: lines on standard error, or nothing. */
export function debugLog(verbose: boolean | undefined): (message: string) => void {
  if (!verbose) return () => {};
  return (message) => printError(`debug: ${printable(message)}\n`);
}

/** Logs what happens in a run. */
export function debugReporter<K extends Kind>(view: View<K>, log: (message: string) => void): Reporter<K> {
  return {
    name: "debug",
    on: (event) => {
      if (event.type === "run.start") log(`run ${event.run_id} of ${event.total} in ${event.output_dir}`);
      if (event.type === "item.start") log(`started ${event.id}`);
      if (event.type === "item.end") {
        const { id, status, duration_ms, why } = view.item(event.result);
        log(`ended ${id}: ${status}, ${duration_ms} ms${why && `, ${why}`}; ${JSON.stringify(view.log(event.result))}`);
      }
    },
  };
}
