import { type Json, list, newId, type Protocol, pick, sendEvents, sendJson, TOKENS } from "./protocol.js";

const STATUS: Record<number, string> = { 401: "UNAUTHENTICATED", 429: "RESOURCE_EXHAUSTED" };

/** Gemini generateContent and streamGenerateContent. */
export const gemini: Protocol = {
  name: "gemini",
  read(path, body) {
    const [, model, method] = /\/models\/([^:/]+):(generateContent|streamGenerateContent)$/.exec(path) ?? [];
    if (model === undefined) return undefined;
    const contents = [body["contents"]].flat() as Json[];
    const parts = contents.flatMap((content) => list(content["parts"]));
    const config = (body["generationConfig"] ?? {}) as Json;
    return {
      protocol: this.name,
      model,
      effort: pick(config, "thinkingConfig"),
      userTexts: contents.filter(({ role }) => role !== "model").map((content) => textOfParts(list(content["parts"]))),
      tools: list(body["tools"]).flatMap((tool) => list(tool["functionDeclarations"]).map(({ name }) => String(name))),
      toolResults: parts.flatMap(({ functionResponse }) =>
        functionResponse ? [JSON.stringify(functionResponse)] : [],
      ),
      stream: method === "streamGenerateContent",
      body,
    };
  },
  answer(response, { model, stream }, turn) {
    const part =
      "text" in turn ? { text: turn.text } : { functionCall: { name: turn.tool.name, args: turn.tool.input } };
    const body = {
      candidates: [{ content: { role: "model", parts: [part] }, finishReason: "STOP", index: 0 }],
      usageMetadata: {
        promptTokenCount: TOKENS.input,
        candidatesTokenCount: TOKENS.output,
        cachedContentTokenCount: TOKENS.cached,
        totalTokenCount: TOKENS.input + TOKENS.output,
      },
      modelVersion: model,
      responseId: newId("gemini"),
    };
    if (stream) sendEvents(response, [body]);
    else sendJson(response, 200, body);
  },
  error: (code, message) => ({ error: { code, message, status: STATUS[code] ?? "INTERNAL" } }),
};

function textOfParts(parts: readonly Json[]): string {
  return parts.map((part) => part["text"] ?? "").join("\n");
}
