import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { truncate } from "../core/text.js";
import { type JobResult, runJob } from "../process/job.js";
import { INTERRUPTED } from "../report/schema.js";
import { type ItemContext, itemEnv } from "../run/context.js";
import { collectOutput, type Outcome } from "../run/outcome.js";
import launcherSource from "./launcher.py";
import type { DeterministicCheck } from "./schema.js";
import type { CheckSnapshot } from "./snapshot.js";

// Python can import what lies beside an inline script: with a hyphen no name hides a module of the project.
const SCRIPT_FILE = "check-script.py";
const CONTEXT_FILE = "context.json";

/** Runs the script of a deterministic check: exit code 0 passes, another one fails, anything else is an error. */
export async function runDeterministic(
  snapshot: CheckSnapshot<DeterministicCheck>,
  context: ItemContext,
): Promise<Outcome> {
  const { definition, script } = snapshot;
  const { python = "no Python was looked for" } = context;
  if (typeof python === "string") return { status: "error", errorDetail: python };
  if (script?.unavailable !== undefined) return { status: "error", errorDetail: script.unavailable };

  const timeoutSeconds = definition.timeout_seconds ?? context.config["deterministic.timeout_seconds"];
  const privateDir = context.privateDirs.take();
  const job = await runJob({
    command: python.command,
    args: [
      ...python.args,
      ...writeScript(snapshot, privateDir, context.scratch),
      writeContext(snapshot, privateDir, context),
    ],
    cwd: context.projectRoot,
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

/** Writes the script, as it was read; returns the arguments that run it. */
function writeScript(
  { definition, script }: CheckSnapshot<DeterministicCheck>,
  privateDir: string,
  scratch: string,
): string[] {
  const frozen = join(privateDir, SCRIPT_FILE);
  writeFileSync(frozen, script?.bytes ?? definition.script ?? "");
  if (script === undefined) return [frozen];
  // One launcher serves the whole run.
  const launcher = join(scratch, "launcher.py");
  if (!existsSync(launcher)) writeFileSync(launcher, launcherSource);
  return [launcher, frozen, script.path];
}

/** Writes what the script is told; returns the path. */
function writeContext({ definition, sourcePath }: CheckSnapshot, privateDir: string, context: ItemContext): string {
  const path = join(privateDir, CONTEXT_FILE);
  const content = {
    check_id: definition.id,
    description: definition.description,
    project_root: context.projectRoot,
    source_path: sourcePath,
    output_dir: context.evidenceDir,
  };
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
