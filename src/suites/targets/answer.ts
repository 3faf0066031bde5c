import * as z from "zod";
import { describeThrown } from "../../core/errors.js";
import { isNestedTooDeeply } from "../../core/nesting.js";
import { describeValue } from "../../core/text.js";
import { zodProblems } from "../../core/zod-problems.js";
import type { Json } from "../json.js";
import { emptySession, type Message, type Session } from "../session.js";
import { taskText } from "../test-case.js";
import type { Call } from "./call.js";

const count = "a whole number of at least 0";
const text = z.string("a string");
/** It comes out of JSON. Zod's own schema would lose a key `__proto__`. */
const json = z.custom<Json>();

/** What a target may hand back: keys that are not known are passed over, the known ones are of these types. */
export const answerSchema = z.object(
  {
    output: json.optional(),
    turns: z.int(count).min(0, count).optional(),
    messages: z
      .array(
        z.object(
          {
            role: z.enum(["user", "assistant", "system", "tool"], "'user', 'assistant', 'system' or 'tool'"),
            name: text.optional(),
            // Null where a message is nothing but calls of tools.
            content: text.nullish(),
          },
          "a mapping",
        ),
        "a list of messages",
      )
      .optional(),
    tool_calls: z
      .array(
        z.object(
          {
            name: text,
            arguments: json.optional(),
            result: json.optional(),
            error: text.nullish(),
          },
          "a mapping",
        ),
        "a list of calls",
      )
      .optional(),
    retrieved: z
      .array(
        z.object(
          {
            id: z.union([text, z.number()], { error: "a string or a number" }).transform(String),
            text: text.optional(),
            score: z.number("a number").optional(),
          },
          "a mapping",
        ),
        "a list of documents",
      )
      .optional(),
    usage: z
      .object(
        { input_tokens: z.int(count).min(0, count).optional(), output_tokens: z.int(count).min(0, count).optional() },
        "a mapping",
      )
      .optional(),
    cost_usd: z.number("a number of at least 0").min(0, "a number of at least 0").nullish(),
    model: text.optional(),
    error: text.nullish(),
  },
  "a mapping",
);

type AnswerObject = z.infer<typeof answerSchema>;

/** A session from nothing but a final message. */
export function sessionFromText(output: string, call: Call): Session {
  return { ...emptySession, output, turns: 1, messages: exchange(output, call) };
}

/** A session from an output that is any JSON value. */
export function sessionFromOutput(output: Json, call: Call): Session {
  return isNestedTooDeeply(output) ? failedSession(TOO_DEEP) : sessionFromText(outputText(output), call);
}

/** An answer that is larger is a mistake, and scoring it would take all memory. Bytes, or characters. */
export const MAX_ANSWER = 16 * 1024 * 1024;

/** A session from what a function returned, as JSON. */
export function sessionFromJson(json: string, call: Call): Session {
  if (json.length > MAX_ANSWER)
    return failedSession(`the output has ${json.length} characters: at most ${MAX_ANSWER} are read`);
  const value = JSON.parse(json);
  return isAnswerObject(value) ? sessionFromObject(value, call) : sessionFromOutput(value, call);
}

/** The same from what it returned itself; `who` is how it is called in messages. */
export function sessionFromReturned(value: unknown, who: string, call: Call): Session {
  let json: string | undefined;
  try {
    json = JSON.stringify(value);
  } catch (error) {
    return failedSession(`${who} returned what is no JSON: ${describeThrown(error)}`);
  }
  if (json !== undefined) return sessionFromJson(json, call);
  const found = value === undefined ? "undefined" : `a ${typeof value}`;
  return failedSession(`${who} returned ${found}: an output is a text or another JSON value`);
}

/** Why what a target handed back is not looked at: one answer must not end the run of all. */
export const TOO_DEEP = "malformed answer: it is nested too deeply";

/** A session that did not come to an answer. */
export function failedSession(error: string): Session {
  return { ...emptySession, error };
}

/** A session of a target that could not be asked: a program or service that is not there, a variable that is not set. */
export function unavailable(error: string): Session {
  return { ...failedSession(error), unavailable: true };
}

/** Whether a value is an answer in the form of an object, rather than an output that is one. */
export function isAnswerObject(value: unknown): value is Record<string, unknown> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  return (
    Object.hasOwn(value, "output") || (Object.hasOwn(value, "error") && typeof value["error" as never] === "string")
  );
}

/** A session from the object that a target handed back; what is wrong with the object is the session's error. */
export function sessionFromObject(value: unknown, call: Call): Session {
  if (isNestedTooDeeply(value)) return failedSession(TOO_DEEP);
  const { data, error } = answerSchema.safeParse(value);
  if (error) {
    const [problem, ...others] = zodProblems(error, { value, describe: describeAnswered, locate: () => ({}) });
    const more = others.length > 0 ? `; and ${others.length} more` : "";
    return failedSession(`malformed answer: ${problem?.field ?? "it"}: ${problem?.message}${more}`);
  }
  const messages = data.messages?.map(toMessage);
  const said = messages?.findLast(({ role }) => role === "assistant")?.content;
  const failure = data.error?.trim() ? data.error : null;
  if (data.output === undefined && said === undefined && failure === null) {
    return failedSession("malformed answer: it has no `output`, no message of an assistant and no `error`");
  }
  const output = data.output === undefined ? (said ?? "") : outputText(data.output);
  return {
    ...emptySession,
    output,
    messages: messages ?? exchange(output, call),
    toolCalls: (data.tool_calls ?? []).map(toToolCall),
    ...(data.retrieved && { retrieved: data.retrieved.map(withoutUndefined) }),
    turns: data.turns ?? messages?.filter(({ role }) => role === "assistant").length ?? 1,
    inputTokens: data.usage?.input_tokens ?? 0,
    outputTokens: data.usage?.output_tokens ?? 0,
    ...(typeof data.cost_usd === "number" && { costUsd: data.cost_usd }),
    ...(data.model !== undefined && { model: data.model }),
    error: failure,
  };
}

/** Not the text itself: it would be cut, and half a secret is none that is known. */
function describeAnswered(value: unknown): string {
  return typeof value === "string" ? "a string" : describeValue(value);
}

/** An output as the final message: a text as it is, null as nothing, any other value as JSON. */
function outputText(output: Json): string {
  if (typeof output === "string") return output;
  return output === null ? "" : JSON.stringify(output);
}

function exchange(output: string, { input }: Call): Message[] {
  return [
    { role: "user", content: taskText(input) },
    { role: "assistant", content: output },
  ];
}

function toMessage({ role, name, content }: NonNullable<AnswerObject["messages"]>[number]): Message {
  return { role, ...(name !== undefined && { name }), content: content ?? "" };
}

function toToolCall({ name, error, ...rest }: NonNullable<AnswerObject["tool_calls"]>[number]) {
  return {
    name,
    arguments: rest.arguments ?? {},
    ...(rest.result !== undefined && { result: rest.result }),
    ...(typeof error === "string" && { error }),
  };
}

function withoutUndefined({ id, text, score }: NonNullable<AnswerObject["retrieved"]>[number]) {
  return { id, ...(text !== undefined && { text }), ...(score !== undefined && { score }) };
}
