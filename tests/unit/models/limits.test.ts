import { describe, expect, it } from "vitest";
import { createAdaptiveLimit, createRate } from "../../../src/models/limits.js";

describe("createAdaptiveLimit", () => {
  it("halves when refused, once for all calls that were begun before, and grows again", () => {
    const limit = createAdaptiveLimit(8);
    const begun = performance.now();
    for (let i = 0; i < 5; i++) limit.refused(begun);
    expect(limit.concurrency()).toBe(4);
    limit.refused(performance.now() + 1);
    expect(limit.concurrency()).toBe(2);
    const grown = Array.from({ length: 30 }, () => {
      limit.succeeded();
      return limit.concurrency();
    });
    // After two calls that went well three, after three more four …
    expect(grown.slice(0, 9)).toEqual([2, 3, 3, 3, 4, 4, 4, 4, 5]);
    expect(grown.at(-1)).toBe(8);
  });

  it("never goes below one", () => {
    const limit = createAdaptiveLimit(1);
    limit.refused(performance.now() + 1);
    expect(limit.concurrency()).toBe(1);
  });

  it("holds calls back", async () => {
    const limit = createAdaptiveLimit(2);
    let [running, most] = [0, 0];
    const call = async () => {
      most = Math.max(most, ++running);
      await new Promise(setImmediate);
      running--;
    };
    await Promise.all(Array.from({ length: 9 }, () => limit.run(call)));
    expect(most).toBe(2);
  });
});

describe("createRate", () => {
  it("lets so many calls begin in any minute", () => {
    const rate = createRate({ rpm: 2 });
    rate.began(0);
    expect(rate.delayMs(10_000)).toBe(0);
    rate.began(10_000);
    expect(rate.delayMs(20_000)).toBe(40_000);
    expect(rate.delayMs(60_000)).toBe(0);
    rate.began(60_000);
    expect(rate.delayMs(60_000)).toBe(10_000);
  });

  it("waits until tokens of the last minute are below the limit", () => {
    const rate = createRate({ tpm: 100 });
    rate.used(60, 0);
    expect(rate.delayMs(1000)).toBe(0);
    rate.used(50, 30_000);
    expect(rate.delayMs(40_000)).toBe(20_000);
    rate.used(100, 40_000);
    expect(rate.delayMs(50_000)).toBe(50_000);
    expect(rate.delayMs(100_000)).toBe(0);
  });

  it("has no limit where none is given", () => {
    const rate = createRate({});
    for (let i = 0; i < 1000; i++) rate.began(i);
    rate.used(1e9, 1000);
    expect(rate.delayMs(1000)).toBe(0);
  });
});
