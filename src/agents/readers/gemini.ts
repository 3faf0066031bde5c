import { type Answer, numberAt, objectAt, type Reader, stringAt, type ToolCall, usageFrom } from "../answer.js";

/** Gemini CLI's `stream-json`. */
export function geminiReader(): Reader {
  const answer: Answer = { text: null, failure: "its output ends without a result", toolCalls: [] };
  const calls = new Map<string, ToolCall>();
  let seen = false;
  let text = "";
  return {
    take(event) {
      const type = stringAt(event, "type");
      seen ||= type === "init" || type === "message" || type === "result";
      if (type === "init") {
        answer.sessionId = stringAt(event, "session_id");
        answer.model = stringAt(event, "model");
      }
      // The answer comes in pieces; what was said before a tool was used is not a part of it.
      if (type === "message" && event["role"] === "assistant") text += stringAt(event, "content") ?? "";
      if (type === "tool_use") {
        text = "";
        const call = { name: stringAt(event, "tool_name") ?? "", arguments: event["parameters"] };
        calls.set(stringAt(event, "tool_id") ?? `${calls.size}`, call);
      }
      if (type === "tool_result") takeResult(event, calls);
      if (type === "result") takeEnd(event, text, answer);
    },
    answer: () => (seen ? { ...answer, toolCalls: [...calls.values()] } : undefined),
  };
}

function takeEnd(event: Parameters<Reader["take"]>[0], text: string, answer: Answer): void {
  const success = event["status"] === "success";
  answer.text = success ? text : null;
  answer.failure = success ? undefined : (stringAt(objectAt(event, "error"), "message") ?? "its result is an error");
  answer.usage = usageFrom(event["stats"], "input_tokens", "output_tokens", "cached");
  answer.inputTokens = numberAt(event["stats"], "input_tokens");
}

function takeResult(event: Parameters<Reader["take"]>[0], calls: Map<string, ToolCall>): void {
  const call = calls.get(stringAt(event, "tool_id") ?? "");
  if (!call) return;
  call.result = event["output"];
  if (event["status"] !== "success") call.error = true;
}
