import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, constants, openSync, statSync } from "node:fs";
import { describeSystemError } from "../core/errors.js";

/** One program to run to its end. */
export interface Job {
  command: string;
  args: readonly string[];
  /** Absolute. */
  cwd: string;
  /** The complete environment. */
  env: NodeJS.ProcessEnv;
  /** The child's standard input; none: it is closed. */
  stdinPath?: string;
  /** Where the output goes, byte for byte; the files are made anew. */
  stdoutPath: string;
  stderrPath: string;
  /** Time limit in milliseconds; undefined = none. */
  timeoutMs?: number | undefined;
  /** When it aborts, the tree is ended. */
  signal?: AbortSignal | undefined;
  /** `NAME=value` entries of the environment that only this job's processes carry; finds those that left the group. */
  tags?: readonly string[] | undefined;
  /** Ends what left the group, too, as soon as the program has ended; else it may stay. */
  leaveNothing?: boolean;
  /** Starts the program; default: as a child of this process. */
  start?: Start;
}

/** How a program ended; `lost`: whoever started it does not tell any more. */
export type Exit = { code: number | null; signal: NodeJS.Signals | null } | "lost";

/** A program that was started, in a process group of its own. */
export interface Started {
  pid: number;
  exited: Promise<Exit>;
  /** Told when the tree was ended: the exit is `lost` when it does not come soon. */
  treeEnded?: () => void;
}

/** Starts a job's program. A string says why it can't be started. */
export type Start = (job: Job) => Promise<Started | string | "lost">;

/** Appended to: a program that opens `/dev/stdout` by itself empties the file, and no hole must be left in it. */
export const NEW_FILE = constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC | constants.O_APPEND;

/**
 * Starts a program as a child of this process.
 * @throws the file system's error when the output files can't be made
 */
export async function startChild(job: Job): Promise<Started | string> {
  const child = openAndSpawn(job);
  if (typeof child === "string") return child;
  const { pid } = child;
  if (pid === undefined) return startErrorOf(child, job);
  const exited = new Promise<Exit>((resolve) => {
    child.once("exit", (code, signal) => resolve({ code, signal }));
  });
  return { pid, exited };
}

function openAndSpawn(job: Job): ChildProcess | string {
  const fds: number[] = [];
  const open = (path: string, flags: number) => {
    const fd = openSync(path, flags);
    fds.push(fd);
    return fd;
  };
  try {
    const stdin = job.stdinPath === undefined ? "ignore" : open(job.stdinPath, constants.O_RDONLY);
    const stdio = [stdin, open(job.stdoutPath, NEW_FILE), open(job.stderrPath, NEW_FILE)];
    return spawnGroup(job, stdio as ["ignore" | number, number, number]);
  } finally {
    for (const fd of fds) closeSync(fd);
  }
}

function spawnGroup(job: Job, stdio: ["ignore" | number, number, number]): ChildProcess | string {
  try {
    return spawn(job.command, job.args, { cwd: job.cwd, env: job.env, stdio, detached: true, windowsHide: true });
  } catch (error) {
    // Thrown, not emitted: an argument that is too long or holds a NUL.
    return describeSystemError(error);
  }
}

async function startErrorOf(child: ChildProcess, job: Job): Promise<string> {
  const error = await new Promise<Error>((resolve) => child.once("error", resolve));
  if (!statSync(job.cwd, { throwIfNoEntry: false })?.isDirectory()) return `the working directory is gone: ${job.cwd}`;
  return describeSystemError(error);
}
