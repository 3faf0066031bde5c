import { mkdtempSync, readdirSync, rmdirSync, rmSync, unlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { describeSystemError, UserError } from "../core/errors.js";

export interface Scratch {
  /** Absolute, whatever TMPDIR says: programs run elsewhere. */
  path: string;
  remove: () => void;
}

/** A temporary directory that goes with this process at the latest. */
export function makeScratch(): Scratch {
  try {
    const path = mkdtempSync(join(resolve(tmpdir()), "eval-banana-"));
    const remove = () => {
      process.off("exit", remove);
      removeScratch(path);
    };
    process.on("exit", remove);
    return { path, remove };
  } catch (error) {
    throw new UserError(`cannot make a temporary directory: ${describeSystemError(error)}`, {
      code: "io",
      hint: "set TMPDIR to a directory that can be written to",
      cause: error,
    });
  }
}

function removeScratch(path: string): void {
  try {
    // The usual case takes Node's own way several times as long.
    removeTree(path);
  } catch {
    try {
      rmSync(path, { recursive: true, force: true, maxRetries: 2 });
    } catch {
      // An item made something there that cannot be removed; the results are not worse for it.
    }
  }
}

function removeTree(directory: string): void {
  for (const entry of readdirSync(directory, { withFileTypes: true })) {
    const path = join(directory, entry.name);
    if (entry.isDirectory()) removeTree(path);
    else unlinkSync(path);
  }
  rmdirSync(directory);
}
