import type { Reporter, RunEnd, RunEvent } from "./events.js";

export interface EventStream {
  /** Takes the events of a run in. */
  reporter: Reporter;
  /** Ends the iteration with the last event; `run.end` comes from here, since its results must outlive the run. */
  end: (event: RunEnd) => void;
  /** Makes the iteration throw. */
  fail: (error: unknown) => void;
  iterate: () => AsyncIterator<RunEvent>;
}

/** Turns reported events into an iteration. Nothing is kept before an iteration begins or after it was left. */
export function createEventStream(): EventStream {
  let queue: RunEvent[] = [];
  let state: "idle" | "iterating" | "left" = "idle";
  let ended = false;
  let failure: { error: unknown } | undefined;
  let wake: () => void = () => {};

  const push = (event: RunEvent) => {
    if (state === "iterating") queue.push(event);
    wake();
  };
  async function* iterate(): AsyncGenerator<RunEvent> {
    try {
      for (;;) {
        const batch = queue;
        queue = [];
        yield* batch;
        if (queue.length > 0) continue;
        if (failure) throw failure.error;
        if (ended) return;
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    } finally {
      state = "left";
      queue = [];
    }
  }
  return {
    reporter: {
      name: "events",
      on: (event) => {
        if (event.type !== "run.end") push(event);
      },
    },
    end(event) {
      ended = true;
      push(event);
    },
    fail(error) {
      failure = { error };
      wake();
    },
    iterate() {
      state = "iterating";
      return iterate();
    },
  };
}
