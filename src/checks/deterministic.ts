import { join } from "node:path";
import { truncate } from "../core/text.js";
import type { JobResult } from "../process/job.js";
import { INTERRUPTED } from "../report/schema.js";
import { type CheckContext, checkEnv } from "./context.js";
import { collectOutput, type Outcome } from "./outcome.js";
import { scriptEnv } from "./python-launcher.js";
import type { DeterministicCheck } from "./schema.js";
import type { CheckSnapshot } from "./snapshot.js";

// Python can import what lies beside an inline script: with a hyphen no name hides a module of the project.
const SCRIPT_FILE = "check-script.py";
const CONTEXT_FILE = "context.json";

/** Runs the script of a deterministic check: exit code 0 passes, another one fails, anything else is an error. */
export async function runDeterministic(
  snapshot: CheckSnapshot<DeterministicCheck>,
  context: CheckContext,
): Promise<Outcome> {
  const { definition, script } = snapshot;
  const { python = "no Python was looked for" } = context;
  if (typeof python === "string") return { status: "error", errorDetail: python };
  if (context.launcher === undefined) throw new Error("there is no launcher");
  if (script?.unavailable !== undefined) return { status: "error", errorDetail: script.unavailable };

  const timeoutSeconds = definition.timeout_seconds ?? context.config["deterministic.timeout_seconds"];
  const privateDir = context.privateDirs.take({
    [SCRIPT_FILE]: script?.bytes ?? definition.script ?? "",
    [CONTEXT_FILE]: describe(snapshot, context),
  });
  const frozen = join(privateDir, SCRIPT_FILE);
  const { launcher, ...job } = await context.launcher.run({
    script: { frozen, path: script?.path ?? frozen, context: join(privateDir, CONTEXT_FILE) },
    cwd: context.projectRoot,
    env: scriptEnv(context, checkEnv(context)),
    stdoutPath: context.stdoutPath,
    stderrPath: context.stderrPath,
    timeoutMs: timeoutSeconds > 0 ? timeoutSeconds * 1000 : undefined,
    signal: context.signal,
    tags: context.tags,
  });
  context.privateDirs.giveBack(privateDir);
  const output = collectOutput(context.runDir, context.stem, context.redactor);
  return {
    ...judge(job, timeoutSeconds, output.stderr),
    exitCode: job.exitCode,
    output,
    details: { python: python.command, timeout_seconds: timeoutSeconds || null, launcher },
  };
}

/** What the script is told, as JSON. */
function describe({ definition, sourcePath }: CheckSnapshot, context: CheckContext): string {
  return JSON.stringify({
    check_id: definition.id,
    description: definition.description,
    project_root: context.projectRoot,
    source_path: sourcePath,
    output_dir: context.evidenceDir,
  });
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
