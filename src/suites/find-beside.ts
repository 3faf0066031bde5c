import { existsSync, statSync } from "node:fs";
import { resolve } from "node:path";

/** Where the relative paths in a file lead from: its directory, then the root of the project. */
export interface Places {
  directory: string;
  root: string;
}

/** The absolute paths that a path in a file may stand for, in the order in which they are looked at. */
export function candidates(path: string, { directory, root }: Places): string[] {
  return [...new Set([resolve(directory, path), resolve(root, path)])];
}

/** The first of them that exists, else the one beside the file. */
export function findBeside(path: string, places: Places): string {
  return candidates(path, places).find((candidate) => existsSync(candidate)) ?? resolve(places.directory, path);
}

/** The first of them that is a file; undefined when there is none. */
export function findFile(path: string, places: Places): string | undefined {
  return candidates(path, places).find(isFile);
}

/** What can't be a path is none, e.g. a script among the arguments of a program. */
export function isFile(path: string): boolean {
  try {
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
