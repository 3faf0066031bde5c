import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";

export interface ProcessInfo {
  pid: number;
  parent: number;
  group: number;
  /** Tells a process from a later one with the same number; in clock ticks after boot. Undefined where unknown. */
  startedAt?: string | undefined;
}

/** The processes of this machine that have not ended. */
export function listProcesses(): ProcessInfo[] {
  return process.platform === "linux" ? listFromProc() : listFromPs();
}

function listFromProc(): ProcessInfo[] {
  return processNumbers().flatMap((pid) => {
    const stat = readProc(pid, "stat")?.toString("latin1");
    // The name in parentheses may itself hold blanks and parentheses.
    const [state, parent, group, ...rest] = stat?.slice(stat.lastIndexOf(")") + 2).split(" ") ?? [];
    if (state === undefined || state === "Z" || state === "X") return [];
    return [{ pid, parent: Number(parent), group: Number(group), startedAt: rest[16] }];
  });
}

function listFromPs(): ProcessInfo[] {
  const table = execFileSync("ps", ["-A", "-o", "pid=,ppid=,pgid=,state="], { encoding: "utf8", maxBuffer: 64 << 20 });
  return table.split("\n").flatMap((line) => {
    const [pid, parent, group, state] = line.trim().split(/\s+/);
    if (!pid || state?.startsWith("Z")) return [];
    return [{ pid: Number(pid), parent: Number(parent), group: Number(group) }];
  });
}

/** Processes whose environment held all `tags` (`NAME=value`) when they were started. Linux only: empty elsewhere. */
export function taggedProcesses(tags: readonly string[], among?: readonly ProcessInfo[]): ProcessInfo[] {
  if (process.platform !== "linux") return [];
  const wanted = tags.map((tag) => Buffer.from(`\0${tag}\0`));
  const carries = (pid: number) => {
    const environment = readProc(pid, "environ");
    if (environment === undefined || environment.length === 0) return false;
    const framed = Buffer.concat([Buffer.from("\0"), environment]);
    return wanted.every((tag) => framed.includes(tag));
  };
  if (among) return among.filter(({ pid }) => carries(pid));
  const pids = new Set(processNumbers().filter(carries));
  return pids.size === 0 ? [] : listFromProc().filter(({ pid }) => pids.has(pid));
}

function processNumbers(): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number);
}

function readProc(pid: number, file: string): Buffer | undefined {
  try {
    return readFileSync(`/proc/${pid}/${file}`);
  } catch {
    return undefined;
  }
}
