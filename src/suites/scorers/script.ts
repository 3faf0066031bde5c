import { join } from "node:path";
import { describeSystemError } from "../../core/errors.js";
import { makeDirectory, removeIfEmpty } from "../../core/make-directory.js";
import { readRegularFile } from "../../core/read-file.js";
import { type Outcome, outcomeOfError } from "../../run/outcome.js";
import { runScript, type ScriptRequest } from "../../run/script.js";
import { partContext, type TrialContext } from "../trial-context.js";
import { type AssertionOf, errorBecause, type Trial, type Verdict } from "./scorer.js";

const OUTPUT_FILE = "output.txt";

/** Runs a script as for a check; it is told of the case and of what the target answered. It runs in the workspace. */
export async function scoreScript(
  assertion: AssertionOf<"script" | "script_path">,
  trial: Trial,
  part: number,
): Promise<Verdict> {
  const context = partContext(trial.context, `script-${part}`);
  const script = sourceOf(assertion);
  if ("unavailable" in script) return errorBecause(script.unavailable);
  const outcome = await runInPlace(script.script, { trial, context }).catch(outcomeOfError);
  removeIfEmpty(context.evidenceDir);
  const { status, reason, errorDetail, exitCode, output, details } = outcome;
  return {
    status,
    reason: (status === "error" ? errorDetail : reason) ?? "",
    details: {
      ...(assertion.type === "script_path" && { path: assertion.path }),
      ...(exitCode !== undefined && { exit_code: exitCode }),
      ...(output && status !== "passed" && { printed: output.stderr.trim() ? output.stderr : output.stdout }),
      ...(output && { stdout_path: output.stdoutPath, stderr_path: output.stderrPath }),
      ...details,
    },
  };
}

async function runInPlace(
  script: ScriptRequest["script"],
  { trial, context }: { trial: Trial; context: TrialContext },
): Promise<Outcome> {
  const { testCase, session, workspace } = trial;
  makeDirectory(context.evidenceDir);
  const privateDir = context.privateDirs.take({ [OUTPUT_FILE]: session.output });
  const outputPath = join(privateDir, OUTPUT_FILE);
  const told = {
    check_id: testCase.id,
    case_id: testCase.id,
    project_root: context.projectRoot,
    source_path: testCase.source.file,
    output_dir: context.evidenceDir,
    input: testCase.input,
    output: session.output,
    output_path: outputPath,
    trajectory: session.toolCalls,
  };
  const timeoutSeconds = context.config["deterministic.timeout_seconds"];
  const outcome = await runScript({ script, context: told, timeoutSeconds, cwd: workspace?.directory }, context);
  context.privateDirs.giveBack(privateDir);
  return outcome;
}

function sourceOf(
  assertion: AssertionOf<"script" | "script_path">,
): Pick<ScriptRequest, "script"> | { unavailable: string } {
  if (assertion.type === "script") return { script: assertion.script };
  const { path } = assertion;
  try {
    return { script: { path, bytes: readRegularFile(path) } };
  } catch (error) {
    return { unavailable: `the script can't be read: ${describeSystemError(error)}` };
  }
}
