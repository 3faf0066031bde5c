import { type Answer, numberAt, objectAt, type Reader, stringAt, type ToolCall, usageFrom } from "../answer.js";

const TOOL_ITEMS = new Set(["command_execution", "mcp_tool_call", "file_change", "web_search"]);

/** `codex exec --json`. */
export function codexReader(): Reader {
  const answer: Answer = { text: null, toolCalls: [] };
  let seen = false;
  let turns = 0;
  return {
    take(event) {
      const type = stringAt(event, "type") ?? "";
      seen ||= /^(thread|turn|item)\./.test(type);
      if (type === "thread.started") answer.sessionId = stringAt(event, "thread_id");
      // It goes on trying after such an error.
      if (type === "error") answer.trouble = answer.failure = stringAt(event, "message") ?? "it reported an error";
      if (type === "turn.failed") {
        answer.failure = stringAt(objectAt(event, "error"), "message") ?? "its turn failed";
        answer.text = null;
      }
      if (type === "turn.completed") {
        turns++;
        // An error before it was one that the agent got over.
        answer.failure = undefined;
        answer.usage = usageFrom(event["usage"], "input_tokens", "output_tokens", "cached_input_tokens");
        answer.inputTokens = numberAt(event["usage"], "input_tokens");
      }
      if (type === "item.completed") takeItem(objectAt(event, "item"), answer);
    },
    answer: () => (seen ? { ...answer, numTurns: turns } : undefined),
  };
}

function takeItem(item: Parameters<Reader["take"]>[0], answer: Answer): void {
  const type = stringAt(item, "type") ?? "";
  if (type === "agent_message") answer.text = stringAt(item, "text") ?? null;
  if (!TOOL_ITEMS.has(type)) return;
  // What was said before a tool was used is not the final answer.
  answer.text = null;
  answer.toolCalls.push(toolCall(type, item));
}

function toolCall(type: string, item: Parameters<Reader["take"]>[0]): ToolCall {
  if (type === "command_execution") {
    const failed = typeof item["exit_code"] === "number" && item["exit_code"] !== 0;
    const call = { name: type, arguments: { command: item["command"] }, result: item["aggregated_output"] };
    return failed ? { ...call, error: true } : call;
  }
  const { id: _, type: __, status, result, ...rest } = item;
  const call = { name: stringAt(item, "tool") ?? type, arguments: item["arguments"] ?? rest, result };
  return status === "failed" ? { ...call, error: true } : call;
}
