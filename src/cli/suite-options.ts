import { statSync } from "node:fs";
import { join, resolve } from "node:path";
import { findProject, PROJECT_DIR } from "../config/project.js";
import { describeSystemError, UserError } from "../core/errors.js";

/** The suite of a project that names no other, relative to its root. */
export const DEFAULT_SUITE = join(PROJECT_DIR, "evals", "suite.yaml");

/**
 * The root of the project, and the suite files to read: those given, relative to `--cwd`, or the default one.
 * @throws UserError (`usage`) when one is not there
 */
export function openSuites(
  given: readonly string[],
  { cwd = ".", useConfig = true }: { cwd?: string | undefined; useConfig?: boolean },
): { root: string; files: string[] } {
  const { root } = findProject(cwd, { useConfig });
  const files = given.length > 0 ? given.map((path) => resolve(cwd, path)) : [join(root, DEFAULT_SUITE)];
  for (const file of new Set(files)) {
    try {
      statSync(file);
    } catch (error) {
      throw new UserError(`there is no suite: ${describeSystemError(error)}`, {
        code: "usage",
        hint: "eb suite init writes one to begin with",
      });
    }
  }
  return { root, files: [...new Set(files)] };
}
