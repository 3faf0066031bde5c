import { type Answer, objectAt, type Reader, stringAt, type ToolCall, textOf } from "../answer.js";

/** `openhands --headless --json`: the events of its SDK, by their `kind`. */
export function openhandsReader(): Reader {
  const answer: Answer = { text: null, toolCalls: [] };
  const calls = new Map<string, ToolCall>();
  let seen = false;
  return {
    take(event) {
      const kind = stringAt(event, "kind") ?? "";
      seen ||= kind.endsWith("Event");
      if (kind === "ConversationErrorEvent") answer.failure = stringAt(event, "detail") ?? "its conversation failed";
      if (event["source"] !== "agent") return;
      if (kind === "MessageEvent") answer.text = textOf(objectAt(event, "llm_message")["content"]);
      if (kind === "ActionEvent") takeAction(event, answer, calls);
    },
    answer: () => (seen ? { ...answer, toolCalls: [...calls.values()] } : undefined),
  };
}

function takeAction(event: Parameters<Reader["take"]>[0], answer: Answer, calls: Map<string, ToolCall>): void {
  const action = objectAt(event, "action");
  if (stringAt(action, "kind") === "FinishAction") {
    answer.text = stringAt(action, "message") ?? null;
    return;
  }
  // What was said before a tool was used is not the final answer.
  answer.text = null;
  const { kind: _, ...rest } = action;
  calls.set(stringAt(event, "tool_call_id") ?? `${calls.size}`, {
    name: stringAt(event, "tool_name") ?? "",
    arguments: rest,
  });
}
