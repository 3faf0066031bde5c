import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { devNull } from "node:os";
import { join } from "node:path";
import { oneLine } from "../../core/text.js";
import { type Captured, captureProgram } from "../../process/capture.js";
import { lookUpProgram } from "../../process/look-up.js";
import { INTERRUPTED } from "../../report/schema.js";
import { type ItemContext, itemEnv } from "../../run/context.js";

export interface GitCall {
  context: ItemContext;
  /** Absolute. */
  cwd: string;
  /**
   * `ours`: a repository of ours, for which nothing that a person or a machine has configured counts.
   * `theirs`: what is configured counts as far as access goes (credentials, proxies, owners that are trusted).
   */
  config: "ours" | "theirs";
  env?: NodeJS.ProcessEnv;
  input?: string | Uint8Array;
  /** Where the output goes instead of into the result. */
  stdoutPath?: string;
}

export type GitResult = { ok: true; stdout: Buffer } | { ok: false; error: string };

export const NO_GIT = "git was not found: install it, or put it on the PATH";

const TIME_LIMIT_MS = 10 * 60_000;

/** Variables of git that say how to reach a repository; all others say which one, and how to show it. */
const ACCESS = /^GIT_(SSH|SSL_|ASKPASS$|PROXY_|HTTP_|CONFIG_|CURL_)/;

/** What no repository is to start, whatever its own configuration says. */
const SAFE = [
  `core.hooksPath=${devNull}`,
  "core.fsmonitor=false",
  "protocol.version=2",
  "gc.auto=0",
  "maintenance.auto=false",
  "submodule.recurse=false",
  "core.excludesFile=",
  "core.logAllRefUpdates=false",
].flatMap((setting) => ["-c", setting]);

export function hasGit(context: ItemContext): boolean {
  return gitPath(context) !== undefined;
}

function gitPath({ env, projectRoot }: ItemContext): string | undefined {
  return lookUpProgram("git", { env, cwd: projectRoot });
}

/** Runs git once. Its hooks never run, and it never asks anything. */
export async function runGit(args: readonly string[], call: GitCall): Promise<GitResult> {
  const { context, cwd, config, env, input, stdoutPath } = call;
  const command = gitPath(context);
  if (command === undefined) return { ok: false, error: NO_GIT };
  const result = await captureProgram({
    command,
    args: [...SAFE, ...args],
    cwd,
    env: { ...withoutGit(context.env, config), ...itemEnv(context), ...gitEnv(config), ...env },
    input,
    stdoutPath,
    scratch: context.scratch,
    timeoutMs: TIME_LIMIT_MS,
    signal: context.signal,
    tags: context.tags,
  });
  return result.exitCode === 0 ? { ok: true, stdout: result.stdout } : { ok: false, error: failureOf(result, context) };
}

/** Variables that name a repository, as `git rev-parse --local-env-vars` lists them; but configuration may stay. */
const NAMES_REPOSITORY = new Set(
  `ALTERNATE_OBJECT_DIRECTORIES CONFIG CONFIG_PARAMETERS OBJECT_DIRECTORY DIR WORK_TREE IMPLICIT_WORK_TREE GRAFT_FILE
  INDEX_FILE NO_REPLACE_OBJECTS REPLACE_REF_BASE PREFIX SHALLOW_FILE COMMON_DIR INTERNAL_SUPER_PREFIX NAMESPACE
  QUARANTINE_PATH`
    .split(/\s+/)
    .map((name) => `GIT_${name}`),
);

/** An environment that names no repository: eb may run in a hook of one, and what runs in a workspace must not see it. */
export function withoutRepository(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !NAMES_REPOSITORY.has(name)));
}

function withoutGit(env: NodeJS.ProcessEnv, config: GitCall["config"]): NodeJS.ProcessEnv {
  const isKept = (name: string) => config === "theirs" && ACCESS.test(name) && !NAMES_REPOSITORY.has(name);
  return Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith("GIT_") || isKept(name)));
}

function gitEnv(config: GitCall["config"]): NodeJS.ProcessEnv {
  return {
    LC_ALL: "C",
    LANGUAGE: "",
    GIT_TERMINAL_PROMPT: "0",
    GCM_INTERACTIVE: "never",
    GIT_OPTIONAL_LOCKS: "0",
    GIT_ALLOW_PROTOCOL: "file:https:ssh:git",
    ...(config === "ours" && {
      GIT_CONFIG_NOSYSTEM: "1",
      GIT_CONFIG_GLOBAL: devNull,
      GIT_ATTR_NOSYSTEM: "1",
    }),
  };
}

function failureOf(result: Captured, { redactor }: ItemContext): string {
  if (result.startError !== null) return `git could not be started: ${result.startError}`;
  if (result.aborted) return INTERRUPTED;
  if (result.timedOut) return `git did not end within ${TIME_LIMIT_MS / 1000} s`;
  const lines = redactor.text(result.stderr).trim().split("\n");
  const reasons = lines.filter((line) => /^(fatal|error): /.test(line));
  return (
    oneLine((reasons.length > 0 ? reasons : lines.slice(-3)).join("\n"), 500) ||
    `git ended with ${result.signal ?? `exit code ${result.exitCode}`}`
  );
}

/** Settings of a repository that holds bytes as they are, on every machine. */
const OUR_CONFIG = `[core]
	repositoryformatversion = 0
	bare = false
	autocrlf = false
	safecrlf = false
	quotePath = false
	attributesFile = ${devNull}
	compression = 0
	looseCompression = 0
	protectHFS = false
	protectNTFS = false
[diff]
	renameLimit = 2000
`;

/** Above all .gitattributes of a workspace: no change of line ends or encodings, no filter, and git finds out what is binary. */
const OUR_ATTRIBUTES = "* -text !eol -ident !filter !working-tree-encoding !diff\n";

/**
 * The repository in which the states of all workspaces of a run are kept, made where it is not there yet. Each
 * workspace has its own index, so that they do not meet; what they have in common is stored once.
 */
export function ensureStore(context: ItemContext): string {
  const directory = join(context.scratch, "workspaces.git");
  if (existsSync(join(directory, "HEAD"))) return directory;
  for (const folder of ["objects", "refs", "info"]) mkdirSync(join(directory, folder), { recursive: true });
  writeFileSync(join(directory, "config"), OUR_CONFIG);
  writeFileSync(join(directory, "info", "attributes"), OUR_ATTRIBUTES);
  writeFileSync(join(directory, "HEAD"), "ref: refs/heads/main\n");
  return directory;
}
