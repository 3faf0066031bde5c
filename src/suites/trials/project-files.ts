import { existsSync } from "node:fs";
import { relative, sep } from "node:path";
import type { ItemContext } from "../../run/context.js";
import { isRecorded } from "../workspaces/changes.js";
import { contentId } from "../workspaces/content-id.js";
import { runGit } from "../workspaces/git.js";
import { repositoryOf } from "../workspaces/ignored.js";
import { bytesOf, pathOf } from "../workspaces/tree.js";

/** What says the content of each file, by its path of bytes relative to the project root. */
export type ProjectFiles = ReadonlyMap<string, string>;

export interface ProjectFilesOptions {
  context: ItemContext;
  /** Files and directories that do not count; absolute. */
  leftOut: readonly string[];
}

/**
 * The files of the repository that the project is in, as they are on the disk: those that git tracks, and in the project
 * new ones that lie beside tracked ones of the same ending, as a new prompt does. None outside of a
 * repository. A text: why that can't be said.
 */
export async function projectFiles({ context, leftOut }: ProjectFilesOptions): Promise<ProjectFiles | string> {
  const { projectRoot } = context;
  const files = new Map<string, string>();
  if (repositoryOf(projectRoot) === undefined) return files;
  const why = await addRepository(files, { folder: "", context });
  if (why !== undefined) return why;
  const hidden = new Set(leftOut.map((path) => pathOf(relative(projectRoot, path).replaceAll(sep, "/"))));
  for (const path of files.keys()) if (isBelowAny(path, hidden)) files.delete(path);
  return files;
}

interface Place {
  /** Of the project or of a repository in it; empty, or with `/` at its end. */
  folder: string;
  context: ItemContext;
}

/** Adds the files of the repository that a folder is in, and of those below it. Returns why it can't be done. */
async function addRepository(files: Map<string, string>, { folder, context }: Place): Promise<string | undefined> {
  const root = context.projectRoot;
  const cwd = folder === "" ? root : bytesOf(root, folder).toString("utf8");
  // `:/` is all of the repository: a project in a folder of it may use what is beside that folder.
  const [tracked, others] = await Promise.all([
    runGit(["ls-files", "-z", "--stage", "-v", "--cached", "--modified", "--", ":/"], {
      context,
      cwd,
      config: "theirs",
    }),
    runGit(["ls-files", "-z", "--others", "--exclude-standard"], { context, cwd, config: "theirs" }),
  ]);
  if (!tracked.ok) return tracked.error;
  if (!others.ok) return others.error;
  const inner: string[] = [];
  const kinds = new Set<string>();
  let length = 40;
  for (const line of linesIn(tracked.stdout)) {
    const { path, mode, id, isOnDisk } = parseEntry(line);
    length = id.length;
    kinds.add(kindOf(path));
    if (mode === SUBMODULE) inner.push(`${folder}${path}/`);
    files.set(folder + path, isOnDisk ? `${mode} ${id}` : contentId(bytesOf(root, folder + path), length));
  }
  for (const path of linesIn(others.stdout)) {
    // A repository that is no submodule.
    if (path.endsWith("/")) inner.push(folder + path);
    else if (isRecorded(path) && kinds.has(kindOf(path)))
      files.set(folder + path, contentId(bytesOf(root, folder + path), length));
  }
  for (const each of inner) {
    // One that is not checked out would be taken for the repository around it.
    if (!existsSync(bytesOf(root, `${each}.git`))) continue;
    const why = await addRepository(files, { folder: each, context });
    if (why !== undefined) return why;
  }
  return undefined;
}

const SUBMODULE = "160000";
const LINK = "120000";

/** `H 100644 <id> 0\t<path>`; a second line with another letter follows for what was modified. */
function parseEntry(line: string) {
  const tab = line.indexOf("\t");
  const [tag, mode = "", id = "", stage] = line.slice(0, tab).split(" ");
  // Small letters and S: git was told not to look. What a link leads to may be no file of git's.
  const isOnDisk = tag === "H" && stage === "0" && mode !== LINK;
  return { path: line.slice(tab + 1), mode, id, isOnDisk };
}

function linesIn(bytes: Buffer): string[] {
  return bytes.toString("latin1").split("\0").filter(Boolean);
}

/** The folder and the ending of a path. */
function kindOf(path: string): string {
  const name = path.slice(path.lastIndexOf("/") + 1);
  const dot = name.lastIndexOf(".");
  return path.slice(0, path.length - name.length) + (dot > 0 ? name.slice(dot) : "");
}

function isBelowAny(path: string, folders: ReadonlySet<string>): boolean {
  for (let end = path.length; end > 0; end = path.lastIndexOf("/", end - 1)) {
    if (folders.has(path.slice(0, end))) return true;
  }
  return false;
}
