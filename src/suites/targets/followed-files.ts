import { readFileSync } from "node:fs";
import { dirname, isAbsolute, join, relative, resolve } from "node:path";
import { isFile } from "../find-beside.js";
import { isRecorded } from "../workspaces/changes.js";
import { importsOf, isSource, pathsNamedIn } from "./source-references.js";
import { variablesNamedIn } from "./source-variables.js";

/** What a program begins with. Paths are absolute. */
export interface Beginning {
  files: readonly string[];
  /** Its command line, and code in it. */
  code?: readonly string[];
  /** Where more of its paths may lead from. */
  cwd?: string;
}

/** Enough for a program that someone has written; what is generated may have more. */
const MAX_FILES = 2000;
/** What is larger is data. */
const MAX_SOURCE = 1e6;

/**
 * The files that a program is made of as far as its text tells, with their content: what it imports by a path or as a
 * Python module of the project, and the files of the project that it names and does not write; and the same of these.
 * Packages are not followed. Paths are absolute; the beginning is among them.
 */
export function followedFiles({ files, code = [], cwd }: Beginning, root: string): Map<string, Buffer> {
  const found = new Map<string, Buffer>();
  const written = new Set<string>();
  const named = new Set<string>();
  const searched = [...new Set([...files.map(dirname), cwd ?? root, root, join(root, "src")])];
  const pending: string[] = [...files];
  const look = (text: string, path: string) => {
    const places = [dirname(path), ...searched];
    pending.push(...importsOf(text, { path, places }));
    for (const { paths, isWritten } of pathsNamedIn(text, path)) {
      const file = paths.flatMap((each) => places.map((place) => resolve(place, each))).find(isFile);
      if (file === undefined || !isInProject(file, root)) continue;
      (isWritten ? written : named).add(file);
      if (!isWritten) pending.push(file);
    }
  };
  for (const text of code) look(text, join(root, "code"));
  for (let path = pending.shift(); path !== undefined && found.size < MAX_FILES; path = pending.shift()) {
    if (found.has(path)) continue;
    const content = read(path);
    if (content === undefined) continue;
    found.set(path, content);
    if (content.length <= MAX_SOURCE && isSource(path)) look(content.toString("utf8"), path);
  }
  // One line writes it, another may read it again.
  for (const path of written) if (named.has(path) && !files.includes(path)) found.delete(path);
  return found;
}

/** The variables of the environment that a program names, apart from those that eb sets. Sorted. */
export function followedVariables({ code = [] }: Beginning, files: ReadonlyMap<string, Buffer>): string[] {
  const sources = [...files].filter(([path, { length }]) => isSource(path) && length <= MAX_SOURCE);
  const names = [
    ...code.flatMap((text) => variablesNamedIn(text, "")),
    ...sources.flatMap(([path, content]) => variablesNamedIn(content.toString("utf8"), path)),
  ];
  return [...new Set(names)].filter((name) => !name.startsWith("EVAL_BANANA_")).sort();
}

function isInProject(path: string, root: string): boolean {
  const way = relative(root, path);
  return !way.startsWith("..") && !isAbsolute(way) && isRecorded(way);
}

function read(path: string): Buffer | undefined {
  try {
    return isFile(path) ? readFileSync(path) : undefined;
  } catch {
    // Calling the target tells that it can't be read.
    return undefined;
  }
}
