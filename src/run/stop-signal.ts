import { setMaxListeners } from "node:events";

export interface StopSignal {
  /** Aborts with the caller's signal, or by `abort`. */
  signal: AbortSignal;
  abort: () => void;
  release: () => void;
}

/** A signal that aborts with the caller's, or on its own. */
export function followSignal(outer: AbortSignal | undefined): StopSignal {
  const controller = new AbortController();
  // Every running item listens.
  setMaxListeners(0, controller.signal);
  const follow = () => controller.abort(outer?.reason);
  if (outer?.aborted) follow();
  outer?.addEventListener("abort", follow, { once: true });
  return {
    signal: controller.signal,
    abort: () => controller.abort(),
    release: () => outer?.removeEventListener("abort", follow),
  };
}
