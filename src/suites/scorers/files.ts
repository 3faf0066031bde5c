import { existsSync, lstatSync, realpathSync } from "node:fs";
import { dirname, isAbsolute, join, posix, relative, sep, win32 } from "node:path";
import { describeSystemError } from "../../core/errors.js";
import { readRegularFile } from "../../core/read-file.js";
import type { Redactor } from "../../core/redact.js";
import type { FileChange } from "../workspaces/changes.js";
import { type AssertionOf, errorBecause, failedFor, type Trial, type Verdict, wanted } from "./scorer.js";

type Workspace = NonNullable<Trial["workspace"]>;

/**
 * Of the files that the target left. A path names a file, or a directory with all that is in it; patterns are refused,
 * since one taken for a name would never match. What is outside of the workspace is never looked at.
 */
export function scoreFiles(assertion: AssertionOf<"files">, trial: Trial): Verdict {
  const { workspace } = trial;
  const { line } = trial.context.redactor;
  if (workspace === undefined) {
    return { status: "failed", reason: "files can't be checked: the case has no workspace" };
  }
  const { changes } = workspace;
  if ("error" in changes && assertion.mustChange.length + assertion.mustNotChange.length > 0) {
    return errorBecause(changes.error);
  }
  const { mustExist, mustNotExist, mustChange, mustNotChange, contains } = assertion;
  const check = (written: string, find: (path: string) => string | undefined) => {
    const path = posix.normalize(written.replaceAll("\\", "/")).replace(/\/$/, "");
    const reason = refuse(written, path, workspace.directory) ?? find(path);
    return reason === undefined ? [] : `'${line(written, 200)}' ${reason}`;
  };
  const inside = (path: string) => join(workspace.directory, path);
  return failedFor([
    ...mustExist.flatMap((file) => check(file, (path) => (existsSync(inside(path)) ? undefined : "does not exist"))),
    ...mustNotExist.flatMap((file) =>
      check(file, (path) => (lstat(inside(path)) === undefined ? undefined : "exists, which it must not")),
    ),
    ...mustChange.flatMap((file) =>
      check(file, (path) => (changesBelow(path, workspace).length > 0 ? undefined : "was not changed")),
    ),
    ...mustNotChange.flatMap((file) => check(file, (path) => unwantedChange(path, workspace, line))),
    ...Object.entries(contains).flatMap(([file, text]) =>
      check(file, (path) => lackOf(path, text, { workspace, trial })),
    ),
  ]);
}

function unwantedChange(path: string, workspace: Workspace, line: Redactor["line"]): string | undefined {
  const [first, ...others] = changesBelow(path, workspace);
  if (first === undefined) return undefined;
  const more = others.length > 0 ? ` and ${others.length} more` : "";
  return `must not be changed (${describe(first, path, line)}${more})`;
}

/** `deleted`, `modified: src/a.ts`, `renamed to b.ts`. */
function describe({ path, from, status }: FileChange, asked: string, line: Redactor["line"]): string {
  const short = (name: string) => line(name, 200);
  if (from === undefined) return path === asked ? status : `${status}: ${short(path)}`;
  if (path === asked) return `${status} from ${short(from)}`;
  return from === asked ? `${status} to ${short(path)}` : `${status}: ${short(from)} to ${short(path)}`;
}

/** Why a path is not looked at. */
function refuse(written: string, path: string, directory: string): string | undefined {
  const out = "leaves the workspace: expected a path inside of it";
  if (
    isAbsolute(written) ||
    win32.isAbsolute(written) ||
    /^[A-Za-z]:/.test(written) ||
    path === ".." ||
    path.startsWith("../")
  )
    return out;
  if (/\0/.test(path)) return "is no path";
  if (/[*?]/.test(path) && lstat(join(directory, path)) === undefined)
    return "is a pattern: expected the name of a file, or of a directory for all that is in it";
  try {
    const root = realpathSync(directory);
    const real = relative(root, realpathSync(nearest(join(root, path), root)));
    return real === ".." || real.startsWith(`..${sep}`) || isAbsolute(real) ? `${out}; a link leads out` : undefined;
  } catch (error) {
    return `can't be looked at: ${describeSystemError(error)}`;
  }
}

/** The path itself, or what there is of it from the root on; a link that leads nowhere is looked at no further. */
function nearest(path: string, root: string): string {
  let at = path;
  while (at !== root && (lstat(at) === undefined || isBroken(at))) at = dirname(at);
  return at;
}

function isBroken(path: string): boolean {
  try {
    realpathSync(path);
    return false;
  } catch {
    return true;
  }
}

function lstat(path: string) {
  try {
    return lstatSync(path);
  } catch {
    return undefined;
  }
}

function changesBelow(path: string, { changes }: Workspace): FileChange[] {
  if ("error" in changes) return [];
  const isBelow = (name: string) => path === "." || name === path || name.startsWith(`${path}/`);
  // One that was renamed has changed where it was and where it is.
  return changes.files.filter((change) => isBelow(change.path) || (change.from !== undefined && isBelow(change.from)));
}

/** Case and blanks count. */
function lackOf(
  path: string,
  text: string,
  { workspace: { directory }, trial }: { workspace: Workspace; trial: Trial },
): string | undefined {
  try {
    const content = readRegularFile(join(directory, path)).toString("utf8");
    return content.includes(text) ? undefined : `does not contain ${wanted(text, trial)}`;
  } catch (error) {
    return `can't be read: ${describeSystemError(error).replace(`: ${join(directory, path)}`, "")}`;
  }
}
