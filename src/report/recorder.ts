import { join } from "node:path";
import { createEventBus, type Reporter, type ReporterFailure, type RunEnd, type RunStart } from "./events.js";
import { openJournal } from "./journal.js";
import { type CheckResult, REPORT_SCHEMA_VERSION } from "./schema.js";
import { emptyTally, scoreRun } from "./score.js";

export interface Recorder {
  itemStart: (id: string, at: Date) => Promise<void>;
  /** Notes the result of the item at `index` of the plan in the journal and tells the reporters. */
  record: (index: number, result: CheckResult) => Promise<void>;
  has: (index: number) => boolean;
  warn: (message: string) => Promise<void>;
  /** Scores what was recorded and tells the reporters. */
  end: () => Promise<RunEnd>;
  reporterFailures: () => ReporterFailure[];
  close: () => void;
}

export interface RecorderOptions {
  start: RunStart;
  reporters: readonly Reporter[];
}

/** Opens the journal of a run, announces the run, and keeps its score. */
export async function createRecorder({ start, reporters }: RecorderOptions): Promise<Recorder> {
  const startedAt = performance.now();
  const journal = openJournal(join(start.output_dir, "journal.jsonl"), start);
  const bus = createEventBus(reporters);
  const tally = emptyTally();
  await bus.emit(start);
  return {
    itemStart: (id, at) => bus.emit({ type: "item.start", id, started_at: at.toISOString() }),
    async record(index, result) {
      tally[result.status]++;
      journal.append(index, result);
      await bus.emit({ type: "item.end", result });
    },
    has: journal.has,
    warn: (message) => bus.emit({ type: "warning", message }),
    async end() {
      const durationMs = Math.round(performance.now() - startedAt);
      const { type: _, total: __, pass_threshold: threshold, started_at, ...run } = start;
      const completedAt = new Date(Date.parse(started_at) + durationMs).toISOString();
      const summary = {
        schema_version: REPORT_SCHEMA_VERSION,
        ...run,
        started_at,
        completed_at: completedAt,
        duration_ms: durationMs,
        ...scoreRun(tally, threshold),
      } as const;
      const end: RunEnd = { type: "run.end", summary, results: journal.results };
      await bus.emit(end);
      return end;
    },
    reporterFailures: bus.failures,
    close: journal.close,
  };
}
