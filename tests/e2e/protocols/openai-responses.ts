import { openaiError } from "./openai-chat.js";
import { type Json, list, newId, type Protocol, pick, sendEvents, sendJson, TOKENS, textOf } from "./protocol.js";

const RESULTS = ["function_call_output", "custom_tool_call_output", "local_shell_call_output"];

/** OpenAI Responses. */
export const openaiResponses: Protocol = {
  name: "openai-responses",
  read(path, body) {
    if (!path.endsWith("/responses")) return undefined;
    const input = typeof body["input"] === "string" ? [{ role: "user", content: body["input"] }] : list(body["input"]);
    const results = (input as Json[]).filter(({ type }) => RESULTS.includes(String(type)));
    return {
      protocol: this.name,
      model: String(body["model"]),
      effort: pick(body, "reasoning"),
      userTexts: (input as Json[]).filter(({ role }) => role === "user").map(({ content }) => textOf(content)),
      tools: list(body["tools"]).map((tool) => String(tool["name"] ?? tool["type"])),
      toolResults: results.map(({ output }) => (typeof output === "string" ? output : textOf(output))),
      stream: body["stream"] === true,
      body,
    };
  },
  answer(response, { model, stream }, turn) {
    const item = outputItem(turn);
    const usage = {
      input_tokens: TOKENS.input,
      input_tokens_details: { cached_tokens: TOKENS.cached },
      output_tokens: TOKENS.output,
      output_tokens_details: { reasoning_tokens: 5 },
      total_tokens: TOKENS.input + TOKENS.output,
    };
    const begun = { id: newId("resp"), object: "response", created_at: Math.floor(Date.now() / 1000), model };
    const done = { ...begun, status: "completed", output: [item], usage, error: null, incomplete_details: null };
    if (!stream) return sendJson(response, 200, done);
    const at = { output_index: 0 };
    const events: Json[] = [
      { type: "response.created", response: { ...begun, status: "in_progress", output: [] } },
      { type: "response.output_item.added", ...at, item: { ...item, status: "in_progress" } },
      ...("text" in turn
        ? [
            {
              type: "response.output_text.delta",
              ...at,
              item_id: item["id"],
              content_index: 0,
              delta: turn.text,
              logprobs: [],
            },
          ]
        : []),
      { type: "response.output_item.done", ...at, item },
      { type: "response.completed", response: done },
    ];
    sendEvents(
      response,
      events.map((event, sequence_number) => ({ ...event, sequence_number })),
      true,
    );
  },
  error: openaiError,
};

function outputItem(turn: Parameters<Protocol["answer"]>[2]): Json {
  if ("text" in turn) {
    const content = [{ type: "output_text", text: turn.text, annotations: [] }];
    return { type: "message", id: newId("msg"), role: "assistant", status: "completed", content };
  }
  const { name, input } = turn.tool;
  const call = { id: newId("fc"), call_id: newId("call"), name, status: "completed" };
  return { type: "function_call", ...call, arguments: JSON.stringify(input) };
}
