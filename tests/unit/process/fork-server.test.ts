import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { type ServerOptions, startForkServer } from "../../../src/process/fork-server.js";
import { exitOf, requestOf } from "../../../src/process/fork-wire.js";
import { runJob } from "../../../src/process/job.js";
import type { Job } from "../../../src/process/start.js";
import { processMark, until } from "../../helpers/processes.js";
import { PYTHON, temporaryDirectory } from "../../helpers/project.js";

const ended = {
  exitCode: 0,
  signal: null,
  timedOut: false,
  aborted: false,
  startError: null,
  leftovers: 0,
  lost: false,
};

function serve(more: Partial<ServerOptions> = {}) {
  const directory = temporaryDirectory();
  const env = { PATH: process.env["PATH"], ...more.env };
  const python = { command: PYTHON, args: [] };
  const server = startForkServer({ python, cwd: directory, room: 500, directory, ...more, env });
  let count = 0;
  /** Runs a script by the server. */
  const run = async (script: string, job: Partial<Job> = {}) => {
    const name = join(directory, String(count++));
    writeFileSync(`${name}.py`, script);
    const forked = { frozen: `${name}.py`, path: `${name}.py`, context: "" };
    const start = async (asJob: Job) => {
      const answer = await server.start(asJob, forked);
      return answer === "refused" ? "refused" : answer;
    };
    const streams = { stdoutPath: `${name}.out`, stderrPath: `${name}.err` };
    const result = await runJob({ command: PYTHON, args: [], cwd: directory, env, ...streams, start, ...job });
    return { result, stdout: () => readFileSync(`${name}.out`, "utf8") };
  };
  return { server, run, directory };
}

it("forks scripts, many at once, and ends when it is closed", async () => {
  const { server, run } = serve();
  expect(await server.ready).toEqual({ fork: true });
  const runs = await Promise.all(Array.from({ length: 20 }, (_, n) => run(`print(${n})\nraise SystemExit(${n})`)));
  expect(runs.map(({ result, stdout }) => [result.exitCode, stdout()])).toEqual(runs.map((_, n) => [n, `${n}\n`]));
  await server.close();
  expect((await run("pass")).result.lost).toBe(true);
});

it("refuses what it cannot start", async () => {
  const { server, run } = serve();
  const refused = { ...ended, exitCode: null, startError: "refused" };
  expect((await run("pass", { stdoutPath: "/nowhere/out" })).result).toEqual(refused);
  expect((await run("pass", { cwd: "/nowhere" })).result).toEqual(refused);
  expect((await run("pass", { env: { LONG: "x".repeat(5000) } })).result).toEqual(refused);
  expect((await run("pass", { env: { NUL: "\0" } })).result).toEqual(refused);
  expect((await run("pass", { stdinPath: "/dev/null" })).result).toEqual(refused);
  expect((await run("print(1)")).result).toEqual(ended);
  await server.close();
});

it("is given up when it is stopped, with what it runs", async () => {
  const mark = processMark();
  const { server, run } = serve({ patienceMs: 600, env: mark.env });
  const other = run("import time; time.sleep(60)");
  const { result } = await run("import os, signal; os.kill(os.getppid(), signal.SIGSTOP)");
  expect(result).toMatchObject({ lost: true, exitCode: null });
  expect((await other).result).toMatchObject({ lost: true, exitCode: null });
  await server.close();
  expect(mark.survivors()).toEqual([]);
});

it("is given up when it does not tell how what was ended has ended", async () => {
  const { server, run } = serve();
  const { result } = await run("import os, signal, time; os.kill(os.getppid(), signal.SIGSTOP); time.sleep(60)", {
    timeoutMs: 500,
  });
  expect(result).toMatchObject({ timedOut: true, lost: true });
  await server.close();
}, 20_000);

it("that is quiet for long is not given up", async () => {
  const { server, run } = serve({ patienceMs: 300 });
  expect((await run("import time; time.sleep(1.5)")).result).toEqual(ended);
  await server.close();
});

it("ends with what it runs when its channel is closed, also with what has only just been forked", async () => {
  for (let round = 0; round < 10; round++) {
    const mark = processMark();
    const { server, run } = serve({ env: mark.env });
    const running = run("import time; time.sleep(60)");
    await until("it runs", () => mark.survivors().length === 2);
    await server.close();
    await until("all are gone", () => mark.survivors().length === 0);
    running.catch(() => {});
  }
}, 60_000);

it.each([
  ["a program that is none", "/nowhere/python"],
  ["a program that is no Python", "/bin/true"],
])("is not there where it is %s", async (_, command) => {
  const { server, run } = serve({ python: { command, args: [] } });
  expect(await server.ready).toBeUndefined();
  expect((await run("pass")).result.lost).toBe(true);
  await server.close();
});

it("says what a status means, and nothing with a NUL in it", () => {
  expect(exitOf(3 << 8)).toEqual({ code: 3, signal: null });
  expect(exitOf(6 | 0x80)).toEqual({ code: null, signal: "SIGABRT" });
  expect(exitOf(40)).toEqual({ code: null, signal: "SIG40" });
  expect(requestOf(["a", "ä"])?.toString("hex")).toBe("000000046100c3a4");
  expect(requestOf(["a\0b"])).toBeUndefined();
});
