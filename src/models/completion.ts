/** A message of a chat. */
export interface ChatMessage {
  role: "system" | "user" | "assistant";
  content: string;
}

export interface CompletionRequest {
  messages: readonly ChatMessage[];
  /** More fields of the request. */
  params?: Readonly<Record<string, unknown>> | undefined;
  signal?: AbortSignal | undefined;
  /** Of all tries together, from the first one's start; undefined: no limit. */
  timeoutMs?: number | undefined;
  /** What is done with words of the service before they are cut for a message: secrets in them are masked. */
  mask?: (text: string) => string;
  /** Where the key and what the headers name are found. */
  env?: NodeJS.ProcessEnv;
}

/** What one chat completion came to. */
export interface Completion {
  text: string;
  /** Zero where the service does not say. */
  inputTokens: number;
  outputTokens: number;
  /** Undefined: the price is not known, or no tokens were told. */
  costUsd?: number | undefined;
  /** As the service names it. */
  model: string;
  /** `stop`, `length`, `tool_calls` …; empty where the service does not say. */
  finishReason: string;
  toolCalls: readonly { name: string; arguments: unknown }[];
  /** Of the last try, without waiting. */
  latencyMs: number;
  retries: number;
  /** Why there is no answer; null: there is one. */
  error: string | null;
  /** Whether the service could not even be asked. */
  unavailable?: boolean;
}

type Body = Omit<Completion, "latencyMs" | "retries">;
type Fields = Readonly<Record<string, unknown>>;

const isFields = (value: unknown): value is Fields => typeof value === "object" && value !== null;
const fieldsAt = (value: unknown, key: string): Fields => {
  const found = isFields(value) ? value[key] : undefined;
  return isFields(found) ? found : {};
};
const textOf = (value: unknown) => (typeof value === "string" ? value : "");
const countOf = (value: unknown) => (typeof value === "number" && Number.isFinite(value) ? value : undefined);

interface ReadOptions {
  price?: { input: number; output: number } | undefined;
  mask?: CompletionRequest["mask"];
}

/** The body of a chat completion, of which nothing is sure but that a service sent it. */
export function readCompletion(body: unknown, model: string, { price, mask = (text) => text }: ReadOptions = {}): Body {
  const failed = (error: string) => ({ ...emptyCompletion(model), error });
  if (!isFields(body) || Array.isArray(body))
    return failed(`the answer is no chat completion: ${describe(body, mask)}`);
  const choices = Array.isArray(body["choices"]) ? body["choices"] : [];
  const usage = usageOf(body, price);
  const said = textOf(body["model"]) || model;
  // Some services answer an error with status 200.
  if (choices.length === 0) {
    const message = textOf(fieldsAt(body, "error")["message"]);
    return { ...failed(message || `the answer has no choices: ${describe(body, mask)}`), ...usage, model: said };
  }
  const [choice] = choices;
  const message = fieldsAt(choice, "message");
  return {
    text: contentOf(message["content"]) || textOf(message["refusal"]),
    ...usage,
    model: said,
    finishReason: isFields(choice) ? textOf(choice["finish_reason"]) : "",
    toolCalls: (Array.isArray(message["tool_calls"]) ? message["tool_calls"] : []).map(toolCall),
    error: null,
  };
}

export function emptyCompletion(model: string): Body {
  return { text: "", inputTokens: 0, outputTokens: 0, model, finishReason: "", toolCalls: [], error: null };
}

function usageOf(body: Fields, price?: { input: number; output: number }) {
  const usage = fieldsAt(body, "usage");
  const [input, output] = [countOf(usage["prompt_tokens"]), countOf(usage["completion_tokens"])];
  const known = price && (input !== undefined || output !== undefined);
  const costUsd = known ? ((input ?? 0) * price.input + (output ?? 0) * price.output) / 1e6 : undefined;
  return { inputTokens: input ?? 0, outputTokens: output ?? 0, costUsd };
}

/** A text, or a list of parts. */
function contentOf(content: unknown): string {
  if (!Array.isArray(content)) return textOf(content);
  return content.map((part) => (isFields(part) ? textOf(part["text"]) : "")).join("");
}

function toolCall(call: unknown): { name: string; arguments: unknown } {
  const { name, arguments: written } = fieldsAt(call, "function");
  return { name: textOf(name), arguments: parsed(written) };
}

/** Arguments come as JSON text, which models do not always get right. */
function parsed(written: unknown): unknown {
  if (typeof written !== "string") return written ?? {};
  try {
    return JSON.parse(written);
  } catch {
    return written;
  }
}

function describe(body: unknown, mask: (text: string) => string): string {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  return text ? mask(text).slice(0, 200) : "it is empty";
}
