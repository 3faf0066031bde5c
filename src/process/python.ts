import { accessSync, closeSync, constants, openSync, readSync, statSync } from "node:fs";
import { delimiter, isAbsolute, resolve } from "node:path";

export interface Python {
  command: string;
  /** Arguments before the script, e.g. `-3` for `py`. */
  args: string[];
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

/**
 * The interpreter for deterministic checks: `configured`, or the first of the usual names that works.
 * A shim (pyenv, asdf) is looked through once, since it costs several times the start of Python itself.
 * @returns the interpreter, or a message that says what was tried and how to set it
 */
export async function findPython(configured: string | undefined, cwd: string): Promise<Python | string> {
  const set =
    "set [deterministic] python in .eval-banana/config.toml, or EVAL_BANANA_PYTHON, to a Python 3 interpreter";
  if (configured !== undefined) {
    const command = /[\\/]/.test(configured) ? resolve(cwd, configured) : configured;
    const found = await tryPython({ command, args: [] }, cwd, "configured");
    return typeof found === "string" ? `the configured Python ${found}; ${set}` : found;
  }
  const candidates = process.platform === "win32" ? WINDOWS_CANDIDATES : CANDIDATES;
  const failures: string[] = [];
  for (const candidate of candidates) {
    const found = await tryPython(candidate, cwd, "searched");
    if (typeof found !== "string") return found;
    failures.push(found);
  }
  return `no Python was found (${failures.join("; ")}); ${set}`;
}

async function tryPython(candidate: Python, cwd: string, origin: "configured" | "searched"): Promise<Python | string> {
  const path = lookUp(candidate.command);
  if (path === undefined) return `'${candidate.command}' is not there or not executable`;
  // A real program needs no question, except for the name `python`, which may be Python 2.
  if (process.platform === "linux" && !path.endsWith("/python") && isElf(path)) return { command: path, args: [] };
  const { execa } = await import("execa");
  const probe = await execa(path, [...candidate.args, "-c", PROBE], {
    cwd,
    reject: false,
    stdin: "ignore",
    timeout: 30_000,
  });
  if (probe.exitCode !== 0) {
    const why = probe.stderr.trim().split("\n").at(-1) || probe.shortMessage || "it does not start";
    return `'${candidate.command}' does not work: ${why}`;
  }
  const executable = probe.stdout.trim().split("\n").at(-1) ?? "";
  if (isAbsolute(executable) && isExecutable(executable)) return { command: executable, args: [] };
  return origin === "configured" ? { command: path, args: [] } : `'${candidate.command}' is not Python 3`;
}

function lookUp(command: string): string | undefined {
  if (/[\\/]/.test(command)) return isExecutable(command) ? command : undefined;
  const endings = process.platform === "win32" ? [".exe", ".bat", ".cmd", ""] : [""];
  const places = (process.env["PATH"] ?? "").split(delimiter).filter(Boolean);
  return places.flatMap((place) => endings.map((ending) => resolve(place, command + ending))).find(isExecutable);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
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
