import { describeSystemError, isDiskError, isSystemError } from "../../core/errors.js";
import { makeDirectory, removeIfEmpty } from "../../core/make-directory.js";
import { isNestedTooDeeply } from "../../core/nesting.js";
import { INTERRUPTED } from "../../report/schema.js";
import type { Session } from "../session.js";
import { failedSession, TOO_DEEP } from "./answer.js";
import type { Call } from "./call.js";
import type { Target } from "./target.js";

/**
 * Calls a target once; what it does wrong is the session's error. What it printed is masked, the session itself is not.
 * @throws the file system's error when nothing can be written any more
 */
export async function callTarget(target: Target, call: Call): Promise<Session> {
  const { signal, evidenceDir } = call.context;
  if (signal.aborted) return failedSession(INTERRUPTED);
  let session: Session;
  // Programs are told of it; for thousands of recordings it would be most of the work.
  const runsProgram = target.type === "command" || target.type === "module" || target.type === "agent";
  try {
    if (runsProgram) makeDirectory(evidenceDir);
    session = await callByType(target, call);
  } catch (error) {
    if (!isSystemError(error) || isDiskError(error)) throw error;
    session = failedSession(`its files cannot be used: ${describeSystemError(error)}`);
  }
  if (isNestedTooDeeply(session.toolCalls)) session = { ...session, toolCalls: [], error: TOO_DEEP };
  if (runsProgram) removeIfEmpty(evidenceDir);
  return signal.aborted ? { ...session, error: INTERRUPTED } : session;
}

/** Each is loaded when it is first called: a suite needs one of them. */
async function callByType(target: Target, call: Call): Promise<Session> {
  switch (target.type) {
    case "command":
      return (await import("./command.js")).callCommand(target, call);
    case "http":
      return (await import("./http.js")).callHttp(target, call);
    case "module":
      return (await import("./module.js")).callModule(target, call);
    case "agent":
      return (await import("./agent.js")).callAgentTarget(target, call);
    case "model":
      return (await import("./model.js")).callModel(target, call);
    case "team":
      return (await import("./team.js")).callTeam(target, call);
    case "replay":
      return (await import("./replay.js")).callReplay(target, call);
  }
}
