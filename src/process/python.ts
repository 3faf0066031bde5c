import { closeSync, openSync, readSync } from "node:fs";
import { isAbsolute, join, resolve } from "node:path";
import { runJob } from "./job.js";
import { isExecutable, lookUpProgram } from "./look-up.js";
import { readTail } from "./tail.js";

export interface Python {
  command: string;
  /** Arguments before the script, e.g. `-3` for `py`. */
  args: string[];
}

export interface PythonSearch {
  /** A name or a path; undefined: the usual names are tried. */
  configured: string | undefined;
  /** Relative paths are relative to it. */
  cwd: string;
  env: NodeJS.ProcessEnv;
  /** An empty directory for the answers of what is asked. */
  scratch: string;
  signal: AbortSignal;
}

const WINDOWS_CANDIDATES: Python[] = [
  { command: "py", args: ["-3"] },
  { command: "python3", args: [] },
  { command: "python", args: [] },
];
const CANDIDATES: Python[] = [
  { command: "python3", args: [] },
  { command: "python", args: [] },
];
const PROBE = "import sys; print(sys.executable if sys.version_info >= (3,) else '')";
const PROBE_SECONDS = 30;

/**
 * The interpreter for deterministic checks: the configured one, or the first of the usual names that works.
 * A shim (pyenv, asdf) is looked through once, since it costs several times the start of Python itself;
 * a configured path is used as it is, since what it leads to may set up more than an interpreter.
 * @returns the interpreter, or a message that says what was tried and how to set it
 */
export async function findPython(search: PythonSearch): Promise<Python | string> {
  const { configured, cwd } = search;
  const set =
    "set [deterministic] python in .eval-banana/config.toml, or EVAL_BANANA_PYTHON, to a Python 3 interpreter";
  if (configured !== undefined) {
    const isPath = /[\\/]/.test(configured);
    const command = isPath ? resolve(cwd, configured) : configured;
    const found = await tryPython({ command, args: [] }, search, { lookThrough: !isPath });
    return typeof found === "string" ? `the configured Python ${found}; ${set}` : found;
  }
  const candidates = process.platform === "win32" ? WINDOWS_CANDIDATES : CANDIDATES;
  const failures: string[] = [];
  for (const candidate of candidates) {
    const found = await tryPython(candidate, search, { lookThrough: true });
    if (typeof found !== "string") return found;
    failures.push(found);
  }
  return `no Python was found (${failures.join("; ")}); ${set}`;
}

async function tryPython(
  candidate: Python,
  search: PythonSearch,
  { lookThrough }: { lookThrough: boolean },
): Promise<Python | string> {
  const path = lookUpProgram(candidate.command, search);
  if (path === undefined) return `'${candidate.command}' is not there or not executable`;
  const found = { command: path, args: candidate.args };
  // A real program needs no question, except for the name `python`, which may be Python 2.
  if (process.platform === "linux" && !path.endsWith("/python") && isElf(path)) return found;
  const { executable, failure } = await probe(found, search);
  if (failure !== undefined) return `'${candidate.command}' does not work: ${failure}`;
  if (executable === "") return `'${candidate.command}' is not Python 3`;
  return lookThrough && isAbsolute(executable) && isExecutable(executable) ? { command: executable, args: [] } : found;
}

/** Asks an interpreter for the path of its program; an empty one: it is not Python 3. */
async function probe({ command, args }: Python, { cwd, env, scratch, signal }: PythonSearch) {
  const stdoutPath = join(scratch, "python.stdout.txt");
  const stderrPath = join(scratch, "python.stderr.txt");
  const job = await runJob({
    command,
    args: [...args, "-c", PROBE],
    cwd,
    env: { ...env, PYTHONUTF8: "1" },
    stdoutPath,
    stderrPath,
    timeoutMs: PROBE_SECONDS * 1000,
    signal,
  });
  const lastLine = (path: string) => readTail(path, 4000).text.trim().split("\n").at(-1) ?? "";
  if (job.exitCode === 0) return { executable: lastLine(stdoutPath) };
  if (job.startError !== null) return { executable: "", failure: job.startError };
  if (job.timedOut) return { executable: "", failure: `it did not answer within ${PROBE_SECONDS} s` };
  return {
    executable: "",
    failure: lastLine(stderrPath) || `it ended with ${job.signal ?? `exit code ${job.exitCode}`}`,
  };
}

function isElf(path: string): boolean {
  const magic = Buffer.alloc(4);
  try {
    const fd = openSync(path, "r");
    try {
      readSync(fd, magic, 0, 4, 0);
    } finally {
      closeSync(fd);
    }
  } catch {
    return false;
  }
  return magic.toString("latin1") === "\u007fELF";
}
