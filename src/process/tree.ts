import { setTimeout as sleep } from "node:timers/promises";
import { listProcesses, type ProcessInfo, taggedProcesses } from "./list.js";

/** How long a process has to end after SIGTERM before it is killed. */
const GRACE_MS = 2000;
const POLL_MS = 25;

const groups = new Set<number>();

/** Notes a group that must not outlive this process; returns what strikes it off. */
export function watchGroup(pid: number): () => void {
  if (groups.size === 0) process.on("exit", killGroups);
  groups.add(pid);
  return () => {
    groups.delete(pid);
    if (groups.size === 0) process.off("exit", killGroups);
  };
}

/** Kills every group that is still noted. Synchronous: the last thing that this process does. */
export function killGroups(): void {
  for (const pid of groups) send(-pid, "SIGKILL");
}

/** Whether a group has a member that is not its ended leader. */
export function groupIsAlive(pid: number): boolean {
  return process.platform !== "win32" && send(-pid, 0);
}

/**
 * Ends a process group, the descendants that left it, and whatever carries all `tags` in its environment:
 * SIGTERM, and after a grace period SIGKILL. Resolves when they are gone.
 */
export async function endTree(pid: number, tags: readonly string[] = []): Promise<void> {
  if (process.platform === "win32") return endTreeOnWindows(pid);
  const members = () => membersOf(pid, tags);
  let known = members();
  signalAll(pid, known, "SIGTERM");
  const deadline = performance.now() + GRACE_MS;
  while (known.size > 0 && performance.now() < deadline) {
    await sleep(POLL_MS);
    known = stillThere(known);
  }
  // Children that were started meanwhile, and those that ignored the first signal.
  for (let round = 0; round < 20; round++) {
    const left = new Map([...members(), ...known]);
    if (left.size === 0) return;
    signalAll(pid, left, "SIGKILL");
    await sleep(POLL_MS);
    known = stillThere(known);
  }
}

/** Ends what carries the tags; returns how many processes that were. */
export async function endTagged(tags: readonly string[]): Promise<number> {
  const left = taggedProcesses(tags);
  if (left.length === 0) return 0;
  for (const { pid } of left) send(pid, "SIGTERM");
  const deadline = performance.now() + GRACE_MS;
  while (taggedProcesses(tags).length > 0 && performance.now() < deadline) await sleep(POLL_MS);
  for (const { pid } of taggedProcesses(tags)) send(pid, "SIGKILL");
  return left.length;
}

function membersOf(pid: number, tags: readonly string[]): Map<number, ProcessInfo> {
  const all = listProcesses();
  const members = new Map<number, ProcessInfo>();
  for (const info of all) if (info.group === pid || info.pid === pid) members.set(info.pid, info);
  for (let before = -1; before !== members.size; ) {
    before = members.size;
    for (const info of all) if (members.has(info.parent)) members.set(info.pid, info);
  }
  for (const info of tags.length > 0 ? taggedProcesses(tags, all) : []) members.set(info.pid, info);
  return members;
}

function stillThere(known: Map<number, ProcessInfo>): Map<number, ProcessInfo> {
  if (![...known.keys()].some((pid) => send(pid, 0))) return new Map();
  const now = new Map(listProcesses().map((info) => [info.pid, info]));
  return new Map([...known].filter(([pid, info]) => now.get(pid)?.startedAt === info.startedAt));
}

function signalAll(pid: number, members: Map<number, ProcessInfo>, signal: NodeJS.Signals): void {
  send(-pid, signal);
  for (const info of members.values()) if (info.group !== pid) send(info.pid, signal);
}

/** Sends a signal; false when there is no such process or group. */
function send(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(pid, signal);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

async function endTreeOnWindows(pid: number): Promise<void> {
  const { execa } = await import("execa");
  await execa("taskkill", ["/pid", String(pid), "/T", "/F"], { reject: false, stdin: "ignore" });
}
