import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import { describeSystemError } from "../../core/errors.js";
import { isDirectory } from "../../core/make-directory.js";
import { oneLine } from "../../core/text.js";
import { INTERRUPTED } from "../../report/schema.js";
import { type ItemContext, runTag } from "../../run/context.js";
import { type GitCall, hasGit, NO_GIT, runGit } from "./git.js";
import { hiddenIn } from "./template.js";
import { copyEntries, isWithin, listTree } from "./tree.js";

export interface RepositorySource {
  /** An absolute path, or a URL. */
  repo: string;
  ref: string;
}

interface Options {
  context: ItemContext;
  suiteFolder: string;
}

type Fetched = { directory: string } | { error: string };

/** What was fetched, for each run: its private directories are what all its items share. */
const fetched = new WeakMap<object, Map<string, Promise<Fetched>>>();

/**
 * Checks out a commit into an existing, empty directory: a repository with the history up to it, detached, without
 * a remote, hooks or submodules. The repository itself is only read, once in a run. Returns why it can't be done.
 */
export async function checkOut(
  source: RepositorySource,
  { to, ...options }: Options & { to: string },
): Promise<string | undefined> {
  const { context } = options;
  const why = refuseSource(source) ?? (hasGit(context) ? undefined : `a workspace from a repository: ${NO_GIT}`);
  if (why !== undefined) return why;
  const found = await fetchOnce(source, options);
  if ("error" in found) return found.error;
  try {
    const [from, own] = [join(found.directory, ".git"), join(to, ".git")];
    mkdirSync(own);
    await copyEntries(from, own, listTree(from, { skip: () => false }));
  } catch (error) {
    return `the repository can't be copied: ${describeSystemError(error)}`;
  }
  const reset = await runGit(["reset", "--hard", "--quiet", "HEAD"], { context, cwd: to, config: "ours" });
  return reset.ok ? undefined : `'${source.ref}' can't be checked out: ${reset.error}`;
}

/** The id of the commit that `checkOut` would check out; undefined where it would fail. */
export async function commitOf(source: RepositorySource, options: Options): Promise<string | undefined> {
  if (refuseSource(source) !== undefined || !hasGit(options.context)) return undefined;
  const found = await fetchOnce(source, options);
  return "error" in found ? undefined : readFileSync(join(found.directory, ".git", "HEAD"), "latin1").trim();
}

function fetchOnce(source: RepositorySource, options: Options): Promise<Fetched> {
  const { privateDirs } = options.context;
  const known = fetched.get(privateDirs) ?? new Map<string, Promise<Fetched>>();
  fetched.set(privateDirs, known);
  const key = JSON.stringify([source.repo, source.ref]);
  const ready = known.get(key) ?? fetchCommit(source, options);
  known.set(key, ready);
  return ready;
}

/** Why a source is not handed to git at all: an option in disguise, or a way to reach it that starts programs. */
export function refuseSource({ repo, ref }: RepositorySource): string | undefined {
  const scheme = /^([\w+.-]+):\/\/(?:[^@/]*@)?(.?)/.exec(repo);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is refused
  if (/[\u0000-\u001f\u007f]/.test(repo + ref)) return "repo and ref must not hold control characters";
  if (repo.startsWith("-")) return `repo must not begin with '-': ${repo}`;
  if (ref.startsWith("-") || ref === "") return `ref must not be empty or begin with '-': '${ref}'`;
  // `main:dir` and `a..b` name no commit, and `:` and `+` mean something to `git fetch`.
  if (/^\+|[:*]|\.\./.test(ref)) return `ref must name one commit: '${ref}'`;
  if (isAbsolute(repo)) return undefined;
  if (/^[\w+.-]*::/.test(repo)) return `repo must be a path or a URL (file, https, ssh, git): ${repo}`;
  if (scheme !== null) {
    if (scheme[2] === "-") return `the host in repo must not begin with '-': ${withoutPassword(repo)}`;
    return /^(file|https|ssh|git)$/.test(scheme[1] ?? "")
      ? undefined
      : `repo must be a path or a URL (file, https, ssh, git): ${withoutPassword(repo)}`;
  }
  // As in `git@example.org:team/project.git`.
  return /^([\w.-]+@)?[\w.][\w.-]*:(?!-)/.test(repo) ? undefined : `repo must be an absolute path or a URL: ${repo}`;
}

async function fetchCommit(source: RepositorySource, { context, suiteFolder }: Options): Promise<Fetched> {
  const { repo, ref } = source;
  // For all items of the run: no single one's tag.
  const call = { context: { ...context, tags: [runTag(context.runId)] }, config: "theirs" } as const;
  const local = isAbsolute(repo);
  const failed = (why: string): Fetched => ({ error: why === INTERRUPTED ? why : failure(source, why) });
  if (local && !isDirectory(repo)) return failed("there is no such directory");
  let wanted = ref;
  if (local) {
    const above = join(repo, "..");
    const env = { GIT_CEILING_DIRECTORIES: above };
    const found = await runGit(["rev-parse", "--verify", `${ref}^{commit}`], { ...call, cwd: repo, env });
    if (!found.ok) return failed(found.error);
    wanted = found.stdout.toString("latin1").trim();
  }
  const directory = mkdtempSync(join(context.scratch, "repository-"));
  const format = local && wanted.length === 64 ? "sha256" : "sha1";
  const made = await initialize(directory, { ...call, cwd: directory }, format);
  if (!made.ok) return failed(made.error);
  const got = await fetchInto(directory, { from: repo, wanted }, { ...call, cwd: directory });
  if (got !== undefined) return failed(got);
  const hidden = local && isWithin(suiteFolder, repo) ? hiddenIn(repo, { context, suiteFolder }) : [];
  if (hidden.length === 0) return { directory };
  return withoutSuite(directory, { hidden, ref, call: { ...call, config: "ours", cwd: directory }, format });
}

function initialize(directory: string, call: GitCall, format: string) {
  // Without templates: they could bring hooks.
  return runGit(["init", "--quiet", "--template=", `--object-format=${format}`, directory], {
    ...call,
    config: "ours",
  });
}

/** Fetches one commit with its history, and lets HEAD name it. Returns why it can't be done. */
async function fetchInto(
  directory: string,
  { from, wanted }: { from: string; wanted: string },
  call: GitCall,
): Promise<string | undefined> {
  const options = ["--quiet", "--no-tags", "--no-recurse-submodules", "--update-shallow"];
  const got = await runGit(["fetch", ...options, "--", from, wanted], call);
  if (!got.ok) return got.error;
  const detached = await runGit(["update-ref", "--no-deref", "HEAD", "FETCH_HEAD^{commit}"], call);
  if (!detached.ok) return detached.error;
  // Says where it came from.
  rmSync(join(directory, ".git", "FETCH_HEAD"), { force: true });
  return undefined;
}

/**
 * A repository that holds the suite itself: in its history one could read what is expected. What is left of the
 * commit becomes the only one of a new repository.
 */
async function withoutSuite(
  directory: string,
  { hidden, ref, call, format }: { hidden: readonly string[]; ref: string; call: GitCall; format: string },
): Promise<Fetched> {
  const clean = mkdtempSync(join(call.context.scratch, "repository-"));
  const person = { NAME: "eval-banana", EMAIL: "eval-banana@localhost", DATE: "2000-01-01T00:00:00Z" };
  const env = Object.fromEntries(
    Object.entries(person).flatMap(([key, value]) => [
      [`GIT_AUTHOR_${key}`, value],
      [`GIT_COMMITTER_${key}`, value],
    ]),
  );
  const paths = Buffer.from(hidden.map((path) => `${path}\0`).join(""), "latin1");
  const remove = [
    "rm",
    "-r",
    "--quiet",
    "--cached",
    "--ignore-unmatch",
    "--pathspec-from-file=-",
    "--pathspec-file-nul",
  ];
  const run = async (args: readonly string[], input?: Uint8Array) => {
    const done = await runGit(args, { ...call, env: { ...env, GIT_LITERAL_PATHSPECS: "1" }, ...(input && { input }) });
    if (!done.ok) throw new Error(done.error);
    return done.stdout.toString("latin1").trim();
  };
  try {
    await run(["read-tree", "HEAD"]);
    await run(remove, paths);
    const commit = await run(["commit-tree", "-m", `The state of ${ref}`, await run(["write-tree"])]);
    const made = await initialize(clean, { ...call, cwd: clean }, format);
    if (!made.ok) return { error: made.error };
    const got = await fetchInto(clean, { from: directory, wanted: commit }, { ...call, cwd: clean });
    return got === undefined ? { directory: clean } : { error: got };
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) };
  }
}

function failure({ repo, ref }: RepositorySource, why: string): string {
  const place = withoutPassword(repo);
  const short = oneLine(why.replaceAll(/^(fatal|error): /gm, "").replaceAll(repo, place), 300);
  const hint = isAbsolute(repo) ? "" : "; of a URL, ref must be a branch, a tag or a full commit id";
  return `'${oneLine(ref)}' of the repository ${oneLine(place)} can't be had: ${short}${hint}`;
}

function withoutPassword(url: string): string {
  return url.replace(/^([\w+.-]+:\/\/)[^@/]*@/, "$1***@");
}
