import { noRedactor, type Redactor } from "../../src/core/redact.js";
import type { Call } from "../../src/suites/targets/call.js";
import { loadTarget, type TargetSources } from "../../src/suites/targets/load-target.js";
import type { Target } from "../../src/suites/targets/types.js";
import { callTarget } from "../../src/suites/targets/types.js";
import { trialContext } from "../../src/suites/trial-context.js";
import { cleanEnv, type Project, project } from "./project.js";
import { suiteRun } from "./trial.js";

export interface CallOptions extends Partial<Pick<Call, "caseId" | "input" | "run" | "timeoutMs" | "cwd">> {
  env?: NodeJS.ProcessEnv;
  signal?: AbortSignal;
  redactor?: Redactor;
}

/** A call of a target in a project, as a run of a suite makes it: with a run directory in the project. */
export function targetCall(p: Project, options: CallOptions = {}): Call {
  const { caseId = "it", input = "do it", run = 1, cwd = p.root, env = {}, redactor = noRedactor } = options;
  const signal = options.signal ?? new AbortController().signal;
  const context = suiteRun(p, {
    runId: "20260101_000000_00000000",
    env: cleanEnv(env),
    runDir: p.path("run"),
    signal,
    redactor,
  });
  return { caseId, input, run, cwd, timeoutMs: options.timeoutMs, context: trialContext(context, caseId, run) };
}

/** The target in a file of a project; fails when something is wrong with it. */
export function targetIn(p: Project, file = "target.yaml", sources: Partial<TargetSources> = {}): Target {
  const { target, problems } = loadTarget(p.path(file), { projectRoot: p.root, ...sources });
  if (!target) throw new Error(`not a target: ${JSON.stringify(problems)}`);
  return target;
}

/** Calls a target that is written as plain data, in a project of its own with these files. */
export async function callOnce(
  fields: Record<string, unknown>,
  options: CallOptions & { files?: Record<string, string | Uint8Array>; sources?: Partial<TargetSources> } = {},
) {
  const p = project({ "target.yaml": JSON.stringify(fields), ...options.files });
  const target = targetIn(p, "target.yaml", options.sources);
  const session = await callTarget(target, targetCall(p, options));
  const evidence = (name: string) => p.read(`run/${session.evidence[name]}`);
  return { p, target, session, evidence };
}
