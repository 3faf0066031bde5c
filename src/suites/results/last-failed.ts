import { join } from "node:path";
import { UserError } from "../../core/errors.js";
import { linesOf } from "../../core/lines.js";
import { shortPath } from "../../core/text.js";
import { runDirs } from "./resume.js";

/**
 * The cases that did not pass when they last ran, or did not end in a run that was cut short. The latest run alone does
 * not say it: it may have been one of a few cases.
 * @param ids of the cases that are asked for
 * @throws UserError (`usage`) when there is no run of that suite
 */
export function lastFailed(ids: readonly string[], { outputDir, suitePath }: RunsOf): Set<string> {
  const open = new Set(ids);
  const failed = new Set<string>();
  let found = false;
  for (const directory of runDirs(outputDir)) {
    const run = readRun(join(directory, "journal.jsonl"), suitePath);
    if (run === undefined) continue;
    found = true;
    for (const [id, passed] of run.passed) if (open.delete(id) && !passed) failed.add(id);
    // What it had still to do is not in its journal.
    if (run.cutShort || open.size === 0) break;
  }
  if (found) return new Set([...failed, ...open]);
  throw new UserError(`there is no earlier run of ${shortPath(suitePath)} in ${shortPath(outputDir)}`, {
    code: "usage",
    hint: "run the suite once without --last-failed",
  });
}

interface RunsOf {
  outputDir: string;
  suitePath: string;
}

interface EarlierRun {
  /** By the ids of the cases that ended. */
  passed: Map<string, boolean>;
  /** Whether there were more of them. */
  cutShort: boolean;
}

/** Undefined where the journal is of something else. */
function readRun(journal: string, suitePath: string): EarlierRun | undefined {
  const passed = new Map<string, boolean>();
  let total: number | undefined;
  try {
    for (const bytes of linesOf(journal)) {
      const line = parse(bytes);
      if (total === undefined) {
        if (line?.suite_path !== suitePath) return undefined;
        total = line.total ?? 0;
      }
      if (line?.result) passed.set(line.result.case_id, line.result.passed);
    }
  } catch {
    // A run whose journal is gone says nothing.
  }
  return total === undefined ? undefined : { passed, cutShort: passed.size < total };
}

interface Line {
  suite_path?: string;
  total?: number;
  result?: { case_id: string; passed: boolean };
}

function parse(line: Buffer): Line | undefined {
  try {
    return JSON.parse(line.toString("utf8"));
  } catch {
    return undefined;
  }
}
