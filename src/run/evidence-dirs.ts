import { readdirSync, renameSync } from "node:fs";
import { makeDirectory, removeIfEmpty } from "../core/make-directory.js";

/** Directories for what checks want kept; the empty ones go. */
export interface EvidenceDirs {
  /** Makes a directory for a check that begins; absolute. */
  make: (path: string) => void;
  /** The check has ended: nothing stays of its directory if it is empty. */
  settle: (path: string) => void;
  /** Removes what was held back for the next check. */
  clear: () => void;
}

/** An empty directory is moved to where the next check wants one: removing it costs several times that. */
export function createEvidenceDirs(): EvidenceDirs {
  const spare: string[] = [];
  return {
    make(path) {
      const used = spare.pop();
      if (used === undefined || !moveEmpty(used, path)) makeDirectory(path);
    },
    settle(path) {
      if (isEmpty(path)) spare.push(path);
    },
    clear() {
      for (const path of spare.splice(0)) removeIfEmpty(path);
    },
  };
}

function moveEmpty(from: string, to: string): boolean {
  if (!isEmpty(from)) return false;
  try {
    renameSync(from, to);
    return true;
  } catch {
    removeIfEmpty(from);
    return false;
  }
}

function isEmpty(directory: string): boolean {
  try {
    return readdirSync(directory).length === 0;
  } catch {
    return false;
  }
}
