import { getEventListeners, once } from "node:events";
import { expect, it } from "vitest";
import { startTimeLimit } from "../../../src/core/time-limit.js";

it("aborts when the time is over, and says so", async () => {
  const limit = startTimeLimit(10);
  await once(limit.signal, "abort");
  expect(limit.timedOut()).toBe(true);
});

it("follows the other signal, also one that was aborted before, and lets go of it", () => {
  const stop = new AbortController();
  const limit = startTimeLimit(60_000, stop.signal);
  expect(getEventListeners(stop.signal, "abort")).toHaveLength(1);
  stop.abort();
  expect([limit.signal.aborted, limit.timedOut()]).toEqual([true, false]);
  limit.release();
  expect(getEventListeners(stop.signal, "abort")).toHaveLength(0);
  expect(startTimeLimit(undefined, stop.signal).signal.aborted).toBe(true);
});

it("takes limits that a timer does not", () => {
  const limit = startTimeLimit(2 ** 40);
  expect(limit.signal.aborted).toBe(false);
  limit.release();
});
