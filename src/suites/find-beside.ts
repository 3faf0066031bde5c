import { existsSync } from "node:fs";
import { resolve } from "node:path";

/** Where the relative paths in a suite lead from: the directory of its file, then the root of the project. */
export interface Places {
  directory: string;
  root: string;
}

/** The absolute path that a path in a suite stands for: beside the suite file, or else, where it exists there, in the root. */
export function findBeside(path: string, { directory, root }: Places): string {
  const beside = resolve(directory, path);
  if (existsSync(beside)) return beside;
  const inRoot = resolve(root, path);
  return existsSync(inRoot) ? inRoot : beside;
}
