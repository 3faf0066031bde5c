import { type Dirent, readdirSync, realpathSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { describeSystemError, type Problem, UserError } from "../core/errors.js";
import { RUN_ID } from "../core/ids.js";
import { isDirectory } from "../core/make-directory.js";

export const CHECKS_DIR = "eval_checks";

export interface DiscoverOptions {
  root: string;
  /** Scan only this directory; relative to the root. */
  checkDir?: string | undefined;
  /** Names of directories that are not entered. */
  excludeDirs: readonly string[];
  /** Told, as they are looked through, how many entries the directories with checks have so far. */
  onEntries?: (entries: number) => void;
}

export interface Discovered {
  /** Resolved paths of the YAML files, each once, in order. */
  files: string[];
  /** Check files and directories that can't be read. */
  problems: Problem[];
  /** Directories outside of `eval_checks/` that can't be read. */
  warnings: string[];
}

/** Finds the YAML files of all `eval_checks/` directories below the root. */
export function discoverChecks({ root, checkDir, excludeDirs, onEntries }: DiscoverOptions): Discovered {
  const problems: Problem[] = [];
  const warnings: string[] = [];
  const excluded = new Set(excludeDirs);
  const directories =
    checkDir === undefined ? findCheckDirs(root, excluded, warnings) : [onlyDirectory(root, checkDir)];
  const files = new Set<string>();
  let entries = 0;
  const enter = (count: number) => {
    entries += count;
    onEntries?.(entries);
  };
  for (const directory of directories) {
    const unreadable = (path: string, why: string) => problems.push({ file: path, message: `cannot be read: ${why}` });
    for (const { file, regular } of yamlFiles(directory, excluded, { unreadable, enter })) {
      // What is no link, found without following any, needs no look at where it leads.
      if (regular) {
        files.add(file);
        continue;
      }
      try {
        const real = realpathSync.native(file);
        const stat = statSync(real);
        if (stat.isFile()) files.add(real);
        else if (!stat.isDirectory()) unreadable(file, "it is not a regular file");
      } catch (error) {
        unreadable(file, describeSystemError(error));
      }
    }
  }
  return { files: [...files].sort(), problems, warnings };
}

function onlyDirectory(root: string, checkDir: string): string {
  const directory = resolve(root, checkDir);
  if (isDirectory(directory)) return realpathSync.native(directory);
  throw new UserError(`--check-dir is not a directory: ${directory}`, { code: "usage" });
}

/** The outermost `eval_checks/` directories below `root`. Links are not followed. */
function findCheckDirs(root: string, excluded: ReadonlySet<string>, warnings: string[]): string[] {
  const found: string[] = [];
  const pending = [root];
  const unreadable: OnUnreadable = (_, why) =>
    warnings.push(`no checks were looked for in a directory that cannot be read: ${why}`);
  for (let directory = pending.pop(); directory !== undefined; directory = pending.pop()) {
    for (const entry of entriesOf(directory, unreadable)) {
      if (!entry.isDirectory() || excluded.has(entry.name) || RUN_ID.test(entry.name)) continue;
      (entry.name === CHECKS_DIR ? found : pending).push(join(directory, entry.name));
    }
  }
  return found;
}

type OnUnreadable = (path: string, why: string) => void;

function entriesOf(directory: string, onUnreadable: OnUnreadable): Dirent[] {
  try {
    return readdirSync(directory, { withFileTypes: true });
  } catch (error) {
    onUnreadable(directory, describeSystemError(error));
    return [];
  }
}

interface Found {
  file: string;
  /** It is a file itself, and no link. */
  regular: boolean;
}

/** All YAML files below `directory`. Links to directories are not followed. */
function yamlFiles(
  directory: string,
  excluded: ReadonlySet<string>,
  { unreadable, enter }: { unreadable: OnUnreadable; enter: (count: number) => void },
): Found[] {
  const found: Found[] = [];
  const pending = [directory];
  for (let parent = pending.pop(); parent !== undefined; parent = pending.pop()) {
    const entries = entriesOf(parent, unreadable);
    enter(entries.length);
    for (const entry of entries) {
      const path = join(parent, entry.name);
      if (!entry.isDirectory()) {
        if (/\.ya?ml$/.test(entry.name)) found.push({ file: path, regular: entry.isFile() });
      } else if (!excluded.has(entry.name)) pending.push(path);
    }
  }
  return found;
}
