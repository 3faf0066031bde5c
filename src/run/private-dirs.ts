import { mkdirSync, readdirSync, unlinkSync } from "node:fs";
import { join } from "node:path";

/** Directories for files that only the processes of one item read. */
export interface PrivateDirs {
  /** A directory that is empty; absolute. */
  take: () => string;
  /** Removes `files`, and lets a later item have the directory if nothing else is in it. */
  giveBack: (directory: string, files: readonly string[]) => void;
}

/** Directories are used again: making and removing them costs the system several times what files do. */
export function createPrivateDirs(root: string): PrivateDirs {
  const free: string[] = [];
  let made = 0;
  return {
    take() {
      const used = free.pop();
      if (used !== undefined) return used;
      const directory = join(root, String(made++));
      mkdirSync(directory);
      return directory;
    },
    giveBack(directory, files) {
      try {
        for (const file of files) unlinkSync(join(directory, file));
        if (readdirSync(directory).length === 0) free.push(directory);
      } catch {
        // The item did something to it: no other gets it.
      }
    },
  };
}
