import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { isRecorded } from "./changes.js";

/** Those of the directories without a record that hold more than what any program makes again when it misses it. */
const OF_USE: ReadonlySet<string> = new Set([".git", "node_modules", ".venv", ".tox"]);
/** Down to `.venv/lib/python3/site-packages`; what is installed makes or removes entries up to there. */
const LEVELS = 4;

/**
 * Tells whether a target has changed what is never recorded: it installed packages, or committed. Equal texts: it has
 * not. Undefined: that can't be said.
 */
export function unrecordedState(directory: string): string | undefined {
  try {
    return JSON.stringify([...statesBelow(directory, "")]);
  } catch {
    return undefined;
  }
}

function* statesBelow(directory: string, path: string): Generator<unknown> {
  for (const name of directoriesIn(directory)) {
    const [inner, below] = [join(directory, name), `${path}${name}`];
    if (isRecorded(name)) yield* statesBelow(inner, `${below}/`);
    // The index of git is written anew by whoever looks at it.
    else if (OF_USE.has(name)) yield [below, ...(name === ".git" ? refsOf(inner) : timesOf(inner, LEVELS))];
  }
}

function* timesOf(directory: string, levels: number): Generator<number> {
  yield statSync(directory).mtimeMs;
  if (levels > 0) for (const name of directoriesIn(directory)) yield* timesOf(join(directory, name), levels - 1);
}

function* refsOf(gitDir: string): Generator<string> {
  for (const file of ["HEAD", "packed-refs"]) yield contentOf(join(gitDir, file));
  for (const file of filesBelow(join(gitDir, "refs"))) yield `${file} ${contentOf(file)}`;
}

function* filesBelow(directory: string): Generator<string> {
  for (const entry of readdirSync(directory, { withFileTypes: true })) {
    const path = join(directory, entry.name);
    if (entry.isDirectory()) yield* filesBelow(path);
    else yield path;
  }
}

function contentOf(file: string): string {
  return statSync(file, { throwIfNoEntry: false })?.isFile() ? readFileSync(file, "utf8") : "";
}

function directoriesIn(directory: string): string[] {
  const entries = readdirSync(directory, { withFileTypes: true });
  return entries.flatMap((entry) => (entry.isDirectory() ? entry.name : []));
}
