import type { ModelTable } from "../config/model-table.js";
import { didYouMean } from "../core/suggest.js";

/** How one model is reached. */
export interface ModelSettings {
  /** What the service calls it. */
  model: string;
  /** The base of its chat completions. */
  url: string;
  /** The variable that holds the key; undefined: none is sent. */
  apiKeyEnv?: string | undefined;
  /** As written: `{env:NAME}` is not replaced. */
  headers: Readonly<Record<string, string>>;
  /** More fields of every request. */
  params: Readonly<Record<string, unknown>>;
  maxConcurrency: number;
  /** Calls and tokens in a minute; undefined: no limit. */
  rpm?: number | undefined;
  tpm?: number | undefined;
  /** US dollars per million tokens. */
  price?: { input: number; output: number } | undefined;
}

const DEFAULT_CONCURRENCY = 8;

/** Services by the names that stand before the model: `openai:gpt-5`. */
const PROVIDERS: Readonly<Record<string, { url: string; apiKeyEnv?: string }>> = {
  anthropic: { url: "https://api.anthropic.com/v1", apiKeyEnv: "ANTHROPIC_API_KEY" },
  deepseek: { url: "https://api.deepseek.com/v1", apiKeyEnv: "DEEPSEEK_API_KEY" },
  gemini: { url: "https://generativelanguage.googleapis.com/v1beta/openai", apiKeyEnv: "GEMINI_API_KEY" },
  groq: { url: "https://api.groq.com/openai/v1", apiKeyEnv: "GROQ_API_KEY" },
  lmstudio: { url: "http://127.0.0.1:1234/v1" },
  mistral: { url: "https://api.mistral.ai/v1", apiKeyEnv: "MISTRAL_API_KEY" },
  ollama: { url: "http://127.0.0.1:11434/v1" },
  openai: { url: "https://api.openai.com/v1", apiKeyEnv: "OPENAI_API_KEY" },
  openrouter: { url: "https://openrouter.ai/api/v1", apiKeyEnv: "OPENROUTER_API_KEY" },
  vllm: { url: "http://127.0.0.1:8000/v1" },
  xai: { url: "https://api.x.ai/v1", apiKeyEnv: "XAI_API_KEY" },
};

/**
 * The settings of a model that is named in `[models.*]`, by a shorthand (`openai:gpt-5`), or by its URL; or what is
 * wrong. What is given beside the name overrides the table; a URL of one's own gets no key but that of `api_key_env`.
 */
export function resolveModel(
  { model: written, ...given }: ModelTable & { model: string },
  models: Readonly<Record<string, ModelTable>>,
): ModelSettings | string {
  const table = Object.hasOwn(models, written) ? models[written] : undefined;
  const fields = { ...table, ...given };
  const name = table?.model ?? written;
  const shorthand = /^([a-z]+):(.+)$/.exec(name);
  const provider = shorthand ? providerNamed(shorthand[1] ?? "") : undefined;
  const url = fields.url ?? provider?.url;
  if (url === undefined) return unknownModel(written, table !== undefined, models);
  return {
    model: provider && shorthand?.[2] ? shorthand[2] : name,
    url,
    apiKeyEnv: fields.api_key_env ?? (fields.url === undefined ? provider?.apiKeyEnv : undefined),
    headers: fields.headers ?? {},
    params: fields.params ?? {},
    maxConcurrency: fields.max_concurrency ?? DEFAULT_CONCURRENCY,
    rpm: fields.rpm,
    tpm: fields.tpm,
    price: fields.price,
  };
}

function providerNamed(name: string) {
  return Object.hasOwn(PROVIDERS, name) ? PROVIDERS[name] : undefined;
}

function unknownModel(written: string, isTable: boolean, models: Readonly<Record<string, ModelTable>>): string {
  const names = Object.keys(PROVIDERS);
  const prefix = /^([a-z]+):./.exec(written)?.[1];
  const shorthands = `${names.map((name) => `${name}:`).join(" ")}`;
  if (isTable) return `[models.${written}] has no url, and its model does not begin with one of ${shorthands}`;
  const suggestion = prefix === undefined ? didYouMean(written, Object.keys(models)) : didYouMean(prefix, names);
  return `unknown model '${written}'${suggestion}: give a url, a name of [models.*] in the configuration, or begin it with one of ${shorthands}`;
}
