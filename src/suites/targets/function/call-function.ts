import type * as z from "zod";
import { describeThrown } from "../../../core/errors.js";
import { startTimeLimit } from "../../../core/time-limit.js";
import { INTERRUPTED } from "../../../report/schema.js";
import type { Json } from "../../json.js";
import type { Session } from "../../session.js";
import { type answerSchema, failedSession, sessionFromReturned } from "../answer.js";
import type { Call } from "../call.js";
import type { TargetBase } from "../target-type.js";

/** What a function is told besides the input. The names are those that a module's function gets. */
export interface TargetContext {
  /** The id of the case. */
  case_id: string;
  /** Which run of the case, from 1. */
  run: number;
  /** The workspace of this run, or the project root; absolute. It is not the working directory of the process. */
  cwd: string;
  /** A directory for files to be kept as evidence; absolute. */
  output_dir: string;
  /** Aborts when the time of the run is over, or the run is stopped. What is answered then is not looked at. */
  signal: AbortSignal;
}

/** A session: the answer with what was done for it. All but `output` is optional, times are measured, not told. */
export type TargetSession = z.input<typeof answerSchema>;

/**
 * A target in the program itself. It answers with the final message as a text, with any other JSON value, which is put
 * into JSON, or with an object that has `output` or `error`, which is a session. What it throws fails the run of the case.
 */
export type TargetFunction = (
  input: Json,
  context: TargetContext,
) => Json | TargetSession | Promise<Json | TargetSession>;

/** A function of the program that runs the suite. */
export interface FunctionTarget extends TargetBase {
  type: "function";
  function: TargetFunction;
}

/** Calls a function in this process. It can't be ended: when its time is over it is told so, and not waited for. */
export async function callFunction(target: FunctionTarget, call: Call): Promise<Session> {
  const { caseId, run, cwd, context, timeoutMs = 0 } = call;
  const limit = startTimeLimit(call.timeoutMs, context.signal);
  const given = { case_id: caseId, run, cwd, output_dir: context.evidenceDir, signal: limit.signal };
  const clock = performance.now();
  const stopped = new Promise<Session>((resolve) => {
    const stop = () => resolve(failedSession(limit.timedOut() ? `timed out after ${timeoutMs / 1000} s` : INTERRUPTED));
    limit.signal.addEventListener("abort", stop, { once: true });
  });
  try {
    // A case is the same for every run, whatever the function does with it.
    const session = await Promise.race([answer(target, structuredClone(call.input), given, call), stopped]);
    return { ...session, durationMs: Math.round(performance.now() - clock) };
  } finally {
    limit.release();
  }
}

async function answer(
  target: FunctionTarget,
  ...[input, context, call]: [...Parameters<FunctionTarget["function"]>, Call]
): Promise<Session> {
  let returned: unknown;
  try {
    returned = await target.function(input, context);
  } catch (error) {
    return failedSession(`'${target.name}' threw ${describeThrown(error)}`);
  }
  return sessionFromReturned(returned, `'${target.name}'`, call);
}
