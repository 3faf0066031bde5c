import { UserError } from "../../core/errors.js";
import { linesOf } from "../../core/lines.js";
import { shortPath } from "../../core/text.js";
import { journalOf, parseLine, runDirs } from "./resume.js";

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
    const run = readRun(journalOf(directory), suitePath);
    if (run === undefined) continue;
    found = true;
    for (const [id, passed] of run) if (open.delete(id) && !passed) failed.add(id);
    if (open.size === 0) break;
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

/**
 * Whether each case passed that a run was to run; none that had not ended when it was cut short. Undefined where the
 * journal is of something else.
 */
function readRun(journal: string, suitePath: string): Map<string, boolean> | undefined {
  let passed: Map<string, boolean> | undefined;
  try {
    for (const bytes of linesOf(journal)) {
      const line: Line | undefined = parseLine(bytes);
      if (passed === undefined) {
        if (line?.suite_path !== suitePath) return undefined;
        passed = new Map(line.case_ids?.map((id) => [id, false]));
      }
      if (line?.result) passed.set(line.result.case_id, line.result.passed);
    }
  } catch {
    // A run whose journal is gone says nothing.
  }
  return passed;
}

interface Line {
  suite_path?: string;
  case_ids?: readonly string[];
  result?: { case_id: string; passed: boolean };
}
