import { copyFileSync, lstatSync, statSync, writeFileSync } from "node:fs";
import { dirname, isAbsolute, join, normalize, sep } from "node:path";
import { describeSystemError } from "../../core/errors.js";
import { makeDirectory } from "../../core/make-directory.js";
import { oneLine } from "../../core/text.js";
import type { Workspace } from "../workspace.js";

/** Writes files into a workspace, over what is there. Returns why one can't be written. */
export function writeFiles(directory: string, files: Workspace["files"]): string | undefined {
  for (const [path, file] of Object.entries(files)) {
    const why = writeOne(directory, path, file);
    if (why !== undefined) return `the file '${oneLine(path)}' can't be put into the workspace: ${why}`;
  }
  return undefined;
}

function writeOne(directory: string, path: string, file: Workspace["files"][string]): string | undefined {
  const target = join(directory, path);
  try {
    const refused = refusePath(directory, path);
    if (refused !== undefined) return refused;
    makeDirectory(dirname(target));
    if ("content" in file) writeFileSync(target, file.content);
    else if (statSync(file.from).isFile()) copyFileSync(file.from, target);
    else return `it is not a file: ${file.from}`;
    return undefined;
  } catch (error) {
    return describeSystemError(error);
  }
}

/** Why nothing may be written at `path` of a workspace: it leads out of it, by its words or by a link. */
function refusePath(directory: string, path: string): string | undefined {
  if (isAbsolute(path)) return "the path must be relative to the workspace";
  if (path.includes("\0")) return "the path holds a NUL";
  const parts = normalize(path).split(sep).filter(Boolean);
  if (parts[0] === "..") return "the path leads out of the workspace";
  if (parts.length === 0 || parts[0] === "." || /[\\/]$/.test(path)) return "the path names no file";
  for (let index = 1; index <= parts.length; index++) {
    const part = parts.slice(0, index).join("/");
    const stat = lstatSync(join(directory, part), { throwIfNoEntry: false });
    if (stat?.isSymbolicLink()) return `'${oneLine(part)}' is a link`;
  }
  return undefined;
}
