import { setTimeout as sleep } from "node:timers/promises";

/** What one try came to. */
export interface Try<T> {
  value: T;
  /** Set: to be tried again. How long the other side asks to wait, in milliseconds; null: it does not say. */
  retryAfterMs?: number | null | undefined;
}

export interface RetryOptions {
  signal?: AbortSignal | undefined;
  /** By the clock of `performance.now()`: no try begins after it. Undefined: none. */
  deadline?: number | undefined;
  /** How long the next try has to wait for others, in milliseconds; asked again after that, until it is 0. By default 0. */
  delayMs?: () => number;
}

export interface Retried<T> {
  /** Of the last try. */
  value: T;
  /** How often it was tried again. */
  retries: number;
  /** Of the last try alone, in milliseconds. */
  durationMs: number;
  /** Why it was not tried once more, where it would have been; empty: it was done. */
  gaveUp: string;
}

export const MAX_TRIES = 5;
/** Who asks for more is out of service; a run that waits for it looks like one that hangs. */
const LONGEST_WAIT_MS = 5 * 60_000;
const FIRST_WAIT_MS = 500;
const LONGEST_BACKOFF_MS = 30_000;

/**
 * Tries until it is done, at most {@link MAX_TRIES} times. Waits ever longer, and at least as long as is asked for; gives
 * up at once where the wait would go beyond the deadline.
 */
export async function withRetries<T>(attempt: () => Promise<Try<T>>, options: RetryOptions): Promise<Retried<T>> {
  for (let retries = 0; ; retries++) {
    const started = performance.now();
    const { value, retryAfterMs } = await attempt();
    const result = { value, retries, durationMs: Math.round(performance.now() - started) };
    if (retryAfterMs === undefined || options.signal?.aborted) return { ...result, gaveUp: "" };
    if (retries + 1 >= MAX_TRIES) return { ...result, gaveUp: `tried ${MAX_TRIES} times` };
    let wait = Math.max(retryAfterMs ?? 0, backoffMs(retries), options.delayMs?.() ?? 0);
    const longest = performance.now() + LONGEST_WAIT_MS;
    while (wait > 0) {
      const left = Math.min(longest, options.deadline ?? Number.POSITIVE_INFINITY) - performance.now();
      if (wait > left) return { ...result, gaveUp: `the next try would have to wait ${Math.ceil(wait / 1000)} s` };
      await pause(wait, options.signal);
      if (options.signal?.aborted) return { ...result, gaveUp: "" };
      wait = options.delayMs?.() ?? 0;
    }
  }
}

/** How long to wait before the retry of that number, from 0: doubled each time, and half of it by chance. */
export function backoffMs(retry: number, random = Math.random): number {
  const most = Math.min(LONGEST_BACKOFF_MS, FIRST_WAIT_MS * 2 ** retry);
  return Math.round(most / 2 + (most / 2) * random());
}

/**
 * The wait of a `Retry-After` header in milliseconds (RFC 9110, 10.2.3: seconds, or a date); null when there is none
 * that can be read.
 */
export function parseRetryAfter(value: string | null | undefined, now = Date.now()): number | null {
  const text = value?.trim() ?? "";
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text) * 1000;
  // A date begins with the name of a day; Date.parse takes nearly anything.
  const date = /^[A-Z][a-z]+, /.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(date) ? null : Math.max(0, date - now);
}

/** Resolves after the time, or at once when the signal aborts. */
export async function pause(ms: number, signal?: AbortSignal): Promise<void> {
  await sleep(ms, undefined, signal ? { signal } : {}).catch(() => {});
}
