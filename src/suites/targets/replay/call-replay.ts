import type { Session } from "../../session.js";
import { failedSession, sessionFromObject } from "../answer.js";
import type { Call } from "../call.js";
import type { TargetBase } from "../target-type.js";
import { type Recordings, readRecording } from "./recordings.js";

/** Answers that were recorded. */
export interface ReplayTarget extends TargetBase {
  type: "replay";
  recordings: Recordings;
}

/** Gives the answer that was recorded; calls nothing. */
export function callReplay({ recordings }: ReplayTarget, call: Call): Session {
  const recorded = readRecording(recordings, call);
  return typeof recorded === "string" ? failedSession(recorded) : sessionFromObject(recorded, call);
}
