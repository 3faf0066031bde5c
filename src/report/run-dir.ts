import { lstatSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describeSystemError, isSystemError, UserError } from "../core/errors.js";
import { createRunId } from "../core/ids.js";
import { makeDirectory } from "../core/make-directory.js";

export interface RunDir {
  runId: string;
  /** Absolute path. */
  path: string;
}

export interface RunDirOptions {
  /** The directory in it for the files of the items. */
  folder: string;
  /** Absolute path. */
  outputDir: string;
  /** Write into `outputDir` itself, which must be absent or empty; else into `<outputDir>/<run id>`. */
  flat: boolean;
}

/** Makes the directory of a run, with `folder` in it. Nothing that is there already is touched. */
export function createRunDir({ outputDir, folder, flat }: RunDirOptions): RunDir {
  try {
    const dir = flat ? claimFlat(outputDir) : claimFresh(outputDir);
    mkdirSync(join(dir.path, folder));
    return dir;
  } catch (error) {
    if (!isSystemError(error)) throw error;
    throw new UserError(`cannot make the run directory: ${describeSystemError(error)}`, { code: "io", cause: error });
  }
}

function claimFlat(path: string): RunDir {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  const refuse = (why: string) => {
    return new UserError(`${why}: ${path}`, {
      code: "usage",
      hint: "--flat-output writes into a directory that does not exist yet, or is empty",
    });
  };
  if (stat?.isSymbolicLink()) throw refuse("exact output path is a symlink");
  if (stat && !stat.isDirectory()) throw refuse("exact output path is not a directory");
  if (stat && readdirSync(path).length > 0) throw refuse("output directory is not empty");
  if (!stat) makeDirectory(path);
  return { runId: createRunId(), path };
}

function claimFresh(outputDir: string): RunDir {
  makeDirectory(outputDir);
  for (;;) {
    const runId = createRunId();
    const path = join(outputDir, runId);
    try {
      mkdirSync(path);
      return { runId, path };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    }
  }
}
