import { execFileSync } from "node:child_process";
import { closeSync, openSync, readdirSync, readSync } from "node:fs";

export interface ProcessInfo {
  pid: number;
  parent: number;
  group: number;
  /** Tells a process from a later one with the same number. */
  startedAt: string;
}

/** The processes of this machine that have not ended; none where the system does not tell. */
export function listProcesses(): ProcessInfo[] {
  return process.platform === "linux" ? listFromProc() : listFromPs();
}

function listFromProc(): ProcessInfo[] {
  return processNumbers().flatMap((pid) => {
    const stat = readProc(pid, "stat")?.toString("latin1");
    // The name in parentheses may itself hold blanks and parentheses.
    const [state, parent, group, ...rest] = stat?.slice(stat.lastIndexOf(")") + 2).split(" ") ?? [];
    if (state === undefined || state === "Z" || state === "X") return [];
    return [{ pid, parent: Number(parent), group: Number(group), startedAt: rest[16] ?? "" }];
  });
}

function listFromPs(): ProcessInfo[] {
  const table = psTable();
  return table.split("\n").flatMap((line) => {
    const [pid, parent, group, state, ...startedAt] = line.trim().split(/\s+/);
    if (!pid || state?.startsWith("Z")) return [];
    return [{ pid: Number(pid), parent: Number(parent), group: Number(group), startedAt: startedAt.join(" ") }];
  });
}

function psTable(): string {
  try {
    return execFileSync("ps", ["-A", "-o", "pid=,ppid=,pgid=,state=,lstart="], {
      encoding: "utf8",
      maxBuffer: 64 << 20,
      stdio: ["ignore", "pipe", "ignore"],
    });
  } catch {
    return "";
  }
}

const NUL = Buffer.from("\0");

/**
 * The processes whose environment held all `tags` (`NAME=value`) when they were started, which was after this one was.
 * Linux only: elsewhere none.
 */
export function taggedProcesses(tags: readonly string[]): number[] {
  if (tags.length === 0 || process.platform !== "linux") return [];
  const wanted = tags.map((tag) => Buffer.from(`\0${tag}\0`));
  return laterNumbers().filter((pid) => {
    const environment = readProc(pid, "environ");
    if (environment === undefined || environment.length === 0) return false;
    const framed = Buffer.concat([NUL, environment, NUL]);
    return wanted.every((tag) => framed.includes(tag));
  });
}

function processNumbers(): number[] {
  try {
    return readdirSync("/proc").map(Number).filter(Number.isInteger);
  } catch {
    return [];
  }
}

/** So soon after the start of this process numbers can't have begun anew and come so far again: there are 32,768. */
const SOON_SECONDS = 0.25;

/** The numbers that processes can have that were started after this one: as long as they only grow, those above its own. */
function laterNumbers(): number[] {
  const all = processNumbers();
  if (process.uptime() > SOON_SECONDS) return all;
  const last = Number(readFile("/proc/loadavg")?.toString("latin1").trim().split(" ").at(-1));
  return last >= process.pid ? all.filter((pid) => pid > process.pid) : all;
}

let buffer = Buffer.allocUnsafe(1 << 17);

function readProc(pid: number, file: string): Buffer | undefined {
  return readFile(`/proc/${pid}/${file}`);
}

/**
 * The content of a file in /proc, until the next call. Such a file has no size: `readFileSync` would make room for each
 * anew, which takes longer than reading it.
 */
function readFile(path: string): Buffer | undefined {
  let fd: number | undefined;
  try {
    fd = openSync(path, "r");
    let length = 0;
    for (let read = 1; read > 0; length += read) {
      if (length === buffer.length) buffer = Buffer.concat([buffer, Buffer.allocUnsafe(length)]);
      read = readSync(fd, buffer, length, buffer.length - length, null);
    }
    return buffer.subarray(0, length);
  } catch {
    return undefined;
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}
