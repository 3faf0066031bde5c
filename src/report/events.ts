import type { CheckResult, RunSummary } from "./schema.js";

export interface RunStart {
  type: "run.start";
  run_id: string;
  project_root: string;
  output_dir: string;
  started_at: string;
  pass_threshold: number;
  /** How many items will end. */
  total: number;
}

export interface ItemStart {
  type: "item.start";
  id: string;
  started_at: string;
}

export interface ItemEnd {
  type: "item.end";
  result: CheckResult;
}

export interface Warning {
  type: "warning";
  message: string;
}

export interface RunEnd {
  type: "run.end";
  summary: RunSummary;
  /** All results in the order of the report; read from the journal each time, so that none need be kept. */
  results: () => Iterable<CheckResult>;
}

/** What happens in a run, in order: one `run.start`, the items, one `run.end`; warnings at any time. */
export type RunEvent = RunStart | ItemStart | ItemEnd | Warning | RunEnd;

/** A consumer of the events of a run. One that throws is left out of the rest of the run. */
export interface Reporter {
  name: string;
  on: (event: RunEvent) => void | Promise<void>;
}

export interface EventBus {
  emit: (event: RunEvent) => Promise<void>;
  /** The reporters that failed, with their errors. */
  failures: readonly { name: string; error: unknown }[];
}

/** Hands every event to every reporter in turn; a failing one does not stop the others, and they are told of it. */
export function createEventBus(reporters: readonly Reporter[]): EventBus {
  const active = new Set(reporters);
  const failures: { name: string; error: unknown }[] = [];
  const emit = async (event: RunEvent): Promise<void> => {
    for (const reporter of [...active]) {
      try {
        await reporter.on(event);
      } catch (error) {
        active.delete(reporter);
        failures.push({ name: reporter.name, error });
        const reason = error instanceof Error ? error.message : String(error);
        await emit({ type: "warning", message: `the ${reporter.name} reporter failed: ${reason}` });
      }
    }
  };
  return { emit, failures };
}
