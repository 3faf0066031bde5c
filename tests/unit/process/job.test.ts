import { getEventListeners } from "node:events";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { runJob } from "../../../src/process/job.js";
import type { Job } from "../../../src/process/start.js";
import { processMark, processState, until } from "../../helpers/processes.js";
import { temporaryDirectory } from "../../helpers/project.js";

function job(args: readonly string[], more: Partial<Job> = {}): Job {
  const directory = temporaryDirectory();
  return {
    command: process.execPath,
    args,
    cwd: directory,
    env: {},
    stdoutPath: join(directory, "out"),
    stderrPath: join(directory, "err"),
    ...more,
  };
}

const shell = (script: string, more: Partial<Job> = {}) => job(["-c", script], { command: "/bin/sh", ...more });
const ended = {
  exitCode: 0,
  signal: null,
  timedOut: false,
  aborted: false,
  startError: null,
  leftovers: 0,
  lost: false,
};

/** What a job may have forgotten to let go of. */
function leftovers(signal = new AbortController().signal) {
  return {
    fds: readdirSync("/proc/self/fd").length,
    exitListeners: process.listenerCount("exit"),
    abortListeners: getEventListeners(signal, "abort").length,
    children: process.getActiveResourcesInfo().filter((name) => name === "ProcessWrap").length,
  };
}

describe("runJob", () => {
  it("gives the exit code, and the streams in files", async () => {
    const it = shell("echo out; echo err >&2; exit 7");
    expect(await runJob(it)).toEqual({ ...ended, exitCode: 7 });
    expect(readFileSync(it.stdoutPath, "utf8")).toBe("out\n");
    expect(readFileSync(it.stderrPath, "utf8")).toBe("err\n");
  });

  it("gives the signal that ended it", async () => {
    expect(await runJob(shell("kill -USR1 $$"))).toEqual({ ...ended, exitCode: null, signal: "SIGUSR1" });
  });

  it("feeds standard input from a file, or closes it", async () => {
    const it = shell("cat; echo end");
    await runJob(it);
    expect(readFileSync(it.stdoutPath, "utf8")).toBe("end\n");
    const fed = shell("cat", { stdinPath: it.stdoutPath });
    await runJob(fed);
    expect(readFileSync(fed.stdoutPath, "utf8")).toBe("end\n");
  });

  it("says why a program can't be started", async () => {
    const startError = async (more: Partial<Job>) => (await runJob(shell("true", more))).startError;
    expect(await startError({ command: "/nowhere/sh" })).toContain("no such file or directory (ENOENT)");
    expect(await startError({ command: "/etc" })).toContain("permission denied (EACCES)");
    expect(await startError({ cwd: "/nowhere" })).toBe("the working directory is gone: /nowhere");
    expect(await startError({ args: ["x".repeat(200_000)] })).toContain("too long (E2BIG)");
    expect(await startError({ args: ["a\0b"] })).toContain("null bytes");
  });

  it("throws when the output has nowhere to go", async () => {
    const before = leftovers();
    await expect(runJob(shell("true", { stderrPath: "/nowhere/err" }))).rejects.toMatchObject({ code: "ENOENT" });
    expect(leftovers()).toEqual(before);
  });

  it("keeps nothing after the end: no listener, file or child", async () => {
    const { signal } = new AbortController();
    await runJob(shell("true"));
    const before = leftovers(signal);
    for (const script of ["true", "exit 3", "kill -9 $$", "sleep 60 & exit 0"]) {
      await runJob(shell(script, { timeoutMs: 600_000, signal }));
    }
    const after = leftovers(signal);
    // That of a program that could not be started goes when Node likes, and may have been there before.
    expect({ ...after, children: Math.max(after.children, before.children) }).toEqual(before);
  });

  it("ends the tree when the time is over, and only then says so", async () => {
    const mark = processMark();
    const it = shell("trap '' TERM; echo on; sleep 60 & sleep 60; sleep 60", { env: mark.env, timeoutMs: 200 });
    expect(await runJob(it)).toEqual({ ...ended, exitCode: null, signal: "SIGKILL", timedOut: true });
    expect(mark.survivors()).toEqual([]);
  });

  it("does not take a limit beyond what timers can hold for none at all", async () => {
    expect(await runJob(shell("true", { timeoutMs: 9_999_999_999_000 }))).toEqual(ended);
  });

  it.each([
    ["before it starts", (abort: () => void) => abort()],
    ["as it starts", (abort: () => void) => void queueMicrotask(abort)],
    ["right after", (abort: () => void) => void setImmediate(abort)],
  ])("ends the tree when it is aborted %s", async (_, when) => {
    const mark = processMark();
    const controller = new AbortController();
    when(() => controller.abort());
    const running = runJob(shell("sleep 60", { env: mark.env, signal: controller.signal, timeoutMs: 60_000 }));
    expect(await running).toMatchObject({ aborted: true, timedOut: false, signal: "SIGTERM" });
    expect(mark.survivors()).toEqual([]);
  });

  it("ends a process that left the group by what is in its environment", async () => {
    const mark = processMark();
    const tags = Object.entries(mark.env).map(([name, value]) => `${name}=${value}`);
    const it = shell("setsid sh -c 'sleep 60 & echo $! ; wait' & wait", {
      env: { ...mark.env, PATH: process.env["PATH"] },
    });
    const controller = new AbortController();
    const running = runJob({ ...it, tags, signal: controller.signal });
    const pid = await until(
      "the sleep runs",
      () => existsSync(it.stdoutPath) && Number(readFileSync(it.stdoutPath, "utf8")),
    );
    controller.abort();
    await running;
    // Whoever adopted it may not have waited for it yet.
    expect([undefined, "Z"]).toContain(processState(pid));
    expect(mark.survivors()).toEqual([]);
  });

  it("ends what a program left in its group and says how many; what left the group only where it is asked to", async () => {
    const mark = processMark();
    const tags = Object.entries(mark.env).map(([name, value]) => `${name}=${value}`);
    const more = { env: { ...mark.env, PATH: process.env["PATH"] }, tags };
    expect(await runJob(shell("sleep 60 & sleep 60 &", more))).toEqual({ ...ended, leftovers: 2 });
    expect(mark.survivors()).toEqual([]);
    // No `exec` in it: while that goes on a process has no environment to be seen.
    const daemon = "rm -f pid; mkfifo f; setsid sh -c 'echo $$ > pid; : < f' & until [ -s pid ]; do :; done";
    expect(await runJob(shell(daemon, more))).toEqual(ended);
    expect(mark.survivors()).toHaveLength(1);
    // With the one before, which carries the same tag.
    expect(await runJob(shell(daemon, { ...more, leaveNothing: true }))).toEqual({ ...ended, leftovers: 2 });
    expect(mark.survivors()).toEqual([]);
  });

  it("leaves no zombie", async () => {
    await Promise.all(Array.from({ length: 20 }, () => runJob(shell("exit 1"))));
    const zombies = readdirSync("/proc").filter((entry) => {
      if (!/^\d+$/.test(entry) || processState(Number(entry)) !== "Z") return false;
      return readFileSync(`/proc/${entry}/stat`, "latin1").split(") ")[1]?.split(" ")[1] === String(process.pid);
    });
    expect(zombies).toEqual([]);
  });
});
