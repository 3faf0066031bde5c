import { list, newId, type Protocol, pick, sendEvents, sendJson, TOKENS, textOf } from "./protocol.js";

/** The errors of both protocols of OpenAI. */
export function openaiError(status: number, message: string) {
  const type = { 401: "invalid_request_error", 429: "rate_limit_exceeded" }[status] ?? "server_error";
  return { error: { message, type, code: status === 401 ? "invalid_api_key" : null, param: null } };
}

/** OpenAI Chat Completions. */
export const openaiChat: Protocol = {
  name: "openai-chat",
  read(path, body) {
    if (!path.endsWith("/chat/completions")) return undefined;
    const messages = list(body["messages"]);
    return {
      protocol: this.name,
      model: String(body["model"]),
      effort: pick(body, "reasoning_effort", "reasoning", "thinking"),
      userTexts: messages.filter(({ role }) => role === "user").map(({ content }) => textOf(content)),
      tools: list(body["tools"]).map((tool) => String((tool["function"] as { name?: unknown } | undefined)?.name)),
      toolResults: messages.filter(({ role }) => role === "tool").map(({ content }) => textOf(content)),
      stream: body["stream"] === true,
      body,
    };
  },
  answer(response, { model, stream }, turn) {
    const isTool = "tool" in turn;
    const finish_reason = isTool ? "tool_calls" : "stop";
    const call = isTool && {
      index: 0,
      id: newId("call"),
      type: "function",
      function: { name: turn.tool.name, arguments: JSON.stringify(turn.tool.input) },
    };
    const said = call ? { role: "assistant", content: null, tool_calls: [call] } : { role: "assistant", content: "" };
    const delta = isTool ? said : { ...said, content: turn.text };
    const usage = {
      prompt_tokens: TOKENS.input,
      completion_tokens: TOKENS.output,
      total_tokens: TOKENS.input + TOKENS.output,
      prompt_tokens_details: { cached_tokens: TOKENS.cached },
    };
    const head = { id: newId("chatcmpl"), created: Math.floor(Date.now() / 1000), model };
    if (!stream) {
      const choices = [{ index: 0, message: delta, finish_reason }];
      return sendJson(response, 200, { ...head, object: "chat.completion", choices, usage });
    }
    const chunk = { ...head, object: "chat.completion.chunk" };
    sendEvents(response, [
      { ...chunk, choices: [{ index: 0, delta, finish_reason: null }] },
      { ...chunk, choices: [{ index: 0, delta: {}, finish_reason }] },
      { ...chunk, choices: [], usage },
      "[DONE]",
    ]);
  },
  error: openaiError,
};
