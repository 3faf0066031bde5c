import { type Answer, addUsage, numberAt, objectAt, type Reader, stringAt, sumAt, usageFrom } from "../answer.js";

/** `opencode run --format json`. */
export function opencodeReader(): Reader {
  const answer: Answer = { text: null, toolCalls: [] };
  let seen = false;
  return {
    take(event) {
      const part = objectAt(event, "part");
      if (event["error"] !== undefined) answer.failure = errorText(event["error"]);
      const type = stringAt(event, "type");
      seen ||= type === "step_start" || type === "text" || type === "tool_use" || type === "error";
      answer.sessionId ??= stringAt(event, "sessionID");
      if (type === "text") answer.text = stringAt(part, "text") ?? null;
      if (type === "tool_use") {
        // What was said before a tool was used is not the final answer.
        answer.text = null;
        const state = objectAt(part, "state");
        const call = { name: stringAt(part, "tool") ?? "", arguments: state["input"], result: state["output"] };
        answer.toolCalls.push(hasFailed(part) ? { ...call, error: true } : call);
      }
      if (type === "step_finish") {
        answer.numTurns = (answer.numTurns ?? 0) + 1;
        const tokens = objectAt(part, "tokens");
        const flat = { ...tokens, cached: numberAt(objectAt(tokens, "cache"), "read") };
        answer.usage = addUsage(answer.usage, usageFrom(flat, "input", "output", "cached"));
        const cache = sumAt(objectAt(tokens, "cache"), "read", "write") ?? 0;
        answer.inputTokens = (answer.inputTokens ?? 0) + (numberAt(tokens, "input") ?? 0) + cache;
        answer.costUsd = (answer.costUsd ?? 0) + (numberAt(part, "cost") ?? 0);
      }
    },
    answer: () => (seen ? answer : undefined),
  };
}

/** It calls a command complete however it ended, and so the call of a tool that there is not. */
function hasFailed(part: Parameters<Reader["take"]>[0]): boolean {
  const state = objectAt(part, "state");
  const exit = numberAt(objectAt(state, "metadata"), "exit") ?? 0;
  return state["status"] === "error" || exit !== 0 || stringAt(part, "tool") === "invalid";
}

function errorText(error: unknown): string {
  return (
    stringAt(objectAt(error, "data"), "message") ??
    stringAt(error, "message") ??
    stringAt(error, "name") ??
    "it reported an error"
  );
}
