import { describeSystemError, isDiskError, isSystemError } from "../../core/errors.js";
import { makeDirectory, removeIfEmpty } from "../../core/make-directory.js";
import { isNestedTooDeeply } from "../../core/nesting.js";
import { INTERRUPTED } from "../../report/schema.js";
import type { Session } from "../session.js";
import { failedSession, TOO_DEEP } from "./answer.js";
import type { Call } from "./call.js";
import type { TargetBase, TargetType } from "./target-type.js";

/**
 * Calls a target once; what it does wrong is the session's error. What it printed is masked, the session itself is not.
 * @throws the file system's error when nothing can be written any more
 */
export async function callSafely<T extends TargetBase>(
  { runsProgram, call: callOnce }: Pick<TargetType<never, T>, "runsProgram" | "call">,
  target: T,
  call: Call,
): Promise<Session> {
  const { signal, evidenceDir } = call.context;
  if (signal.aborted) return stopped(failedSession(INTERRUPTED));
  let session: Session;
  try {
    if (runsProgram) makeDirectory(evidenceDir);
    session = await callOnce(target, call);
  } catch (error) {
    if (!isSystemError(error) || isDiskError(error)) throw error;
    session = failedSession(`its files cannot be used: ${describeSystemError(error)}`);
  }
  if (isNestedTooDeeply(session.toolCalls)) session = { ...session, toolCalls: [], error: TOO_DEEP };
  if (runsProgram) removeIfEmpty(evidenceDir);
  return signal.aborted ? stopped(session) : session;
}

function stopped(session: Session): Session {
  return { ...session, error: INTERRUPTED, interrupted: true };
}
