import { join } from "node:path";
import { PROJECT_DIR } from "../config/project.js";
import type { Problem } from "../core/errors.js";
import { fileContent } from "./file-content.js";
import { findBeside, type Places } from "./find-beside.js";
import type { Suite } from "./suite.js";

/** The target of cases for which nobody names one, relative to the root of the project. */
const DEFAULT_TARGET = join(PROJECT_DIR, "targets", "default.yaml");

/** The absolute path of a target file: `config` of the case, then of `-c` or the suite, then the default. */
export function targetPath(config: string | undefined, places: Places): string {
  return config === undefined ? join(places.root, DEFAULT_TARGET) : findBeside(config, places);
}

/** What is wrong with the targets that a suite names, each told once. */
export function targetProblems(suite: Suite, places: Places): Problem[] {
  const problems = new Map<string, Problem>();
  for (const { id, config, source } of suite.cases) {
    const path = targetPath(config ?? suite.config, places);
    if (problems.has(path)) continue;
    // What stands in the file is for the loader of targets to say, here.
    const content = fileContent(path);
    if (!("problem" in content)) continue;
    const message = `the target ${content.problem}`;
    if (config !== undefined) problems.set(path, { ...source, field: `${id}: config`, message });
    else problems.set(path, { file: suite.path, field: "config", message });
  }
  return [...problems.values()];
}
