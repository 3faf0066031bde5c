import { existsSync, readFileSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import ignore, { type Ignore } from "ignore";
import type { ItemContext } from "../../run/context.js";
import { ensureStore, type GitCall, hasGit, runGit } from "./git.js";
import { bytesOf, type Entry, pathOf } from "./tree.js";

/** Tells what the .gitignore files in and above a directory leave out. */
export type IsIgnored = (entry: Entry) => boolean;

/**
 * What is ignored in `root`: as git says, so that a file that is tracked is not, whatever the patterns say; without
 * git by the patterns alone. In a directory that is itself ignored only its own .gitignore files count.
 */
export async function findIgnored(root: string, context: ItemContext): Promise<IsIgnored> {
  const repository = repositoryOf(root);
  if (!hasGit(context)) return byPatterns(root, repository);
  const inRepository = repository && (await listIgnored({ context, cwd: root, config: "theirs" }));
  if (inRepository && inRepository !== "all") return inRepository;
  // Git may not look at it, e.g. since it belongs to someone else, or stumble where all is ignored.
  if (repository !== undefined && inRepository === undefined) return byPatterns(root, repository);
  const env = {
    GIT_DIR: ensureStore(context),
    GIT_WORK_TREE: root,
    GIT_INDEX_FILE: join(context.scratch, "no-index"),
  };
  const apart = await listIgnored({ context, cwd: root, config: "ours", env });
  return typeof apart === "function" ? apart : byPatterns(root, undefined);
}

const LIST = ["ls-files", "-z", "--others", "--ignored", "--directory", "--exclude-standard"];

/** `all`: the directory itself is ignored. Undefined: git can't tell. */
async function listIgnored(call: GitCall): Promise<IsIgnored | "all" | undefined> {
  const listed = await runGit(LIST, call);
  if (!listed.ok) return undefined;
  const paths = listed.stdout.toString("latin1").split("\0").filter(Boolean);
  if (paths.length === 1 && paths[0] === "./") return "all";
  // A directory of which all is ignored is listed, too, and what is in it as well: it stays, and is empty.
  const opened = new Set(paths.map((path) => dirname(path)));
  const ignored = new Set(paths.map((path) => path.replace(/\/$/, "")).filter((path) => !opened.has(path)));
  return ({ path }) => ignored.has(path);
}

/** The directory that holds the `.git` of the repository that `root` is in. */
export function repositoryOf(root: string): string | undefined {
  for (let directory = root; ; directory = dirname(directory)) {
    if (existsSync(join(directory, ".git"))) return directory;
    if (dirname(directory) === directory) return undefined;
  }
}

/** The patterns of one .gitignore, and the directory that they speak of. */
interface Rules {
  /** Relative to `root`, with a `/` at its end; empty for `root` itself. What `above` says leads from there to `root`. */
  folder: string;
  above: string;
  patterns: Ignore;
}

function byPatterns(root: string, repository: string | undefined): IsIgnored {
  const outer = repository === undefined ? [] : outerRules(root, repository);
  const own = new Map<string, Rules | undefined>();
  const isSelfIgnored = judge(outer, "", true) === true;
  const rulesOf = (folder: string) => {
    if (!own.has(folder)) own.set(folder, readRules(bytesOf(root, `${folder}.gitignore`), { folder, above: "" }));
    return own.get(folder);
  };
  return ({ path, kind }) => {
    const parts = path.split("/").slice(0, -1);
    const folders = ["", ...parts.map((_, index) => `${parts.slice(0, index + 1).join("/")}/`)];
    const rules = [...(isSelfIgnored ? [] : outer), ...folders.map(rulesOf)].filter((found) => found !== undefined);
    return judge(rules, path, kind === "directory") === true;
  };
}

/** The rules of the directories from the repository's to the one above `root`. */
function outerRules(root: string, repository: string): Rules[] {
  const parts = relative(repository, root).split(sep).filter(Boolean).map(pathOf);
  return parts.flatMap((_, index) => {
    const folder = parts.slice(0, index).map((part) => `${part}/`);
    const above = `${parts.slice(index).join("/")}/`;
    return readRules(bytesOf(repository, `${folder.join("")}.gitignore`), { folder: "", above }) ?? [];
  });
}

function readRules(file: Buffer, place: Omit<Rules, "patterns">): Rules | undefined {
  if (!existsSync(file)) return undefined;
  try {
    return {
      ...place,
      patterns: ignore({ allowRelativePaths: true, ignorecase: false }).add(readFileSync(file, "latin1")),
    };
  } catch {
    // A directory of that name, or one that can't be read: git goes on, too.
    return undefined;
  }
}

/** The last rule that matches decides, the nearest file last. Undefined: none matches. */
function judge(rules: readonly Rules[], path: string, isDirectory: boolean): boolean | undefined {
  let verdict: boolean | undefined;
  for (const { folder, above, patterns } of rules) {
    const inner = above + path.slice(folder.length);
    const asked = isDirectory && !inner.endsWith("/") ? `${inner}/` : inner;
    const { ignored, unignored } = patterns.test(asked);
    if (ignored || unignored) verdict = ignored;
  }
  return verdict;
}
