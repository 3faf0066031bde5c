import pLimit from "p-limit";

/**
 * Runs `task` for every item, at most `concurrency` at a time, in order of the items.
 * Only a handful of promises exist at once, so memory does not grow with the number of items.
 * A task that throws ends the schedule with its error once those already running have ended.
 */
export async function schedule<T>(
  items: Iterable<T>,
  concurrency: number,
  task: (item: T) => Promise<void>,
): Promise<void> {
  const limit = pLimit(concurrency);
  const running = new Set<Promise<void>>();
  let failure: { error: unknown } | undefined;
  // Not Promise.race: a long task would keep a callback for every short one that ended before it.
  let wake = () => {};
  for (const item of items) {
    const job = limit(async () => {
      if (!failure) await task(item);
    })
      .catch((error: unknown) => {
        failure ??= { error };
      })
      .finally(() => {
        running.delete(job);
        wake();
      });
    running.add(job);
    // One that waits is enough to have the next at hand.
    if (limit.pendingCount > 0) {
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
    if (failure) break;
  }
  await Promise.all(running);
  if (failure) throw failure.error;
}
