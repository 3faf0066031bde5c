/** One call of a tool, in the order of the agent's output. */
export interface ToolCall {
  name: string;
  arguments: unknown;
  result?: unknown;
  error?: boolean;
}

export interface Usage {
  input_tokens: number;
  output_tokens: number;
  cached_input_tokens: number;
}

/** What an agent answered, as far as its output says. */
export interface Answer {
  /** The final answer and nothing else; null when there is none. */
  text: string | null;
  /** Why the agent itself says that it failed. */
  failure?: string | undefined;
  /** The last error that it reported and did not give up at: what it was busy with when it was ended. */
  trouble?: string | undefined;
  usage?: Usage | undefined;
  /** All of the input, whether or not it came from a cache or went into one: agents count that in different ways. */
  inputTokens?: number | undefined;
  /** The model that answered, where the agent says so. */
  model?: string | undefined;
  costUsd?: number | undefined;
  numTurns?: number | undefined;
  sessionId?: string | undefined;
  toolCalls: ToolCall[];
}

/** An event of an agent's output: any JSON object. Its fields are not to be trusted. */
export type AgentEvent = Readonly<Record<string, unknown>>;

/** Takes the events of one output in, in order; `answer` is undefined when not one was of its kind. */
export interface Reader {
  take: (event: AgentEvent) => void;
  answer: () => Answer | undefined;
}

/** The object at a key, or an empty one. */
export function objectAt(value: unknown, key: string): AgentEvent {
  const found = isObject(value) ? value[key] : undefined;
  return isObject(found) ? found : {};
}

export function stringAt(value: unknown, key: string): string | undefined {
  const found = isObject(value) ? value[key] : undefined;
  return typeof found === "string" ? found : undefined;
}

export function numberAt(value: unknown, key: string): number | undefined {
  const found = isObject(value) ? value[key] : undefined;
  return typeof found === "number" && Number.isFinite(found) ? found : undefined;
}

/** The sum of the numbers at some keys; undefined when there is none of them. */
export function sumAt(value: unknown, ...keys: readonly string[]): number | undefined {
  const numbers = keys.map((key) => numberAt(value, key)).filter((number) => number !== undefined);
  return numbers.length === 0 ? undefined : numbers.reduce((sum, number) => sum + number, 0);
}

export function listAt(value: unknown, key: string): readonly unknown[] {
  const found = isObject(value) ? value[key] : undefined;
  return Array.isArray(found) ? found : [];
}

export function isObject(value: unknown): value is AgentEvent {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The text of a message whose content is a string or a list of parts. */
export function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content.map((part) => (stringAt(part, "type") === "text" ? (stringAt(part, "text") ?? "") : "")).join("");
}

/** Usage from an object with other names for the same numbers; undefined when it holds none of them. */
export function usageFrom(value: unknown, input: string, output: string, cached: string): Usage | undefined {
  const numbers = [numberAt(value, input), numberAt(value, output), numberAt(value, cached)];
  if (numbers.every((number) => number === undefined)) return undefined;
  const [input_tokens = 0, output_tokens = 0, cached_input_tokens = 0] = numbers;
  return { input_tokens, output_tokens, cached_input_tokens };
}

export function addUsage(a: Usage | undefined, b: Usage | undefined): Usage | undefined {
  if (!a || !b) return a ?? b;
  return {
    input_tokens: a.input_tokens + b.input_tokens,
    output_tokens: a.output_tokens + b.output_tokens,
    cached_input_tokens: a.cached_input_tokens + b.cached_input_tokens,
  };
}
