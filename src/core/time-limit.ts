export interface TimeLimit {
  /** Aborts when the time is over, and with the signal that it follows. */
  signal: AbortSignal;
  /** Whether it was the time. */
  timedOut: () => boolean;
  /** To be called at the end: lets go of the timer and of the signal. */
  release: () => void;
}

/** `setTimeout` takes no more, and fires at once when given more. */
export const LONGEST_TIMEOUT_MS = 2 ** 31 - 1;

/** A signal for one call. Not `AbortSignal.any`: on Node 20 the followed signal, that of a run, keeps every one. */
export function startTimeLimit(timeoutMs: number | undefined, outer?: AbortSignal | undefined): TimeLimit {
  const controller = new AbortController();
  let over = false;
  const follow = () => controller.abort();
  const end = () => {
    over = !controller.signal.aborted;
    controller.abort();
  };
  const timer =
    timeoutMs === undefined ? undefined : setTimeout(end, Math.min(Math.max(0, timeoutMs), LONGEST_TIMEOUT_MS));
  if (outer?.aborted) follow();
  outer?.addEventListener("abort", follow, { once: true });
  return {
    signal: controller.signal,
    timedOut: () => over,
    release() {
      clearTimeout(timer);
      outer?.removeEventListener("abort", follow);
    },
  };
}
