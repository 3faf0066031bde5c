import { realpathSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { describeSystemError, UserError } from "../core/errors.js";
import { isDirectory } from "../core/make-directory.js";

export const PROJECT_DIR = ".eval-banana";

export interface Project {
  /** Absolute, symbolic links resolved. */
  root: string;
  /** `<root>/.eval-banana/config.toml`, whether or not it exists; null where no file is to be read. */
  configFile: string | null;
}

/** The project that `cwd` belongs to: the nearest directory upwards that holds `.eval-banana/`, else `cwd` itself. */
export function findProject(cwd: string, options: { useConfig: boolean }): Project {
  const start = resolveDirectory(cwd);
  if (!options.useConfig) return { root: start, configFile: null };
  for (let directory = start; ; directory = dirname(directory)) {
    if (isDirectory(join(directory, PROJECT_DIR))) {
      return { root: directory, configFile: join(directory, PROJECT_DIR, "config.toml") };
    }
    if (dirname(directory) === directory) return { root: start, configFile: null };
  }
}

function resolveDirectory(cwd: string): string {
  const path = resolve(cwd);
  try {
    const real = realpathSync.native(path);
    if (isDirectory(real)) return real;
  } catch (error) {
    throw new UserError(`cannot enter the directory given by --cwd: ${describeSystemError(error)}`, { code: "usage" });
  }
  throw new UserError(`--cwd is not a directory: ${path}`, { code: "usage" });
}
