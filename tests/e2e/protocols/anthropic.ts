import { type Json, list, newId, type Protocol, pick, sendEvents, sendJson, TOKENS, textOf } from "./protocol.js";

/** Anthropic Messages. */
export const anthropic: Protocol = {
  name: "anthropic-messages",
  read(path, body) {
    if (!path.endsWith("/messages")) return undefined;
    const messages = list(body["messages"]);
    const results = messages.flatMap(({ content }) => list(content).filter(({ type }) => type === "tool_result"));
    return {
      protocol: this.name,
      model: String(body["model"]),
      effort: pick(body, "thinking", "output_config"),
      userTexts: messages.filter(({ role }) => role === "user").map(({ content }) => textOf(content)),
      tools: list(body["tools"]).map(({ name }) => String(name)),
      toolResults: results.map(({ content }) => textOf(content)),
      stream: body["stream"] === true,
      body,
    };
  },
  answer(response, { model, stream }, turn) {
    const isTool = "tool" in turn;
    const block: Json = isTool
      ? { type: "tool_use", id: newId("toolu"), ...turn.tool }
      : { type: "text", text: turn.text };
    const stop = { stop_reason: isTool ? "tool_use" : "end_turn", stop_sequence: null };
    const usage = {
      input_tokens: TOKENS.input,
      output_tokens: TOKENS.output,
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: TOKENS.cached,
    };
    const message = { id: newId("msg"), type: "message", role: "assistant", model, content: [block], ...stop, usage };
    if (!stream) return sendJson(response, 200, message);
    const delta = isTool
      ? { type: "input_json_delta", partial_json: JSON.stringify(turn.tool.input) }
      : { type: "text_delta", text: turn.text };
    sendEvents(
      response,
      [
        { type: "message_start", message: { ...message, content: [], stop_reason: null } },
        {
          type: "content_block_start",
          index: 0,
          content_block: isTool ? { ...block, input: {} } : { ...block, text: "" },
        },
        { type: "content_block_delta", index: 0, delta },
        { type: "content_block_stop", index: 0 },
        { type: "message_delta", delta: stop, usage },
        { type: "message_stop" },
      ],
      true,
    );
  },
  error: (status, message) => ({
    type: "error",
    error: { type: { 401: "authentication_error", 429: "rate_limit_error" }[status] ?? "api_error", message },
  }),
};
