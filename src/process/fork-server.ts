import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, openSync, statSync, writeFileSync } from "node:fs";
import type { Socket } from "node:net";
import { join } from "node:path";
import endSource from "./early-end.py";
import serverSource from "./fork-server.py";
import { commonLength, eachLine, entriesOf, exitOf, requestOf } from "./fork-wire.js";
import launcherSource from "./launcher.py";
import type { Python } from "./python.js";
import { type Exit, type Job, NEW_FILE, type Started } from "./start.js";

export interface ServerOptions {
  python: Python;
  /** Absolute. */
  cwd: string;
  /** What the environments of all jobs begin with. */
  env: NodeJS.ProcessEnv;
  /** How many bytes longer the environment of a job may be. */
  room: number;
  /** A directory for the server's own files. */
  directory: string;
  /** How long it may say nothing while it is waited for. */
  patienceMs?: number;
}

/** A job to fork: `frozen` holds the script that runs as `path`, with `context` as its argument. */
export interface ForkedScript {
  frozen: string;
  path: string;
  context: string;
}

/** How the server can start jobs: by forking itself, unless `why` says what keeps it from that, or only by spawning. */
export interface Readiness {
  fork: boolean;
  why?: string;
}

type Answer = Started | "refused" | "lost";

/** A Python process that starts others, at a fraction of what a child of this process costs. */
export interface ForkServer {
  /** Undefined: it could not be started. */
  ready: Promise<Readiness | undefined>;
  /** Starts a job, by forking where there is a script. `refused`: it has to be started otherwise. */
  start: (job: Job, script?: ForkedScript) => Promise<Answer>;
  /** When all jobs have ended: ends the server. */
  close: () => Promise<void>;
}

interface Pending {
  answer: (answer: Answer) => void;
  exited?: (exit: Exit) => void;
}

const PATIENCE_MS = 30_000;
/** How often it is looked after during that time. */
const TICKS = 6;
/** How soon after the end of a tree the exit of its leader must be known. */
const EXIT_MS = 5000;
const CLOSE_MS = 2000;

/**
 * Starts the server. It does not outlive this process: it ends when its channel is closed, with all that it started.
 * @throws the system's error when nothing can be started with this environment or in this directory
 */
export function startForkServer(options: ServerOptions): ForkServer {
  const base = entriesOf(options.env);
  const pending = new Map<string, Pending>();
  let announce: (readiness: Readiness | undefined) => void = () => {};
  const ready = new Promise<Readiness | undefined>((resolve) => {
    announce = resolve;
  });
  let isReady = false;
  let isOver = false;
  let count = 0;
  const server = spawnServer(options);
  const channel = server.stdio[3] as Socket;
  const gone = new Promise<void>((resolve) => {
    server.once("exit", () => resolve());
    server.once("error", () => resolve());
  });
  const lose = () => {
    if (isOver) return;
    isOver = true;
    stopPulse();
    announce(undefined);
    killServer(server);
    for (const { answer, exited } of pending.values()) (exited ?? answer)("lost");
    pending.clear();
  };
  const send = (request: Buffer | undefined) => void (request && channel.write(request));
  const pulse = createPulse({
    patienceMs: options.patienceMs ?? PATIENCE_MS,
    isWaiting: () => !isReady || pending.size > 0,
    ask: () => send(requestOf([])),
    giveUp: lose,
  });
  const stopPulse = pulse.stop;

  const onStart = (id: string, pid: number) => {
    const job = pending.get(id);
    const exited = new Promise<Exit>((resolve) => {
      if (job) job.exited = resolve;
    });
    const treeEnded = () => void setTimeout(() => pending.get(id) === job && lose(), EXIT_MS).unref();
    job?.answer({ pid, exited, treeEnded });
  };
  const onEnd = (id: string, exit: Exit | undefined) => {
    const job = pending.get(id);
    pending.delete(id);
    if (job?.exited && exit) job.exited(exit);
    // Also one that was killed before it was anything.
    else job?.answer("refused");
  };
  eachLine(channel, (line) => {
    pulse.beat();
    const [word, id = "", pid, status] = line.split(" ");
    if (word === "start") onStart(id, Number(pid));
    if (word === "refuse") onEnd(id, undefined);
    if (word === "exit") onEnd(id, exitOf(Number(status)));
    if (word !== "ready") return;
    isReady = true;
    announce(readinessOf(line, options.directory));
  });
  channel.on("error", () => {});
  channel.once("close", lose);
  server.once("error", lose);
  // What it said last may not have been read yet, and where something else holds its end the channel stays open.
  server.once("exit", () => setTimeout(lose, 1000).unref());
  send(requestOf(base));

  return {
    ready,
    start(job, script) {
      if (isOver) return Promise.resolve("lost");
      if (job.stdinPath !== undefined) return Promise.resolve("refused");
      const entries = entriesOf(job.env);
      const kept = commonLength(entries, base);
      const args = script ? [script.frozen, script.path, script.context] : [job.command, ...job.args];
      const id = String(count++);
      const how = script ? "fork" : "spawn";
      const place = [how, id, job.cwd, job.stdoutPath, job.stderrPath, String(kept), String(args.length)];
      const request = requestOf([...place, ...args, ...entries.slice(kept)]);
      if (request === undefined) return Promise.resolve("refused");
      return new Promise((answer) => {
        pending.set(id, { answer });
        send(request);
      });
    },
    async close() {
      isOver = true;
      stopPulse();
      channel.end();
      const timer = setTimeout(killServer, CLOSE_MS, server);
      await gone;
      clearTimeout(timer);
    },
  };
}

function spawnServer({ python, cwd, env, room, directory }: ServerOptions): ChildProcess {
  const file = join(directory, "server.py");
  writeFileSync(file, [endSource, serverSource, launcherSource].join("\n"));
  const fds: number[] = [];
  try {
    for (const path of streamsOf(directory)) fds.push(openSync(path, NEW_FILE));
    const server = spawn(python.command, [...python.args, file], {
      cwd,
      env: { ...env, EVAL_BANANA_PADDING: "x".repeat(room) },
      stdio: ["ignore", ...fds, "pipe"],
      detached: true,
    });
    // Told even where there are too many files for there to be a channel.
    server.on("error", () => {});
    return server;
  } finally {
    for (const fd of fds) closeSync(fd);
  }
}

/** Regular files, as the checks get: what Python makes of its streams at its start, the children have. */
function streamsOf(directory: string): string[] {
  return ["server.stdout.txt", "server.stderr.txt"].map((name) => join(directory, name));
}

function readinessOf(line: string, directory: string): Readiness {
  const [, how, ...why] = line.split(" ");
  if (how !== "fork") return { fork: false, why: why.join(" ") };
  const isQuiet = streamsOf(directory).every((path) => statSync(path, { throwIfNoEntry: false })?.size === 0);
  return isQuiet ? { fork: true } : { fork: false, why: "its start prints something" };
}

function killServer(server: ChildProcess): void {
  (server.stdio[3] as Socket).destroy();
  try {
    if (server.pid !== undefined) process.kill(-server.pid, "SIGKILL");
  } catch {
    // It is gone.
  }
}

interface PulseOptions {
  patienceMs: number;
  isWaiting: () => boolean;
  ask: () => void;
  giveUp: () => void;
}

/** Asks what says nothing while it is waited for whether it is there, and gives up after a while. */
function createPulse({ patienceMs, isWaiting, ask, giveUp }: PulseOptions) {
  let silent = 0;
  const timer = setInterval(() => {
    if (!isWaiting()) silent = 0;
    else if (++silent === 1) return;
    // This process may have been stopped, with an answer unread: that is read before.
    else if (silent > TICKS) setImmediate(() => silent > TICKS && giveUp());
    else ask();
  }, patienceMs / TICKS);
  timer.unref();
  return {
    beat: () => {
      silent = 0;
    },
    stop: () => clearInterval(timer),
  };
}
