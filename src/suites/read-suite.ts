import { existsSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import type { LoadedConfig } from "../config/load.js";
import { describeSystemError, type Problem, UserError } from "../core/errors.js";
import { shortPath } from "../core/text.js";
import { DEFAULT_SUITE } from "./default-paths.js";
import { type LoadedSuite, loadSuite } from "./load/load-suite.js";
import type { Suite } from "./suite.js";

interface SuiteOptions {
  cwd?: string | undefined;
  /** The target of `-c`. */
  config?: string | undefined;
}

/**
 * The suite files to read: those given, relative to `--cwd`, or the default one.
 * @throws UserError (`usage`) when one is not there
 */
export function suiteFiles(given: readonly string[], { root }: LoadedConfig, { cwd = "." }: SuiteOptions): string[] {
  const files = given.length > 0 ? given.map((path) => resolve(cwd, path)) : [join(root, DEFAULT_SUITE)];
  for (const file of new Set(files)) {
    try {
      statSync(file);
    } catch (error) {
      throw new UserError(`there is no suite: ${describeSystemError(error).replace(file, shortPath(file))}`, {
        code: "usage",
        hint: "eb suite init writes one to begin with",
      });
    }
  }
  return [...new Set(files)];
}

/** The suite in a file, with what makes cases of it fail. */
export function readSuiteFile(file: string, { root }: LoadedConfig, { cwd = ".", config }: SuiteOptions): LoadedSuite {
  return loadSuite(file, { projectRoot: root, config: config === undefined ? undefined : resolve(cwd, config) });
}

/**
 * The suite that was named, or the default one.
 * @throws UserError (`usage`) when it is not there, (`invalid_suite`) when it can't be run
 */
export function readSuite(
  given: string | undefined,
  project: LoadedConfig,
  options: SuiteOptions,
): LoadedSuite & { suite: Suite } {
  const { cwd = ".", config } = options;
  if (config !== undefined) requireTarget(config, cwd);
  const [file = ""] = suiteFiles(given === undefined ? [] : [given], project, options);
  const { suite, ...rest } = readSuiteFile(file, project, options);
  if (!suite) throw invalidSuite(rest.problems);
  return { suite, ...rest };
}

/** @throws UserError (`usage`) when the target that was named for the run is not there */
export function requireTarget(path: string, cwd: string): void {
  if (existsSync(resolve(cwd, path))) return;
  throw new UserError(`there is no target: ${path}`, { code: "usage", hint: "name the path of a target file" });
}

export function invalidSuite(problems: Problem[]): UserError {
  return new UserError("the suite is not valid", { code: "invalid_suite", problems });
}
