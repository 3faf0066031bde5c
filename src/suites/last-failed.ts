import { readFileSync } from "node:fs";
import { join } from "node:path";
import { UserError } from "../core/errors.js";
import { runDirs } from "./resume.js";

/**
 * The cases that did not pass in the latest run of a suite, or did not end in it.
 * @returns a test of ids
 * @throws UserError (`usage`) when there is no run of that suite
 */
export function lastFailed(outputDir: string, suitePath: string): (id: string) => boolean {
  for (const directory of runDirs(outputDir)) {
    const passed = passedCases(join(directory, "journal.jsonl"), suitePath);
    if (passed) return (id) => !passed.has(id);
  }
  throw new UserError(`there is no earlier run of ${suitePath} in ${outputDir}`, {
    code: "usage",
    hint: "run the suite once without --last-failed",
  });
}

/** The cases that passed; undefined where the journal is of something else. */
function passedCases(journal: string, suitePath: string): Set<string> | undefined {
  const [first, ...lines] = read(journal).split("\n");
  if (parse(first)?.suite_path !== suitePath) return undefined;
  const results = lines.flatMap((line) => parse(line)?.result ?? []);
  return new Set(results.flatMap(({ case_id, passed }) => (passed ? [case_id] : [])));
}

interface Line {
  suite_path?: string;
  result?: { case_id: string; passed: boolean };
}

function parse(line: string | undefined): Line | undefined {
  try {
    return JSON.parse(line ?? "");
  } catch {
    return undefined;
  }
}

function read(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
