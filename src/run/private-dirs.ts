import { closeSync, constants, fstatSync, ftruncateSync, lstatSync, mkdirSync, openSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { writeAll } from "../core/atomic.js";

/** Directories for files that only the processes of one item read. */
export interface PrivateDirs {
  /** A directory that holds these files and nothing else; absolute. */
  take: (files: Readonly<Record<string, string | Uint8Array>>) => string;
  /** Lets a later item have the directory, if all is in it as it was. */
  giveBack: (directory: string) => void;
}

const OVERWRITE = constants.O_WRONLY | constants.O_CREAT | (constants.O_NOFOLLOW ?? 0);

/**
 * Directories and files are used again: making and removing them costs the system several times what writing does,
 * and on ext4 every new file looks through all that were removed in the last minute.
 */
export function createPrivateDirs(root: string): PrivateDirs {
  const free: string[] = [];
  /** The names and modes of the files in each directory. */
  const contents = new Map<string, Map<string, number>>();
  let made = 0;
  return {
    take(files) {
      let directory = free.pop();
      if (directory === undefined) {
        directory = join(root, String(made++));
        mkdirSync(directory);
      }
      const modes = Object.entries(files).map(
        ([name, content]) => [name, write(join(directory, name), content)] as const,
      );
      contents.set(directory, new Map(modes));
      return directory;
    },
    giveBack(directory) {
      const files = contents.get(directory) ?? new Map();
      contents.delete(directory);
      if (isAsItWas(directory, files)) free.push(directory);
    },
  };
}

/** Writes a file; returns its mode. */
function write(path: string, content: string | Uint8Array): number {
  const fd = openSync(path, OVERWRITE);
  try {
    const length = writeAll(fd, content);
    const { size, mode } = fstatSync(fd);
    // Not emptied first: ext4 would write the new content to the disk at once, lest both be lost.
    if (size > length) ftruncateSync(fd, length);
    return mode;
  } finally {
    closeSync(fd);
  }
}

/** Whether a directory holds just these files, none with another name, kind or mode: the next item is to read its own. */
function isAsItWas(directory: string, files: ReadonlyMap<string, number>): boolean {
  try {
    const names = readdirSync(directory);
    return (
      names.length === files.size &&
      names.every((name) => {
        const { mode, nlink } = lstatSync(join(directory, name));
        return mode === files.get(name) && nlink === 1;
      })
    );
  } catch {
    return false;
  }
}
