import { startTimeLimit } from "../../../core/time-limit.js";
import { INTERRUPTED } from "../../../report/schema.js";
import type { Session } from "../../session.js";
import { failedSession, sessionFromReturned } from "../answer.js";
import type { Call } from "../call.js";
import type { FunctionTarget } from "./function-target.js";

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
  // A case is the same for every run, whatever the function does with it.
  const session = await Promise.race([answer(target, structuredClone(call.input), given, call), stopped]);
  limit.release();
  return { ...session, durationMs: Math.round(performance.now() - clock) };
}

async function answer(
  target: FunctionTarget,
  ...[input, context, call]: [...Parameters<FunctionTarget["function"]>, Call]
): Promise<Session> {
  let returned: unknown;
  try {
    returned = await target.function(input, context);
  } catch (error) {
    const words = error instanceof Error ? `${error.name}: ${error.message}` : `what is no error: ${String(error)}`;
    return failedSession(`'${target.name}' threw ${words}`);
  }
  return sessionFromReturned(returned, `'${target.name}'`, call);
}
