/** A file that is not what it was when the target began. Paths are relative to the workspace, with `/`. */
export interface FileChange {
  path: string;
  /** What a renamed file was called before. */
  from?: string;
  status: "added" | "modified" | "deleted" | "renamed";
  /** Lines; null for a binary file. Both are 0 where only the mode changed. */
  added: number | null;
  removed: number | null;
}

/** What a target did to its workspace. */
export interface Changes {
  files: readonly FileChange[];
  /** The patch, relative to the run directory; null where nothing changed. */
  patch: string | null;
  /** There was a secret in the patch: it is masked, and no longer what the target did. */
  isMasked?: boolean;
  /** Files that are too large for the patch: it does not hold them. */
  leftOut: readonly string[];
}

/**
 * Directories that are never recorded, wherever they are: repositories' own, and what is made again from other files
 * and would be most of every patch.
 */
export const UNRECORDED: ReadonlySet<string> = new Set([
  ".git",
  "node_modules",
  ".venv",
  "__pycache__",
  ".pytest_cache",
  ".mypy_cache",
  ".ruff_cache",
  ".tox",
]);

/** Whether a change of the file at this path (relative to the workspace) would be recorded. */
export function isRecorded(path: string): boolean {
  return !path.split("/").some((part) => UNRECORDED.has(part));
}

const STATUS: Record<string, FileChange["status"]> = { A: "added", D: "deleted", R: "renamed" };

/**
 * The changes that `git diff --raw --numstat -z` tells: all of its raw records, and then as many of its numbers in
 * the same order.
 */
export function parseChanges(output: Buffer): FileChange[] {
  const fields = output.toString("utf8").split("\0");
  const changes: FileChange[] = [];
  let at = 0;
  // `:100644 100755 <hash> <hash> R087`, and a path, or two for a rename.
  for (; fields[at]?.startsWith(":"); at++) {
    const letter = /([A-Z])\d*$/.exec(fields[at] ?? "")?.[1] ?? "";
    const status = STATUS[letter] ?? "modified";
    const first = fields[++at] ?? "";
    const names = status === "renamed" ? { path: fields[++at] ?? "", from: first } : { path: first };
    changes.push({ ...names, status, added: 0, removed: 0 });
  }
  // `3\t1\t<path>`, or `3\t1\t` and two paths in fields of their own; `-` for binary files.
  for (const change of changes) {
    const [added = "", removed = ""] = (fields[at++] ?? "").split("\t", 2);
    change.added = toCount(added);
    change.removed = toCount(removed);
    if (change.status === "renamed") at += 2;
  }
  return changes;
}

function toCount(text: string): number | null {
  return /^\d+$/.test(text) ? Number(text) : null;
}
