import type OpenAI from "openai";
import { expandEnv } from "../core/env.js";
import { describeCauses, isUnreachable } from "../core/errors.js";
import { patientDispatcher } from "../core/patient-dispatcher.js";
import { parseRetryAfter, pause, type Try, withRetries } from "../core/retry.js";
import { oneLine } from "../core/text.js";
import { LONGEST_TIMEOUT_MS, startTimeLimit } from "../core/time-limit.js";
import { type Completion, type CompletionRequest, emptyCompletion, readCompletion } from "./completion.js";
import { createAdaptiveLimit, createRate } from "./limits.js";
import type { ModelSettings } from "./settings.js";

export interface ModelClient {
  /** Never throws: what goes wrong is `error`. */
  complete: (request: CompletionRequest) => Promise<Completion>;
}

/** Refused for now, and worth another try: too many requests, or overloaded. */
const REFUSED = new Set([429, 503, 529]);

/** Calls one model, no more at a time and in a minute than its settings and the service allow. */
export function createModelClient(settings: ModelSettings): ModelClient {
  const limit = createAdaptiveLimit(settings.maxConcurrency);
  const rate = createRate(settings);
  const failed = (error: string) => ({ ...emptyCompletion(settings.model), latencyMs: 0, retries: 0, error });

  return {
    async complete(request) {
      const env = request.env ?? process.env;
      const headers = expandEnv(settings.headers, env);
      const missing = missingVariable(settings, env) ?? headers.missing[0];
      if (missing !== undefined) {
        return { ...failed(`the variable ${missing} is not set: the model is called with it`), unavailable: true };
      }
      return limit.run(async () => {
        await takeTurn(rate, request.signal);
        if (request.signal?.aborted) return failed("it was stopped");
        const deadline = request.timeoutMs === undefined ? undefined : performance.now() + request.timeoutMs;
        let tries = 0;
        const call = async (): Promise<Try<Body>> => {
          const begunAt = performance.now();
          // The first one has its turn. What is refused counts, too.
          if (tries++ > 0) rate.began(begunAt);
          const result = await callOnce(settings, { ...request, env, deadline, headers: headers.env });
          if (result.retryAfterMs !== undefined) limit.refused(begunAt);
          else if (result.value.error === null) limit.succeeded();
          rate.used(result.value.inputTokens + result.value.outputTokens, performance.now());
          return result;
        };
        const { value, retries, durationMs, gaveUp } = await withRetries(call, {
          signal: request.signal,
          deadline,
          delayMs: () => rate.delayMs(performance.now()),
        });
        const error = value.error !== null && gaveUp !== "" ? `${value.error} (${gaveUp})` : value.error;
        return { ...value, error, latencyMs: durationMs, retries };
      });
    },
  };
}

type Body = ReturnType<typeof emptyCompletion>;

/** The variable of the key, where it is wanted and not there. An empty one is as good as none. */
function missingVariable({ apiKeyEnv }: ModelSettings, env: NodeJS.ProcessEnv): string | undefined {
  return apiKeyEnv !== undefined && !env[apiKeyEnv] ? apiKeyEnv : undefined;
}

async function takeTurn(rate: ReturnType<typeof createRate>, signal: AbortSignal | undefined): Promise<void> {
  for (let wait = rate.delayMs(performance.now()); wait > 0 && !signal?.aborted; ) {
    await pause(wait, signal);
    wait = rate.delayMs(performance.now());
  }
  rate.began(performance.now());
}

interface Once extends CompletionRequest {
  env: NodeJS.ProcessEnv;
  headers: Readonly<Record<string, string>>;
  deadline: number | undefined;
}

async function callOnce(settings: ModelSettings, request: Once): Promise<Try<Body>> {
  const left = request.deadline === undefined ? undefined : request.deadline - performance.now();
  const { mask = (text: string) => text } = request;
  const limit = startTimeLimit(left, request.signal);
  const client = await openAiClient(settings, request);
  try {
    const body: unknown = await client.chat.completions.create(
      { ...settings.params, ...request.params, model: settings.model, messages: [...request.messages], stream: false },
      // Ours is the one that counts.
      { signal: limit.signal, timeout: LONGEST_TIMEOUT_MS },
    );
    return { value: readCompletion(body, settings.model, { price: settings.price, mask }) };
  } catch (error) {
    const fail = (message: string) => ({ value: { ...emptyCompletion(settings.model), error: message } });
    if (request.signal?.aborted) return fail("it was stopped");
    if (limit.timedOut()) return fail(`timed out after ${(request.timeoutMs ?? 0) / 1000} s`);
    return describeFailure(error as Failure, fail, mask);
  } finally {
    limit.release();
  }
}

/** What the package throws, as far as it is of use here. */
type Failure = Error & { status?: number; headers?: Headers; code?: string | null };

function describeFailure(
  error: Failure,
  fail: (message: string) => Try<Body>,
  mask: (text: string) => string,
): Try<Body> {
  const { status, headers, message } = error;
  if (status === undefined) {
    const { value } = fail(`the model could not be asked: ${oneLine(mask(describeCauses(error)), 500)}`);
    return { value: { ...value, unavailable: isUnreachable(error) } };
  }
  const location = headers?.get("location");
  if (status >= 300 && status < 400 && location) {
    return fail(
      `HTTP ${status}: the service is now at ${oneLine(mask(location), 200)}; the key is not sent there: set url to it`,
    );
  }
  const said = oneLine(mask(message.replace(/^\d{3} /, "")), 500);
  // A quota that is used up is not given back by waiting.
  const isFinal = !REFUSED.has(status) || error.code === "insufficient_quota";
  const ms = headers?.get("retry-after-ms") ?? "";
  const wait = /^\d+(\.\d+)?$/.test(ms) ? Number(ms) : parseRetryAfter(headers?.get("retry-after"));
  return { ...fail(`HTTP ${status}: ${said}`), ...(!isFinal && { retryAfterMs: wait }) };
}

async function openAiClient(settings: ModelSettings, { env, headers }: Once): Promise<OpenAI> {
  // Loaded when a model is called for the first time: it takes longer than the start of eb.
  const { OpenAI } = await import("openai");
  const dispatcher = patientDispatcher();
  const key = settings.apiKeyEnv === undefined ? undefined : env[settings.apiKeyEnv];
  return new OpenAI({
    baseURL: settings.url,
    apiKey: key ?? "none",
    // Else taken from variables that are meant for OpenAI itself, whatever the URL is.
    adminAPIKey: null,
    organization: null,
    project: null,
    defaultHeaders: { ...strayHeaders(), ...(key === undefined && { authorization: null }), ...headers },
    maxRetries: 0,
    logLevel: "off",
    fetchOptions: { redirect: "manual", ...(dispatcher && { dispatcher }) },
  });
}

/** The headers that the package takes from a variable, unset. */
function strayHeaders(): Record<string, null> {
  const lines = (process.env["OPENAI_CUSTOM_HEADERS"] ?? "").split("\n").filter((line) => line.includes(":"));
  return Object.fromEntries(lines.map((line) => [line.slice(0, line.indexOf(":")).trim(), null]));
}
