import { join } from "node:path";
import { monotonicMs } from "../core/clock.js";
import type { Redactor } from "../core/redact.js";
import { createEventBus, type Reporter, type ReporterFailure, type RunEnd, type RunStart } from "./events.js";
import { openJournal } from "./journal.js";
import { emptyTally, type Kind, type RunFacts, type Tally, type View } from "./kind.js";

export interface Recorder<K extends Kind> {
  itemStart: (id: string, at: Date) => Promise<void>;
  /** Notes the result of the item at `index` of the plan in the journal and tells the reporters, in any case. */
  record: (index: number, result: K["result"]) => Promise<void>;
  /** Notes in the journal what is no result of an item yet, and must not be lost. */
  note: (line: K["note"]) => void;
  has: (index: number) => boolean;
  warn: (message: string) => Promise<void>;
  /** Scores what was recorded and tells the reporters. */
  end: () => Promise<RunEnd<K>>;
  reporterFailures: () => ReporterFailure[];
  close: () => void;
}

export interface RecorderOptions<K extends Kind> {
  start: RunStart<K>;
  reporters: readonly Reporter<K>[];
  view: Pick<View<K>, "mask" | "maskNote">;
  redactor: Redactor;
  summarize: (run: Recorded<K>) => K["summary"];
}

/** What was recorded of a run. */
export interface Recorded<K extends Kind> {
  facts: RunFacts;
  tally: Tally;
  /** All results in the order of the report. */
  results: () => Iterable<K["result"]>;
}

/**
 * Opens the journal of a run, announces the run, and keeps its score. All that a run tells goes through here, and is
 * masked here: what is on this side of it is as it was said.
 */
export async function createRecorder<K extends Kind>(options: RecorderOptions<K>): Promise<Recorder<K>> {
  const { start, reporters, summarize, view, redactor } = options;
  const startedAt = monotonicMs();
  const journal = openJournal<K>(join(start.output_dir, "journal.jsonl"), start);
  const bus = createEventBus<K>(reporters);
  const tally = emptyTally();
  await bus.emit(start);
  return {
    itemStart: (id, at) => bus.emit({ type: "item.start", id, started_at: at.toISOString() }),
    async record(index, raw) {
      const result = view.mask(raw, redactor);
      tally[result.status]++;
      try {
        journal.append(index, result);
      } finally {
        await bus.emit({ type: "item.end", result });
      }
    },
    note: (line) => journal.note(view.maskNote(line, redactor)),
    has: journal.has,
    warn: (message) => bus.emit({ type: "warning", message: redactor.text(message) }),
    async end() {
      const durationMs = Math.round(monotonicMs() - startedAt);
      const facts: RunFacts = {
        run_id: start.run_id,
        project_root: start.project_root,
        output_dir: start.output_dir,
        started_at: start.started_at,
        completed_at: new Date(Date.parse(start.started_at) + durationMs).toISOString(),
        duration_ms: durationMs,
      };
      const summary = summarize({ facts, tally, results: journal.results });
      const end: RunEnd<K> = { type: "run.end", summary, results: journal.results };
      await bus.emit(end);
      return end;
    },
    reporterFailures: bus.failures,
    close: journal.close,
  };
}
