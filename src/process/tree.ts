import { setTimeout as sleep } from "node:timers/promises";
import { monotonicMs } from "../core/clock.js";
import { listProcesses, type ProcessInfo, taggedProcesses } from "./list.js";

/** What tells the processes of one job from all others. */
export interface Tree {
  /** The number of the leader and of its group. Absent: only the tags count. */
  pid?: number;
  /** `NAME=value` entries of the environment; find those that left the group. */
  tags?: readonly string[];
}

/** How long a process has to end after SIGTERM before it is killed. */
const GRACE_MS = 2000;
const POLL_MS = 25;
/** How often SIGKILL is sent to what keeps starting processes. */
const KILL_ROUNDS = 20;

const watched = new Set<Tree>();

/** Notes a tree that must not outlive this process; returns what strikes it off. */
export function watchTree(tree: Tree): () => void {
  if (watched.size === 0) process.on("exit", killTrees);
  watched.add(tree);
  return () => {
    watched.delete(tree);
    if (watched.size === 0) process.off("exit", killTrees);
  };
}

/** Kills every tree that is still noted. Synchronous: the last thing that this process does. */
export function killTrees(): void {
  for (const tree of watched) createHunt(tree).send("SIGKILL");
}

/** Whether a group has a member that was not waited for. */
export function groupIsAlive(pid: number): boolean {
  return process.platform !== "win32" && send(-pid, 0);
}

/**
 * Ends a process group, the descendants that left it, and whatever carries all tags in its environment:
 * SIGTERM, and after a grace period SIGKILL. Resolves when they are gone, with how many there were.
 */
export async function endTree(tree: Tree): Promise<number> {
  if (process.platform === "win32") return endTreeOnWindows(tree);
  const hunt = createHunt(tree);
  const found = hunt.send("SIGTERM");
  if (found === 0) return 0;
  const deadline = monotonicMs() + GRACE_MS;
  while (hunt.goesOn() && monotonicMs() < deadline) await sleep(POLL_MS);
  // Those that ignored the first signal, and children that were started meanwhile.
  for (let round = 0; round < KILL_ROUNDS && hunt.send("SIGKILL") > 0; round++) await sleep(POLL_MS);
  return found;
}

/** Follows the processes of a tree while it is ended: a number may by then belong to a stranger. */
function createHunt({ pid, tags = [] }: Tree) {
  let members: ProcessInfo[] = [];
  // A group keeps its number from being used again only until its last member is gone.
  let group = pid;
  const lookAtGroup = () => {
    if (group !== undefined && !groupIsAlive(group)) group = undefined;
  };
  const look = () => {
    lookAtGroup();
    const tagged = new Set(taggedProcesses(tags));
    if (group === undefined && tagged.size === 0 && members.length === 0) return;
    const all = listProcesses();
    const known = new Set(members.map(identity));
    const isSeed = (info: ProcessInfo) => info.group === group || tagged.has(info.pid) || known.has(identity(info));
    members = withDescendants(all.filter(isSeed), all);
    // Where processes can't be listed the group is all that is known.
    if (all.length === 0 && group !== undefined) members = [{ pid: group, parent: 0, group, startedAt: "" }];
  };
  return {
    /** Signals all that are there now; returns how many that were. */
    send(signal: NodeJS.Signals): number {
      look();
      if (group !== undefined) send(-group, signal);
      for (const info of members) if (info.group !== group) send(info.pid, signal);
      return members.length;
    },
    /** Whether any of those that were signalled is still there. */
    goesOn(): boolean {
      lookAtGroup();
      if (!members.some((info) => send(info.pid, 0))) return false;
      const now = new Set(listProcesses().map(identity));
      return now.size === 0 || members.some((info) => now.has(identity(info)));
    },
  };
}

function identity({ pid, startedAt }: ProcessInfo): string {
  return `${pid} ${startedAt}`;
}

function withDescendants(seeds: readonly ProcessInfo[], all: readonly ProcessInfo[]): ProcessInfo[] {
  const found = new Map(seeds.map((info) => [info.pid, info]));
  for (let before = -1; before !== found.size; ) {
    before = found.size;
    for (const info of all) if (found.has(info.parent)) found.set(info.pid, info);
  }
  return [...found.values()];
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

async function endTreeOnWindows({ pid }: Tree): Promise<number> {
  if (pid === undefined) return 0;
  const { execa } = await import("execa");
  await execa("taskkill", ["/pid", String(pid), "/T", "/F"], { reject: false, stdin: "ignore" });
  return 1;
}
