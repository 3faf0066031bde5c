import type { Said } from "../report/mask.js";
import type { Json } from "./json.js";

export interface Message {
  role: "user" | "assistant" | "system" | "tool";
  /** Who of a team said it. */
  name?: string;
  content: string;
}

export interface ToolCall {
  name: string;
  arguments: Json;
  result?: Json;
  error?: string;
}

/** A document that was retrieved, best first. */
interface Retrieved {
  id: string;
  text?: string;
  score?: number;
}

/** What one call of a target came to. */
export interface Session {
  /** The final assistant message; empty when there is none. */
  output: string;
  messages: readonly Message[];
  toolCalls: readonly ToolCall[];
  /** Undefined: the target does not say. */
  retrieved?: readonly Retrieved[] | undefined;
  turns: number;
  /** Zero where the target does not say. */
  inputTokens: number;
  outputTokens: number;
  /** Undefined: the target does not say. */
  costUsd?: number | undefined;
  /** The model that answered, where that is known. */
  model?: string | undefined;
  /** Why it did not succeed; null when it did. */
  error: string | null;
  /** What may be wrong with how the target is written, where what it said looks like that. */
  hint?: string | undefined;
  /** Whether the target could not be asked at all, as `error` says: that is no answer, neither a right nor a wrong one. */
  unavailable: boolean;
  /** Whether the run was stopped before it ended: it says nothing then. */
  interrupted: boolean;
  /** Of the call alone, without waiting for its turn or between retries. */
  durationMs: number;
  /** How often it was called again because of rate limits. */
  retries: number;
  /** Files with what it printed, relative to the run directory. */
  evidence: Readonly<Record<string, string>>;
}

export const emptySession: Session = {
  output: "",
  messages: [],
  toolCalls: [],
  turns: 0,
  inputTokens: 0,
  outputTokens: 0,
  error: null,
  unavailable: false,
  interrupted: false,
  durationMs: 0,
  retries: 0,
  evidence: {},
};

/** What of it the target itself said, as reports have it. */
export function saidIn({ output, messages, toolCalls, retrieved, model }: Session): Said {
  return {
    output,
    messages: messages.map((message) => ({ ...message })),
    tool_calls: toolCalls.map((call) => ({ ...call })),
    retrieved: retrieved?.map((each) => ({ ...each })) ?? null,
    model: model ?? null,
  };
}
