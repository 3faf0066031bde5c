import { describe, expect, it } from "vitest";
import { backoffMs, MAX_TRIES, parseRetryAfter, withRetries } from "../../../src/core/retry.js";

describe("parseRetryAfter (RFC 9110, 10.2.3)", () => {
  // The three forms of HTTP-date are those of RFC 9110, 5.6.7; its example is 784111777 s.
  const now = 784_111_777_000 - 5000;
  it.each([
    ["120", 120_000],
    ["0", 0],
    [" 1.5 ", 1500],
    ["Sun, 06 Nov 1994 08:49:37 GMT", 5000],
    ["Sunday, 06-Nov-94 08:49:37 GMT", 5000],
    ["Sun, 06 Nov 1994 08:49:00 GMT", 0],
    ["", null],
    [undefined, null],
    ["soon", null],
    ["-1", null],
    ["1994", 1_994_000],
    ["1e3", null],
  ])("%j", (value, ms) => {
    expect(parseRetryAfter(value, now)).toBe(ms);
  });
});

it("waits ever longer, up to half a minute, half of it by chance", () => {
  const waits = (chance: number) => [0, 1, 2, 3, 9].map((retry) => backoffMs(retry, () => chance));
  expect(waits(1)).toEqual([500, 1000, 2000, 4000, 30_000]);
  expect(waits(0)).toEqual([250, 500, 1000, 2000, 15_000]);
});

describe("withRetries", () => {
  const tries = (...waits: (number | null | undefined)[]) => {
    let value = 0;
    return async () => ({ value: ++value, retryAfterMs: waits[value - 1] });
  };

  it("tries until it is done", async () => {
    expect(await withRetries(tries(0, 0), {})).toMatchObject({ value: 3, retries: 2, gaveUp: "" });
    expect(await withRetries(tries(), {})).toMatchObject({ value: 1, retries: 0, gaveUp: "" });
  });

  it("waits no less than it would by itself, whatever is asked", async () => {
    const started = performance.now();
    await withRetries(tries(0), {});
    expect(performance.now() - started).toBeGreaterThanOrEqual(backoffMs(0, () => 0) - 1);
  });

  it("waits for its turn before it tries again, and gives up where that comes too late", async () => {
    const delays = [5, 5, 0];
    expect(await withRetries(tries(0), { delayMs: () => delays.shift() ?? 0 })).toMatchObject({ value: 2 });
    expect(delays).toEqual([]);
    const late = { deadline: performance.now() + 5000, delayMs: () => 6000 };
    expect((await withRetries(tries(0), late)).gaveUp).toBe("the next try would have to wait 6 s");
  });

  it("gives up after so many", async () => {
    const always = async () => ({ value: "no", retryAfterMs: 0 });
    expect(await withRetries(always, {})).toMatchObject({ retries: MAX_TRIES - 1, gaveUp: "tried 5 times" });
  });

  it("gives up at once where the deadline or patience does not reach that far", async () => {
    const deadline = performance.now() + 5000;
    const gaveUp = "the next try would have to wait 6 s";
    expect(await withRetries(tries(6000), { deadline })).toMatchObject({ value: 1, retries: 0, gaveUp });
    expect((await withRetries(tries(3600_000), {})).gaveUp).toBe("the next try would have to wait 3600 s");
  });

  it("does not try again once the run is stopped, and does not wait either", async () => {
    const stop = new AbortController();
    const running = withRetries(tries(60_000), { signal: stop.signal });
    setImmediate(() => stop.abort());
    expect(await running).toMatchObject({ value: 1, retries: 0, gaveUp: "" });
  });
});
