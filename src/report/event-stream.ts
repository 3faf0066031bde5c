import type { Reporter, RunEnd, RunEvent } from "./events.js";
import type { Checks, Kind } from "./kind.js";

export interface EventStream<K extends Kind = Checks> {
  /** Takes the events of a run in. */
  reporter: Reporter<K>;
  /** Ends the iterations with the last event; `run.end` comes from here, since its results must outlive the run. */
  end: (event: RunEnd<K>) => void;
  /** Makes the iterations throw. */
  fail: (error: unknown) => void;
  /** Begins one more iteration, over what happens from now on. */
  iterate: () => AsyncGenerator<RunEvent<K>, void>;
}

/** What one iteration has not taken yet. */
interface Reader<K extends Kind> {
  queue: RunEvent<K>[];
  wake: () => void;
}

type Outcome<K extends Kind> = { event: RunEnd<K> } | { error: unknown };

/**
 * Turns reported events into iterations. Nothing is kept for one before it begins or after it was left;
 * one that begins after the end gets the last event, or the error, only.
 */
export function createEventStream<K extends Kind = Checks>(): EventStream<K> {
  const readers = new Set<Reader<K>>();
  let outcome: Outcome<K> | undefined;

  const push = (event: RunEvent<K>) => {
    for (const reader of readers) {
      reader.queue.push(event);
      reader.wake();
    }
  };
  const settle = (how: Outcome<K>) => {
    outcome = how;
    if ("event" in how) push(how.event);
    else for (const reader of readers) reader.wake();
  };
  async function* read(reader: Reader<K>): AsyncGenerator<RunEvent<K>, void> {
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
      const reader: Reader<K> = { queue: outcome && "event" in outcome ? [outcome.event] : [], wake: () => {} };
      readers.add(reader);
      return read(reader);
    },
  };
}
