import type { Reporter, RunEnd, RunEvent } from "./events.js";

export interface EventStream {
  /** Takes the events of a run in. */
  reporter: Reporter;
  /** Ends the iterations with the last event; `run.end` comes from here, since its results must outlive the run. */
  end: (event: RunEnd) => void;
  /** Makes the iterations throw. */
  fail: (error: unknown) => void;
  /** Begins one more iteration, over what happens from now on. */
  iterate: () => AsyncGenerator<RunEvent, void>;
}

/** What one iteration has not taken yet. */
interface Reader {
  queue: RunEvent[];
  wake: () => void;
}

type Outcome = { event: RunEnd } | { error: unknown };

/**
 * Turns reported events into iterations. Nothing is kept for one before it begins or after it was left;
 * one that begins after the end gets the last event, or the error, only.
 */
export function createEventStream(): EventStream {
  const readers = new Set<Reader>();
  let outcome: Outcome | undefined;

  const push = (event: RunEvent) => {
    for (const reader of readers) {
      reader.queue.push(event);
      reader.wake();
    }
  };
  const settle = (how: Outcome) => {
    outcome = how;
    if ("event" in how) push(how.event);
    else for (const reader of readers) reader.wake();
  };
  async function* read(reader: Reader): AsyncGenerator<RunEvent, void> {
    try {
      for (;;) {
        yield* reader.queue.splice(0);
        if (reader.queue.length > 0) continue;
        if (outcome && "error" in outcome) throw outcome.error;
        if (outcome) return;
        await new Promise<void>((resolve) => {
          reader.wake = resolve;
        });
      }
    } finally {
      readers.delete(reader);
    }
  }
  return {
    reporter: {
      name: "events",
      on: (event) => {
        if (event.type !== "run.end") push(event);
      },
    },
    end: (event) => settle({ event }),
    fail: (error) => settle({ error }),
    iterate() {
      const reader: Reader = { queue: outcome && "event" in outcome ? [outcome.event] : [], wake: () => {} };
      readers.add(reader);
      return read(reader);
    },
  };
}
