import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { truncate } from "../core/text.js";
import { type JobResult, runJob } from "../process/job.js";
import { INTERRUPTED } from "../report/schema.js";
import { type ItemContext, itemEnv } from "./context.js";
import launcherSource from "./launcher.py";
import { collectOutput, type Outcome } from "./outcome.js";

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
  const { timeoutSeconds } = request;
  const { python = "no Python was looked for" } = context;
  if (typeof python === "string") return { status: "error", errorDetail: python };

  const privateDir = context.privateDirs.take();
  const job = await runJob({
    command: python.command,
    args: [
      ...python.args,
      ...writeScript(request.script, privateDir, context.scratch),
      writeContext(request.context, privateDir),
    ],
    cwd: request.cwd ?? context.projectRoot,
    env: { PYTHONUTF8: "1", ...context.env, PYTHONUNBUFFERED: "1", ...itemEnv(context) },
    stdoutPath: context.stdoutPath,
    stderrPath: context.stderrPath,
    timeoutMs: timeoutSeconds > 0 ? timeoutSeconds * 1000 : undefined,
    signal: context.signal,
    tags: context.tags,
  });
  context.privateDirs.giveBack(privateDir, [SCRIPT_FILE, CONTEXT_FILE]);
  const output = collectOutput(context.runDir, context.prefix, context.redactor);
  return {
    ...judge(job, timeoutSeconds, output.stderr),
    exitCode: job.exitCode,
    output,
    details: { python: python.command, timeout_seconds: timeoutSeconds || null },
  };
}

/** Writes the script; returns the arguments that run it. */
function writeScript(script: ScriptRequest["script"], privateDir: string, scratch: string): string[] {
  const frozen = join(privateDir, SCRIPT_FILE);
  writeFileSync(frozen, typeof script === "string" ? script : script.bytes);
  if (typeof script === "string") return [frozen];
  // One launcher serves the whole run.
  const launcher = join(scratch, "launcher.py");
  if (!existsSync(launcher)) writeFileSync(launcher, launcherSource);
  return [launcher, frozen, script.path];
}

/** Writes what the script is told; returns the path. */
function writeContext(content: object, privateDir: string): string {
  const path = join(privateDir, CONTEXT_FILE);
  writeFileSync(path, JSON.stringify(content));
  return path;
}

function judge(job: JobResult, timeoutSeconds: number, stderr: string): Outcome {
  if (job.startError !== null)
    return { status: "error", errorDetail: `the script could not be run: ${job.startError}` };
  if (job.aborted) return { status: "error", errorDetail: INTERRUPTED };
  if (job.timedOut) return { status: "error", errorDetail: `timed out after ${timeoutSeconds} s` };
  if (job.signal !== null) return { status: "error", errorDetail: `the script was killed by ${job.signal}` };
  if (job.exitCode === 0) return { status: "passed" };
  const lastLine = stderr.trimEnd().split("\n").at(-1)?.trim();
  return { status: "failed", reason: `exit code ${job.exitCode}${lastLine ? `: ${truncate(lastLine, 300)}` : ""}` };
}
