import { writeDocument } from "../../core/atomic.js";
import type { Reporter, RunEnd } from "../events.js";

/** A reporter that writes one document when the run has ended; `-` as the path is standard output. */
export function documentReporter(name: string, render: (end: RunEnd) => Iterable<string>): (path: string) => Reporter {
  return (path) => ({
    name,
    on(event) {
      if (event.type !== "run.end") return;
      if (path === "-") for (const chunk of render(event)) process.stdout.write(chunk);
      else writeDocument(path, render(event));
    },
  });
}
