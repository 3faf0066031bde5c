import {
  type Answer,
  addUsage,
  isObject,
  listAt,
  numberAt,
  objectAt,
  type Reader,
  stringAt,
  sumAt,
  type ToolCall,
  textOf,
  usageFrom,
} from "../answer.js";
import { plainResult } from "./tool-result.js";

/** `pi --mode json`. */
export function piReader(): Reader {
  const calls = new Map<string, ToolCall>();
  let sessionId: string | undefined;
  let seen = false;
  let final: Answer | undefined;
  let trouble: string | undefined;
  return {
    take(event) {
      const type = stringAt(event, "type");
      seen ||= type === "session" || type === "agent_start" || type === "agent_end";
      if (type === "session") sessionId = stringAt(event, "id");
      const id = stringAt(event, "toolCallId") ?? "";
      if (type === "tool_execution_start") {
        calls.set(id, { name: stringAt(event, "toolName") ?? "", arguments: event["args"] });
      }
      if (type === "tool_execution_end") {
        const call = calls.get(id);
        if (call) call.result = resultOf(event["result"]);
        if (call && event["isError"] === true) call.error = true;
      }
      if (type === "auto_retry_start") trouble = stringAt(event, "errorMessage");
      // Comes again after each retry of the agent's own: the last one counts.
      if (type === "agent_end") final = readEnd(listAt(event, "messages"));
    },
    answer() {
      if (!seen) return undefined;
      const answer = final ?? { text: null, failure: "its output ends without an answer", toolCalls: [] };
      return { ...answer, trouble, sessionId, toolCalls: [...calls.values()] };
    },
  };
}

/** Its text; what a tool of an extension gives in another form stays as it is. */
function resultOf(result: unknown): unknown {
  const text = isObject(result) ? plainResult(result["content"]) : result;
  return typeof text === "string" ? text : result;
}

function readEnd(messages: readonly unknown[]): Answer {
  const answers = messages.filter((message) => isObject(message) && message["role"] === "assistant");
  const last = answers.at(-1);
  const stop = stringAt(last, "stopReason");
  const failed = last === undefined || stop === "error" || stop === "aborted";
  const failure =
    stringAt(last, "errorMessage") ?? (last === undefined ? "it gave no answer" : `it stopped with '${stop}'`);
  const usages = answers.map((message) => objectAt(message, "usage"));
  return {
    text: failed ? null : textOf((last as { content?: unknown }).content),
    failure: failed ? failure : undefined,
    usage: usages.map((usage) => usageFrom(usage, "input", "output", "cacheRead")).reduce(addUsage, undefined),
    inputTokens: usages.reduce((sum, usage) => sum + (sumAt(usage, "input", "cacheRead", "cacheWrite") ?? 0), 0),
    model: stringAt(last, "model"),
    costUsd: usages.reduce((sum, usage) => sum + (numberAt(objectAt(usage, "cost"), "total") ?? 0), 0),
    numTurns: answers.length,
    toolCalls: [],
  };
}
