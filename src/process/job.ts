import { setImmediate } from "node:timers/promises";
import { LONGEST_TIMEOUT_MS } from "../core/time-limit.js";
import { type Job, startChild } from "./start.js";
import { endTree, groupIsAlive, watchTree } from "./tree.js";

export interface JobResult {
  /** Null when it was ended by a signal or never started. */
  exitCode: number | null;
  signal: NodeJS.Signals | null;
  timedOut: boolean;
  aborted: boolean;
  /** Why it could not be started. */
  startError: string | null;
  /** How many processes the program left running when it ended by itself; they were ended. */
  leftovers: number;
  /** Whoever started it was lost, and with it how it ended; its tree was ended. */
  lost: boolean;
}

/**
 * Runs a job in a process group of its own. Resolves when the program has ended and nothing of its group is left;
 * on timeout and abort the whole tree is ended first. A program that can't be started is a result, not an error.
 * @throws the file system's error when the output files can't be made
 */
export async function runJob(job: Job): Promise<JobResult> {
  const result = newResult();
  // A turn of the event loop. Where a child is started from the end of another one, libuv stays in one turn for as
  // long as children end fast enough: no timer fires, and no handle of an ended child is let go of.
  await setImmediate();
  const started = await (job.start ?? startChild)(job);
  if (started === "lost") return { ...result, lost: true };
  if (typeof started === "string") return { ...result, startError: started };
  const { pid } = started;

  const tree = { pid, tags: job.tags ?? [] };
  const release = watchTree(tree);
  let ending: Promise<unknown> | undefined;
  const end = (why: "timedOut" | "aborted") => {
    if (ending) return;
    result[why] = true;
    ending = endTree(tree).then(started.treeEnded);
  };
  const onAbort = () => end("aborted");
  const timer =
    job.timeoutMs === undefined ? undefined : setTimeout(end, Math.min(job.timeoutMs, LONGEST_TIMEOUT_MS), "timedOut");
  if (job.signal?.aborted) onAbort();
  job.signal?.addEventListener("abort", onAbort, { once: true });

  const exit = await started.exited;
  if (exit === "lost") result.lost = true;
  else [result.exitCode, result.signal] = [exit.code, exit.signal];
  clearTimeout(timer);
  if (ending) await ending;
  else if (job.leaveNothing || result.lost) result.leftovers = await endTree(tree);
  else if (groupIsAlive(pid)) result.leftovers = await endTree({ pid });
  job.signal?.removeEventListener("abort", onAbort);
  release();
  return result;
}

function newResult(): JobResult {
  return { exitCode: null, signal: null, timedOut: false, aborted: false, startError: null, leftovers: 0, lost: false };
}
