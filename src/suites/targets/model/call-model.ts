import { createModelClient, type ModelClient } from "../../../models/client.js";
import type { ChatMessage } from "../../../models/completion.js";
import type { ModelSettings } from "../../../models/settings.js";
import type { Json } from "../../json.js";
import { emptySession, type Session } from "../../session.js";
import { taskText } from "../../test-case.js";
import type { Call } from "../call.js";
import type { TargetBase } from "../target-type.js";

/** One chat completion of a model. */
export interface ModelTarget extends TargetBase {
  type: "model";
  settings: ModelSettings;
  /** The system message. */
  instructions?: string | undefined;
}

/** One chat completion. An input that is a list of chat messages is sent as such. */
export async function callModel({ settings, instructions }: ModelTarget, call: Call): Promise<Session> {
  const { context, input, timeoutMs } = call;
  const asked: readonly ChatMessage[] = isChat(input) ? input : [{ role: "user", content: taskText(input) }];
  const messages = [
    ...(instructions === undefined ? [] : [{ role: "system" as const, content: instructions }]),
    ...asked,
  ];
  const { signal, env } = context;
  const completion = await clientOf(settings, call).complete({
    messages,
    signal,
    timeoutMs,
    env,
    mask: context.redactor.text,
  });
  const { text, toolCalls, costUsd, error } = completion;
  return {
    ...emptySession,
    output: text,
    messages: error === null ? [...messages, { role: "assistant", content: text }] : messages,
    toolCalls: toolCalls.map((called) => ({ name: called.name, arguments: called.arguments as Json })),
    turns: error === null ? 1 : 0,
    inputTokens: completion.inputTokens,
    outputTokens: completion.outputTokens,
    ...(costUsd !== undefined && { costUsd }),
    model: completion.model,
    error,
    unavailable: completion.unavailable ?? false,
    durationMs: completion.latencyMs,
    retries: completion.retries,
  };
}

/** All calls of a run go through one client for each model: its limits are for all of them together. */
const clients = new WeakMap<object, Map<string, ModelClient>>();

function clientOf(settings: ModelSettings, { context }: Call): ModelClient {
  const known = clients.get(context.config) ?? new Map<string, ModelClient>();
  clients.set(context.config, known);
  const key = JSON.stringify(settings);
  const client = known.get(key) ?? createModelClient(settings);
  known.set(key, client);
  return client;
}

function isChat(input: Json): input is (ChatMessage & { [key: string]: Json })[] {
  const roles = ["system", "user", "assistant"];
  const isMessage = (entry: Json) =>
    typeof entry === "object" &&
    entry !== null &&
    !Array.isArray(entry) &&
    roles.includes(String(entry["role"])) &&
    typeof entry["content"] === "string";
  return Array.isArray(input) && input.length > 0 && input.every(isMessage);
}
