import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { anthropic } from "./protocols/anthropic.js";
import { gemini } from "./protocols/gemini.js";
import { openaiChat } from "./protocols/openai-chat.js";
import { openaiResponses } from "./protocols/openai-responses.js";
import { type Json, type ModelRequest, type Protocol, sendJson, TOKENS, type Turn } from "./protocols/protocol.js";

const PROTOCOLS: readonly Protocol[] = [anthropic, openaiResponses, openaiChat, gemini];

/** What comes back for one request: what the model says, an error with this HTTP status, or nothing, ever. */
export type Reply = Turn | { status: number } | "hang";

/** Decides on the reply to each request. */
export type Script = (request: ModelRequest) => Reply;

export interface ModelServer {
  /** `http://127.0.0.1:<port>` */
  url: string;
  /** The requests for an answer of the model so far. */
  requests: ModelRequest[];
  close: () => Promise<void>;
}

/** A server on loopback that speaks to agents as their models' services do, and says what `script` wants. */
export async function startModelServer(script: Script, models: readonly string[]): Promise<ModelServer> {
  const requests: ModelRequest[] = [];
  const server = createServer(async (message, response) => {
    const { pathname: path } = new URL(message.url ?? "/", "http://localhost");
    const body = await readBody(message);
    for (const protocol of PROTOCOLS) {
      const request = protocol.read(path, body);
      if (!request) continue;
      requests.push(request);
      return reply(protocol, response, request, script(request));
    }
    const other = otherAnswer(path, models);
    sendJson(response, other === undefined ? 404 : 200, other ?? { error: { message: `there is no ${path}` } });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function reply(protocol: Protocol, response: ServerResponse, request: ModelRequest, reply: Reply): void {
  if (reply === "hang") return;
  if (!("status" in reply)) protocol.answer(response, request, reply);
  else sendJson(response, reply.status, protocol.error(reply.status, `the server was told to say ${reply.status}`));
}

/** What agents ask for besides answers: the size of a prompt, and which models there are. */
function otherAnswer(path: string, models: readonly string[]): unknown {
  if (path.endsWith("/count_tokens")) return { input_tokens: TOKENS.input };
  if (path.endsWith(":countTokens")) return { totalTokens: TOKENS.input };
  if (!path.endsWith("/models")) return undefined;
  if (path.includes("v1beta"))
    return { models: models.map((id) => ({ name: `models/${id}`, supportedGenerationMethods: ["generateContent"] })) };
  const common = { object: "model", type: "model", created: 1, owned_by: "test" };
  const reasoning_efforts = ["low", "high"].map((value) => ({ value, label: value }));
  const data = models.map((id) => ({ ...common, id, display_name: id, reasoning_efforts }));
  return { object: "list", data, has_more: false };
}

async function readBody(message: IncomingMessage): Promise<Json> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk);
  const bytes = Buffer.concat(chunks);
  const unpack = { gzip: gunzipSync, br: brotliDecompressSync }[message.headers["content-encoding"] ?? ""];
  try {
    return JSON.parse((unpack ? unpack(bytes) : bytes).toString());
  } catch {
    return {};
  }
}
