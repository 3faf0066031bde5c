import { setImmediate as nextTurn } from "node:timers/promises";
import { describeSystemError, isSystemError, thrownText, UserError } from "../core/errors.js";
import { schedule } from "../core/schedule.js";
import { endTree } from "../process/tree.js";
import type { Kind } from "../report/kind.js";
import type { Recorder } from "../report/recorder.js";
import { INTERRUPTED } from "../report/schema.js";
import { type RunContext, runTag } from "./context.js";

/** The work of a run: tasks, of which one or several make the result of an item. */
export interface Work<K extends Kind, Task> {
  /** How many items there are. */
  total: number;
  tasks: Iterable<Task>;
  /** How many tasks run at the same time. */
  concurrency: number;
  /** Runs one task; the last one of an item records its result. What it throws ends the run. */
  runTask: (task: Task) => Promise<void>;
  /** The index of a task's item in the plan. */
  itemOf: (task: Task) => number;
  /** When all tasks have ended, before what they left is looked for. */
  close?: () => Promise<void>;
  /** The result of an item that was not recorded. */
  unfinished: (index: number, why: string) => K["result"];
}

export interface RunItemsOptions<K extends Kind> {
  run: RunContext;
  recorder: Recorder<K>;
  /** Ends what runs. */
  abort: () => void;
}

/**
 * Runs tasks until all are done or the run is stopped; every item has a result then, and no process is left.
 * Returns what stopped it.
 */
export async function runItems<K extends Kind, Task>(
  work: Work<K, Task>,
  { run, recorder, abort }: RunItemsOptions<K>,
): Promise<Error | undefined> {
  let failure: Error | undefined;
  const fail = (error: unknown) => {
    failure ??= asUserError(error);
    abort();
  };
  const recordUnfinished = async (index: number, why: string) => {
    if (!recorder.has(index)) await recorder.record(index, work.unfinished(index, why)).catch(fail);
  };
  await schedule(work.tasks, work.concurrency, async (task) => {
    if (run.signal.aborted) return;
    try {
      await work.runTask(task);
    } catch (error) {
      fail(error);
      await recordUnfinished(work.itemOf(task), asUserError(error).message);
    }
  });
  await work.close?.();
  run.evidenceDirs.clear();
  const leftBehind = await endTree({ tags: [runTag(run.runId)] });
  if (leftBehind > 0) await recorder.warn(`${run.folder} left ${leftBehind} process(es) running, which were ended`);
  for (let index = 0; index < work.total; index++) {
    await recordUnfinished(index, INTERRUPTED);
    // There may be thousands: lets a second signal and the display in.
    if (index % 100 === 0) await nextTurn();
  }
  return failure;
}

function asUserError(error: unknown): Error {
  if (!isSystemError(error)) return error instanceof Error ? error : new Error(thrownText(error));
  return new UserError(`the run was stopped: ${describeSystemError(error)}`, { code: "io", cause: error });
}
