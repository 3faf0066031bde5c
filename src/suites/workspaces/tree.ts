import {
  constants,
  copyFileSync,
  type Dirent,
  lstatSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  statSync,
  symlinkSync,
} from "node:fs";
import { copyFile } from "node:fs/promises";
import { dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";

/**
 * A file, link or directory of a tree. Its path is relative, with `/` between the parts, and holds one character
 * for each byte: names need not be UTF-8.
 */
export interface Entry {
  path: string;
  kind: "file" | "link" | "directory";
}

/** What the functions of `node:fs` take for the entry at `path` below the directory `root`. */
export function bytesOf(root: string, path: string): Buffer {
  return Buffer.concat([Buffer.from(path === "" ? root : `${root}/`), Buffer.from(path, "latin1")]);
}

/** A path of bytes as text for people; what is no UTF-8 becomes U+FFFD. */
export function textOf(path: string): string {
  return Buffer.from(path, "latin1").toString("utf8");
}

/** The other way round. */
export function pathOf(text: string): string {
  return Buffer.from(text).toString("latin1");
}

export interface ListOptions {
  /** Leaves an entry out, and all that is in it. */
  skip: (entry: Entry) => boolean;
}

/**
 * All that is below a directory, each directory before what is in it. Links are not followed; pipes, sockets and
 * devices are left out.
 * @throws the file system's error for a directory that can't be read
 */
export function listTree(root: string, { skip }: ListOptions): Entry[] {
  const entries: Entry[] = [];
  const pending = [""];
  for (let folder = pending.pop(); folder !== undefined; folder = pending.pop()) {
    for (const found of readdirSync(bytesOf(root, folder), { encoding: "latin1", withFileTypes: true })) {
      const path = folder === "" ? found.name : `${folder}/${found.name}`;
      const kind = kindOf(found);
      if (kind === undefined || skip({ path, kind })) continue;
      entries.push({ path, kind });
      if (kind === "directory") pending.push(path);
    }
  }
  return entries;
}

function kindOf(found: Dirent): Entry["kind"] | undefined {
  if (found.isFile()) return "file";
  if (found.isSymbolicLink()) return "link";
  return found.isDirectory() ? "directory" : undefined;
}

/** Larger files are copied beside what else goes on: a small one is there sooner than a thread has begun with it. */
const LARGE_BYTES = 1 << 20;
/** How many small ones are copied before others get their turn. */
const IN_A_ROW = 16;

/**
 * Copies entries of one tree into another, an existing directory: the bytes (shared by the file system where it can)
 * and the permissions of files, links as links.
 * @throws the file system's error
 */
export async function copyEntries(from: string, to: string, entries: readonly Entry[]): Promise<void> {
  for (const [index, { path, kind }] of entries.entries()) {
    const [source, target] = [bytesOf(from, path), bytesOf(to, path)];
    if (kind === "directory") mkdirSync(target);
    else if (kind === "link") symlinkSync(readlinkSync(source, { encoding: "buffer" }), target);
    else if (statSync(source).size > LARGE_BYTES) await copyFile(source, target, constants.COPYFILE_FICLONE);
    else copyFileSync(source, target, constants.COPYFILE_FICLONE);
    if (index % IN_A_ROW === IN_A_ROW - 1) await nextTurn();
  }
}

/** Where a link leads that leads out of its tree; undefined for one that stays in it. */
export function leavingLink(root: string, path: string): string | undefined {
  const target = readlinkSync(bytesOf(root, path));
  if (isAbsolute(target)) return target;
  const place = join(root, textOf(path));
  if (!isWithin(resolve(dirname(place), target), root)) return target;
  // A link on the way may lead elsewhere than the words say.
  const real = realPath(place);
  return real === undefined || isWithin(real, realpathSync(root)) ? undefined : target;
}

function realPath(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}

/** Whether a path is a directory or below it. Both absolute. */
export function isWithin(path: string, directory: string): boolean {
  const way = relative(directory, path);
  return way === "" || (way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way));
}

/** Whether there is a directory itself, not a link to one. */
export function isRealDirectory(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
