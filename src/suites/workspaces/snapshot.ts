import { chmodSync, copyFileSync, existsSync, lstatSync, rmSync, statSync, utimesSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { describeSystemError } from "../../core/errors.js";
import { makeDirectory } from "../../core/make-directory.js";
import type { TrialContext } from "../trial-context.js";
import { type Changes, type FileChange, parseChanges, UNRECORDED } from "./changes.js";
import { ensureStore, type GitResult, runGit } from "./git.js";
import { openDirectories } from "./remove.js";
import { bytesOf, type Entry, isRealDirectory, listTree } from "./tree.js";

/** The state of a workspace when its target began. */
export interface Snapshot {
  /** The id of git's tree. */
  tree: string;
  /** Git's index of it: absolute path of a file of its own. */
  index: string;
  /** Paths of bytes. */
  paths: ReadonlySet<string>;
}

const DIFF = "diff-index --cached -M --no-rename-empty --no-ext-diff --no-textconv --no-color --full-index".split(" ");

interface Place {
  directory: string;
  index: string;
  context: TrialContext;
}

/** Takes down the state of a workspace, ignored files too. */
export async function takeSnapshot(directory: string, context: TrialContext): Promise<Snapshot | { error: string }> {
  const index = join(context.scratch, `${context.sessionId}.index`);
  const place = { directory, index, context };
  try {
    const paths = await record(place, new Set());
    if ("error" in paths) return paths;
    const tree = await git(["write-tree"], place);
    return tree.ok ? { tree: tree.stdout.toString("latin1").trim(), index, paths } : tree;
  } catch (error) {
    return { error: `the workspace can't be recorded: ${describeSystemError(error)}` };
  }
}

/**
 * What differs between a directory and the state of a workspace; as a patch that `git apply` takes, with secrets
 * masked, in `<prefix>/changes.patch` of the run.
 */
export async function findChanges(
  snapshot: Snapshot,
  directory: string,
  context: TrialContext,
): Promise<Changes | { error: string }> {
  if (!isRealDirectory(directory)) return { error: `the workspace is gone, or no directory any more: ${directory}` };
  const index = `${snapshot.index}.after`;
  const place = { directory, index, context };
  try {
    // That of an empty directory is not there.
    if (existsSync(snapshot.index)) copyIndex(snapshot.index, index);
    const paths = await record(place, snapshot.paths);
    if ("error" in paths) return paths;
    const listed = await git([...DIFF, "--raw", "--numstat", "-z", snapshot.tree], place);
    if (!listed.ok) return listed;
    const files = parseChanges(listed.stdout);
    const leftOut = files.filter((change) => isLarge(directory, change)).map(({ path }) => path);
    if (files.length === leftOut.length) return { files, patch: null, leftOut };
    const patch = `${context.prefix}/changes.patch`;
    const path = join(context.runDir, patch);
    makeDirectory(dirname(path));
    const written = await git([...DIFF, "--binary", "-p", snapshot.tree, ...without(leftOut)], place, {
      stdoutPath: path,
    });
    if (!written.ok) return written;
    context.redactor.file(path);
    return { files, patch, leftOut };
  } catch (error) {
    return { error: `the changes can't be recorded: ${describeSystemError(error)}` };
  } finally {
    rmSync(index, { force: true });
  }
}

/**
 * By the time of its index git knows which files may have changed without a new time stamp, since that counts seconds:
 * those it looks into. A copy that is newer would make it trust all.
 */
function copyIndex(from: string, to: string): void {
  copyFileSync(from, to);
  const { atime, mtime } = statSync(from);
  utimesSync(to, atime, mtime);
}

/** A patch holds binary files as text, and what a build leaves can be gigabytes. */
const LARGE_BYTES = 20e6;

function isLarge(directory: string, { path, status }: FileChange): boolean {
  if (status === "deleted") return false;
  const stat = lstatSync(join(directory, path), { throwIfNoEntry: false });
  return stat?.isFile() === true && stat.size > LARGE_BYTES;
}

/** Arguments for all paths but these. */
function without(paths: readonly string[]): string[] {
  return paths.length === 0 ? [] : ["--", ".", ...paths.map((path) => `:(exclude,literal)${path}`)];
}

export function forgetSnapshot({ index }: Snapshot): void {
  rmSync(index, { force: true });
}

/** Brings an index up to what is in the directory; `before`: the paths that it holds. Returns those of now. */
async function record(place: Place, before: ReadonlySet<string>): Promise<ReadonlySet<string> | { error: string }> {
  const paths = recordable(place.directory);
  const gone = [...before].filter((path) => !paths.has(path));
  // First: a directory may be where a file was.
  const steps: [string[], Iterable<string>][] = [
    [["--force-remove"], gone],
    [["--add"], paths],
  ];
  for (const [options, names] of steps) {
    const input = Buffer.from([...names].map((name) => `${name}\0`).join(""), "latin1");
    if (input.length === 0) continue;
    const args = ["update-index", ...options, "-z", "--stdin"];
    let done = await git(args, place, { input });
    if (!done.ok && makeReadable(place.directory, paths)) done = await git(args, place, { input });
    if (!done.ok) return done;
  }
  return paths;
}

function recordable(directory: string): Set<string> {
  const list = () => listTree(directory, { skip: isLeftOut });
  let entries: Entry[];
  try {
    entries = list();
  } catch {
    openDirectories(directory);
    entries = list();
  }
  return new Set(entries.flatMap(({ path, kind }) => (kind === "directory" ? [] : [path])));
}

function isLeftOut({ path, kind }: Entry): boolean {
  const name = basename(path);
  // Git takes neither into an index, however they are written. A `.git` may be a file: that of a worktree.
  if (/^\.git$/i.test(name) || (kind === "link" && /^\.gitmodules$/i.test(name))) return true;
  return kind === "directory" && UNRECORDED.has(name);
}

/** Lets us read files whose owner had taken that from itself. Returns whether there were any. */
function makeReadable(directory: string, paths: Iterable<string>): boolean {
  let changed = false;
  for (const path of paths) {
    const file = bytesOf(directory, path);
    const stat = lstatSync(file, { throwIfNoEntry: false });
    if (!stat?.isFile() || stat.mode & 0o400) continue;
    chmodSync(file, stat.mode | 0o400);
    changed = true;
  }
  return changed;
}

function git(
  args: readonly string[],
  { directory, index, context }: Place,
  more: { input?: Uint8Array; stdoutPath?: string } = {},
): Promise<GitResult> {
  const env = { GIT_DIR: ensureStore(context), GIT_WORK_TREE: directory, GIT_INDEX_FILE: index };
  return runGit(args, { context, cwd: directory, config: "ours", env, ...more });
}
