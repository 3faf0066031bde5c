import { randomUUID } from "node:crypto";
import { createWriteStream } from "node:fs";
import { dirname } from "node:path";
import { pipeline } from "node:stream/promises";
import { pathToFileURL } from "node:url";
import { Worker } from "node:worker_threads";
import { describeThrown } from "../../../core/errors.js";
import { makeDirectory } from "../../../core/make-directory.js";
import { startTimeLimit } from "../../../core/time-limit.js";
import { endTree } from "../../../process/tree.js";
import { INTERRUPTED } from "../../../report/schema.js";
import { itemEnv } from "../../../run/context.js";
import { collectOutput } from "../../../run/outcome.js";
import type { Session } from "../../session.js";
import { failedSession, sessionFromJson, unavailable } from "../answer.js";
import type { Call } from "../call.js";
import { evidenceOf } from "../command/call-command.js";
import type { TargetBase } from "../target-type.js";
import { type ModuleReply, type ModuleTask, moduleWorker } from "./module-worker.js";

/** A function of a module of the user's. */
export interface ModuleTarget extends TargetBase {
  type: "module";
  module: string;
  export: string;
}

/** Calls a function of a module in a worker of its own, so that it can be ended and no call sees another's state. */
export async function callModule(target: ModuleTarget, call: Call): Promise<Session> {
  const { context } = call;
  makeDirectory(dirname(context.stdoutPath));
  const clock = performance.now();
  const reply = await runWorker(target, call);
  const wallMs = Math.round(performance.now() - clock);
  // Programs that it started carry the tags in their environment; the worker itself is no process.
  await endTree({ tags: context.tags });
  const output = collectOutput(context.runDir, context.prefix, context.redactor);
  const evidence = evidenceOf(output);
  if ("problem" in reply) {
    const session = reply.unavailable ? unavailable(reply.problem) : failedSession(reply.problem);
    return { ...session, durationMs: wallMs, evidence };
  }
  return { ...sessionFromJson(reply.json, call), durationMs: reply.durationMs, evidence };
}

async function runWorker(target: ModuleTarget, call: Call): Promise<ModuleReply> {
  const { context, timeoutMs = 0 } = call;
  const limit = startTimeLimit(call.timeoutMs, context.signal);
  const mark = randomUUID();
  const worker = startWorker(target, call, mark);
  const files = Promise.allSettled([
    pipeline(worker.stdout, createWriteStream(context.stdoutPath)),
    pipeline(worker.stderr, createWriteStream(context.stderrPath)),
  ]);
  const name = target.export === "default" ? "the module" : `'${target.export}' of the module`;
  const reply = await new Promise<ModuleReply>((resolve) => {
    const fail = (problem: string) => resolve({ problem });
    worker.on("message", (said: (ModuleReply & { mark?: string }) | null | undefined) => {
      if (said?.mark !== mark) return;
      resolve("problem" in said ? { ...said, problem: `${name} ${said.problem}` } : said);
    });
    worker.once("error", (error: unknown) =>
      fail(`${name} threw ${context.redactor.line(describeThrown(error), 500)}`),
    );
    worker.once("exit", (code) => fail(`${name} ${describeExit(code)}`));
    const stop = () => fail(limit.timedOut() ? `timed out after ${timeoutMs / 1000} s` : INTERRUPTED);
    if (limit.signal.aborted) stop();
    limit.signal.addEventListener("abort", stop, { once: true });
  });
  limit.release();
  await worker.terminate();
  await files;
  return reply;
}

function startWorker(target: ModuleTarget, { caseId, run, input, cwd, context }: Call, mark: string): Worker {
  const workerData: ModuleTask = {
    url: pathToFileURL(target.module).href,
    exportName: target.export,
    input,
    context: { case_id: caseId, run, cwd, output_dir: context.evidenceDir },
    mark,
  };
  return new Worker(moduleWorker, {
    eval: true,
    workerData,
    env: { ...context.env, ...itemEnv(context) } as NodeJS.Dict<string>,
    argv: [],
    execArgv: [],
    stdout: true,
    stderr: true,
  });
}

/** A worker ends by itself when nothing is left that could still happen. */
function describeExit(code: number): string {
  if (code === 0 || code === 13)
    return "ended before it answered: its promise is never settled, or it called process.exit()";
  return `called process.exit(${code}), or could not go on`;
}
