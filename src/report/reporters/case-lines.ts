import { closeSync, openSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import { appendLine, writeFileAtomic } from "../../core/atomic.js";
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
  let kept = new Map<string, string>();
  let outdated = false;
  return {
    name: "case lines",
    on(event) {
      if (event.type === "run.start") {
        makeDirectory(dirname(path));
        if (keep) kept = tidy(path);
        fd = openSync(path, keep ? "a" : "w");
      }
      // Cases that a stopped run did not come to the end of are none that are finished.
      if (event.type === "item.end" && fd !== undefined && !isInterrupted(event.result)) {
        const text = JSON.stringify(line(event.result));
        const before = kept.get(event.result.case_id);
        if (before === text) return;
        outdated ||= before !== undefined;
        appendLine(fd, text);
      }
      if (event.type === "run.end" && fd !== undefined) {
        closeSync(fd);
        if (outdated) tidy(path);
      }
    },
  };
}

/** Leaves the last line of each case, and not the half of one that a killed run was writing; returns them by case. */
function tidy(path: string): Map<string, string> {
  const text = read(path);
  const lines = new Map<string, string>();
  for (const line of text.split("\n")) {
    const id = caseOf(line);
    if (id === undefined) continue;
    // To where the last one is.
    lines.delete(id);
    lines.set(id, line);
  }
  const tidied = [...lines.values()].map((line) => `${line}\n`).join("");
  if (tidied !== text) writeFileAtomic(path, tidied);
  return lines;
}

function read(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return "";
    throw error;
  }
}

function caseOf(line: string): string | undefined {
  try {
    const { case_id } = JSON.parse(line) as Partial<CaseLine>;
    return case_id;
  } catch {
    return undefined;
  }
}
