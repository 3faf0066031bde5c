import type { ServerResponse } from "node:http";

export type Json = Record<string, unknown>;

/** A call of one of the agent's own tools, as the model asks for it. */
export interface ToolUse {
  name: string;
  input: Json;
}

/** What the model says in one turn. */
export type Turn = { text: string } | { tool: ToolUse };

/** What matters in a request for an answer of the model. */
export interface ModelRequest {
  protocol: string;
  model: string;
  /** The fields that steer how hard the model thinks, as they were sent. */
  effort: Json;
  /** The text of every message of the user, the last one at the end. */
  userTexts: string[];
  /** The names of the tools that the model may call. */
  tools: string[];
  /** The results of tools that were called, as text. */
  toolResults: string[];
  stream: boolean;
  /** All of it, as it was sent. */
  body: Json;
}

/** One of the ways in which agents talk to models. */
export interface Protocol {
  name: string;
  /** Undefined: the path is not one of this protocol's. */
  read: (path: string, body: Json) => ModelRequest | undefined;
  answer: (response: ServerResponse, request: ModelRequest, turn: Turn) => void;
  error: (status: number, message: string) => Json;
}

/** What every answer is said to have cost. */
export const TOKENS = { input: 120, output: 17, cached: 20 };

export function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify(body));
}

/** Sends server-sent events and ends. An event with a `type` is named by it where `named`. */
export function sendEvents(response: ServerResponse, events: readonly (Json | string)[], named = false): void {
  response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache" });
  for (const event of events) {
    const name = named && typeof event !== "string" ? `event: ${event["type"]}\n` : "";
    response.write(`${name}data: ${typeof event === "string" ? event : JSON.stringify(event)}\n\n`);
  }
  response.end();
}

export function list(value: unknown): Json[] {
  return Array.isArray(value) ? value : [];
}

/** The text of a content that is a string or a list of parts. */
export function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  return list(content)
    .map((part) => part["text"] ?? "")
    .join("\n");
}

/** The fields of `names` that `body` has. */
export function pick(body: Json, ...names: string[]): Json {
  return Object.fromEntries(names.flatMap((name) => (body[name] === undefined ? [] : [[name, body[name]]])));
}

let last = 0;
export const newId = (prefix: string) => `${prefix}_${String(++last).padStart(6, "0")}`;
