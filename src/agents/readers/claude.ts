import {
  type AgentEvent,
  type Answer,
  listAt,
  numberAt,
  objectAt,
  type Reader,
  stringAt,
  sumAt,
  type ToolCall,
  usageFrom,
} from "../answer.js";
import { grokCommand, plainResult } from "./tool-result.js";

/** Claude Code's `stream-json` and `json`; Grok's `streaming-messages-json` is of the same form. */
export function claudeReader(): Reader {
  let seen = false;
  let final: Answer | undefined;
  let trouble: string | undefined;
  let model: string | undefined;
  const calls = new Map<string, ToolCall>();
  return {
    take(event) {
      const type = stringAt(event, "type");
      seen ||= type === "system" || type === "assistant" || type === "result";
      if (stringAt(event, "subtype") === "api_retry") trouble = retryOf(event);
      if (type === "system") model ??= stringAt(event, "model");
      if (type === "assistant") takeCalls(event, calls);
      if (type === "user") takeResults(event, calls);
      if (type === "result") {
        final = {
          text: isError(event) ? null : (stringAt(event, "result") ?? null),
          failure: isError(event) ? failureOf(event) : undefined,
          usage: usageFrom(event["usage"], "input_tokens", "output_tokens", "cache_read_input_tokens"),
          inputTokens: sumAt(event["usage"], "input_tokens", "cache_read_input_tokens", "cache_creation_input_tokens"),
          costUsd: numberAt(event, "total_cost_usd"),
          numTurns: numberAt(event, "num_turns"),
          sessionId: stringAt(event, "session_id"),
          toolCalls: [],
        };
      }
    },
    answer() {
      if (!seen) return undefined;
      const toolCalls = [...calls.values()];
      return { ...(final ?? { text: null, failure: "its output ends without a result" }), trouble, model, toolCalls };
    },
  };
}

/** `subtype` says "success" also of some errors; it counts where nothing else does. */
function isError({ is_error, subtype }: AgentEvent): boolean {
  return is_error === undefined ? subtype !== undefined && subtype !== "success" : is_error !== false;
}

/** Claude Code says it in `result`, Grok in `errors`. */
function failureOf(event: AgentEvent): string {
  const errors = listAt(event, "errors").filter((error) => typeof error === "string");
  const said = stringAt(event, "result") || errors.join("; ") || stringAt(event, "subtype");
  return said || "its result is marked as an error";
}

/** It tries again for minutes, and says so. */
function retryOf(event: AgentEvent): string {
  const what = [numberAt(event, "error_status"), stringAt(event, "error")].filter((part) => part !== undefined);
  return `API error ${what.join(" ")}, try ${numberAt(event, "attempt")} of ${numberAt(event, "max_retries")}`;
}

function takeCalls(event: unknown, calls: Map<string, ToolCall>): void {
  for (const part of listAt(objectAt(event, "message"), "content")) {
    if (stringAt(part, "type") !== "tool_use") continue;
    const { input } = part as { input?: unknown };
    calls.set(stringAt(part, "id") ?? `${calls.size}`, { name: stringAt(part, "name") ?? "", arguments: input });
  }
}

function takeResults(event: unknown, calls: Map<string, ToolCall>): void {
  for (const part of listAt(objectAt(event, "message"), "content")) {
    const call = stringAt(part, "type") === "tool_result" ? calls.get(stringAt(part, "tool_use_id") ?? "") : undefined;
    if (!call) continue;
    const { content, is_error } = part as { content?: unknown; is_error?: unknown };
    Object.assign(call, grokCommand(content) ?? { result: plainResult(content) });
    if (is_error === true) call.error = true;
  }
}
