import { mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";

/** Directories for files that only the processes of one check read. */
export interface PrivateDirs {
  /** A directory that is empty, or holds files of an earlier check to write over; absolute. */
  take: () => string;
  /** Lets a later check have a directory, unless anything but `files` is in it. */
  giveBack: (directory: string, files: readonly string[]) => void;
}

/** Directories are used again: writing over files costs the system a fraction of what making and removing them does. */
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
      if (holdsOnly(directory, files)) free.push(directory);
    },
  };
}

function holdsOnly(directory: string, files: readonly string[]): boolean {
  try {
    const entries = readdirSync(directory, { withFileTypes: true });
    return entries.every((entry) => entry.isFile() && files.includes(entry.name));
  } catch {
    return false;
  }
}
