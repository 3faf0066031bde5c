import pLimit from "p-limit";

/** A limit on how many calls go on at the same time, which gives way to a service that refuses. */
export interface AdaptiveLimit {
  run: <T>(call: () => Promise<T>) => Promise<T>;
  /** How many may go on now. */
  concurrency: () => number;
  /** A call that began at that time (`performance.now()`) was refused. */
  refused: (begunAt: number) => void;
  succeeded: () => void;
}

/** Additive increase, multiplicative decrease: halved when refused, one more after a round of calls that went well. */
export function createAdaptiveLimit(max: number): AdaptiveLimit {
  const limit = pLimit(max);
  let well = 0;
  let cutAt = Number.NEGATIVE_INFINITY;
  return {
    run: (call) => limit(call),
    concurrency: () => limit.concurrency,
    refused(begunAt) {
      well = 0;
      // Those that were begun before the cut say nothing of whether it was enough.
      if (begunAt < cutAt) return;
      cutAt = performance.now();
      limit.concurrency = Math.max(1, Math.floor(limit.concurrency / 2));
    },
    succeeded() {
      well++;
      if (well < limit.concurrency || limit.concurrency >= max) return;
      well = 0;
      limit.concurrency++;
    },
  };
}

const MINUTE_MS = 60_000;

/** Counts calls and tokens of the last minute. Times in milliseconds, of any clock that does not go back. */
export interface Rate {
  /** How long the next call has to wait; 0: it may begin. */
  delayMs: (now: number) => number;
  began: (now: number) => void;
  used: (tokens: number, now: number) => void;
}

export function createRate({
  rpm = Number.POSITIVE_INFINITY,
  tpm = Number.POSITIVE_INFINITY,
}: {
  rpm?: number | undefined;
  tpm?: number | undefined;
}): Rate {
  let begun: number[] = [];
  let spent: { at: number; tokens: number }[] = [];
  return {
    delayMs(now) {
      begun = begun.filter((at) => at > now - MINUTE_MS);
      spent = spent.filter(({ at }) => at > now - MINUTE_MS);
      const calls = begun.length >= rpm ? (begun.at(-rpm) ?? now) + MINUTE_MS - now : 0;
      return Math.max(calls, tokensDelay(spent, tpm, now));
    },
    began: (now) => void begun.push(now),
    used: (tokens, now) => void spent.push({ at: now, tokens }),
  };
}

/** Until so many of them are a minute old that the others are below the limit. */
function tokensDelay(spent: readonly { at: number; tokens: number }[], tpm: number, now: number): number {
  let sum = spent.reduce((total, { tokens }) => total + tokens, 0);
  let delay = 0;
  for (const { at, tokens } of spent) {
    if (sum < tpm) break;
    sum -= tokens;
    delay = at + MINUTE_MS - now;
  }
  return delay;
}
