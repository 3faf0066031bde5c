import type { Session } from "../../session.js";
import { failedSession, sessionFromObject } from "../answer.js";
import type { Call } from "../call.js";
import { readRecording } from "./recordings.js";
import type { ReplayTarget } from "./replay-target.js";

/** Gives the answer that was recorded; calls nothing. */
export function callReplay({ recordings }: ReplayTarget, call: Call): Session {
  const recorded = readRecording(recordings, call);
  return typeof recorded === "string" ? failedSession(recorded) : sessionFromObject(recorded, call);
}
