import { describeSystemError } from "../core/errors.js";
import type { Checks, Kind } from "./kind.js";

export type RunStart<K extends Kind = Checks> = K["start"] & {
  type: "run.start";
  run_id: string;
  project_root: string;
  output_dir: string;
  started_at: string;
  /** How many items will end. */
  total: number;
};

export interface ItemStart {
  type: "item.start";
  id: string;
  started_at: string;
}

export interface ItemEnd<K extends Kind = Checks> {
  type: "item.end";
  result: K["result"];
}

export interface Warning {
  type: "warning";
  message: string;
}

export interface RunEnd<K extends Kind = Checks> {
  type: "run.end";
  summary: K["summary"];
  /** All results in the order of the report; read from the journal each time, so that none need be kept. Only until `on` has returned. */
  results: () => Iterable<K["result"]>;
}

/** What happens in a run, in order: one `run.start`, the items, one `run.end`; warnings at any time. */
export type RunEvent<K extends Kind = Checks> = RunStart<K> | ItemStart | ItemEnd<K> | Warning | RunEnd<K>;

/**
 * A consumer of the events of a run. It is told of one event at a time and the run waits for it, so that what it
 * returns must not wait for the run. One that throws is told of the events that follow all the same.
 */
export interface Reporter<K extends Kind = Checks> {
  name: string;
  on: (event: RunEvent<K>) => void | Promise<void>;
}

export interface ReporterFailure {
  name: string;
  error: unknown;
}

export interface EventBus<K extends Kind = Checks> {
  /** Resolves when every reporter was told; never rejects. */
  emit: (event: RunEvent<K>) => Promise<void>;
  /** The first failure of each reporter that failed. */
  failures: () => ReporterFailure[];
}

/**
 * Hands every event to every reporter in turn, one event after another, however slow a reporter is.
 * One that fails stops neither the others nor itself: what it could not do for one item it may do for the next.
 * Its first failure is told by a warning.
 */
export function createEventBus<K extends Kind = Checks>(reporters: readonly Reporter<K>[]): EventBus<K> {
  const failures = new Map<Reporter<K>, ReporterFailure>();
  const deliver = async (event: RunEvent<K>): Promise<void> => {
    for (const reporter of reporters) {
      try {
        await reporter.on(event);
      } catch (error) {
        if (failures.has(reporter)) continue;
        failures.set(reporter, { name: reporter.name, error });
        const message = `the ${reporter.name} reporter failed: ${describeSystemError(error)}`;
        await deliver({ type: "warning", message });
      }
    }
  };
  let last = Promise.resolve();
  return {
    emit(event) {
      last = last.then(() => deliver(event));
      return last;
    },
    failures: () => [...failures.values()],
  };
}
