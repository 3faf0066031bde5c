import { mkdirSync, rmdirSync, statSync } from "node:fs";
import { dirname } from "node:path";

/**
 * Makes a directory and those above it; one that is there is left. Node's own recursive way never ends where a
 * directory can't be made in one that exists, as in /proc.
 */
export function makeDirectory(path: string): void {
  try {
    mkdirSync(path);
    return;
  } catch {
    // It is there, or those above it are not.
  }
  if (isDirectory(path)) return;
  if (!isDirectory(dirname(path))) makeDirectory(dirname(path));
  try {
    mkdirSync(path);
  } catch (error) {
    // Someone else may have been faster.
    if (isDirectory(path)) return;
    if ((error as { code?: string }).code === "EEXIST") (error as { code?: string }).code = "ENOTDIR";
    throw error;
  }
}

export function isDirectory(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

/** Removes a directory unless something is in it. */
export function removeIfEmpty(path: string): void {
  try {
    rmdirSync(path);
  } catch {
    // It holds something, or is gone.
  }
}
