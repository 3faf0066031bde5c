import { closeSync, fstatSync, ftruncateSync, openSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import { writeAll } from "../../core/atomic.js";
import { makeDirectory } from "../../core/make-directory.js";
import type { Reporter } from "../events.js";
import type { Suites } from "../kind.js";
import { isInterrupted } from "../schema.js";
import type { CaseLine, CaseResult } from "../suite-schema.js";

export interface CaseLinesOptions {
  path: string;
  /** Keep what a run that was killed has written; else the file is started anew. */
  keep: boolean;
  line: (result: CaseResult) => CaseLine;
}

/** `-o`: a line of JSON for each case that ended, with the system at that moment; none where the run was stopped before. */
export function caseLinesReporter({ path, keep, line }: CaseLinesOptions): Reporter<Suites> {
  let fd: number | undefined;
  let kept = new Set<string>();
  return {
    name: "case lines",
    on(event) {
      if (event.type === "run.start") {
        makeDirectory(dirname(path));
        fd = openSync(path, keep ? "a+" : "w");
        if (keep) kept = completeLines(path, fd);
      }
      if (event.type === "item.end" && fd !== undefined && !isInterrupted(event.result)) {
        const text = JSON.stringify(line(event.result));
        if (!kept.has(text)) writeAll(fd, `${text}\n`);
      }
      if (event.type === "run.end" && fd !== undefined) closeSync(fd);
    },
  };
}

/** The lines that are there; the half of one that a killed run was writing is cut off. */
function completeLines(path: string, fd: number): Set<string> {
  const text = readFileSync(path);
  const end = text.lastIndexOf("\n") + 1;
  if (end < fstatSync(fd).size) ftruncateSync(fd, end);
  return new Set(text.subarray(0, end).toString("utf8").split("\n").filter(Boolean));
}
