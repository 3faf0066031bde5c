import { join } from "node:path";
import { truncate } from "../core/text.js";
import type { JobResult } from "../process/job.js";
import { INTERRUPTED } from "../report/schema.js";
import { type ItemContext, itemEnv } from "./context.js";
import { collectOutput, type Outcome } from "./outcome.js";
import { scriptEnv } from "./python-launcher.js";

/** A Python script to run. */
export interface ScriptRequest {
  /** Python source, or a file that was read: it is run from these bytes and sees itself at its path. */
  script: string | { path: string; bytes: Uint8Array };
  /** What it is told: the content of the JSON file whose path is its only argument. */
  context: object;
  /** 0 = no limit. */
  timeoutSeconds: number;
  /** Absolute; undefined: the project root. */
  cwd?: string | undefined;
}

// Python can import what lies beside an inline script: with a hyphen no name hides a module of the project.
const SCRIPT_FILE = "check-script.py";
const CONTEXT_FILE = "context.json";

/** Runs a script: exit code 0 passes, another one fails, anything else is an error. */
export async function runScript(request: ScriptRequest, context: ItemContext): Promise<Outcome> {
  const { script, timeoutSeconds } = request;
  const { python = "no Python was looked for" } = context;
  if (typeof python === "string") return { status: "error", errorDetail: python };
  if (context.launcher === undefined) throw new Error("there is no launcher");

  const isInline = typeof script === "string";
  const privateDir = context.privateDirs.take({
    [SCRIPT_FILE]: isInline ? script : script.bytes,
    [CONTEXT_FILE]: JSON.stringify(request.context),
  });
  const frozen = join(privateDir, SCRIPT_FILE);
  const { launcher, ...job } = await context.launcher.run({
    script: { frozen, path: isInline ? frozen : script.path, context: join(privateDir, CONTEXT_FILE) },
    cwd: request.cwd ?? context.projectRoot,
    env: scriptEnv(context, itemEnv(context)),
    stdoutPath: context.stdoutPath,
    stderrPath: context.stderrPath,
    timeoutMs: timeoutSeconds > 0 ? timeoutSeconds * 1000 : undefined,
    signal: context.signal,
    tags: context.tags,
  });
  context.privateDirs.giveBack(privateDir);
  const output = collectOutput(context.runDir, context.prefix, context.redactor);
  return {
    ...judge(job, timeoutSeconds, output.stderr),
    exitCode: job.exitCode,
    output,
    details: { python: python.command, timeout_seconds: timeoutSeconds || null, launcher },
  };
}

function judge(job: JobResult, timeoutSeconds: number, stderr: string): Outcome {
  if (job.startError !== null)
    return { status: "error", errorDetail: `the script could not be run: ${job.startError}` };
  if (job.aborted) return { status: "error", errorDetail: INTERRUPTED };
  if (job.timedOut) return { status: "error", errorDetail: `timed out after ${timeoutSeconds} s` };
  if (job.lost) return { status: "error", errorDetail: "the process that started the script was killed twice" };
  if (job.signal !== null) return { status: "error", errorDetail: `the script was killed by ${job.signal}` };
  if (job.exitCode === 0) return { status: "passed" };
  const lastLine = stderr.trimEnd().split("\n").at(-1)?.trim();
  return { status: "failed", reason: `exit code ${job.exitCode}${lastLine ? `: ${truncate(lastLine, 300)}` : ""}` };
}
