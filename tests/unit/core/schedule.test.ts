import { describe, expect, it } from "vitest";
import { schedule } from "../../../src/core/schedule.js";

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

describe("schedule", () => {
  it("runs every item once, in order, and never too many at a time", async () => {
    const begun: number[] = [];
    let running = 0;
    let most = 0;
    await schedule(Array(50).keys(), 3, async (item) => {
      begun.push(item);
      most = Math.max(most, ++running);
      for (let turns = item % 4; turns >= 0; turns--) await turn();
      running--;
    });
    expect(begun).toEqual([...Array(50).keys()]);
    expect(most).toBe(3);
    expect(running).toBe(0);
  });

  it("takes items only as it has room for them, and one that waits", async () => {
    let taken = 0;
    let ended = 0;
    function* items() {
      for (let item = 0; item < 20; item++) {
        expect(taken++ - ended).toBeLessThanOrEqual(4);
        yield item;
      }
    }
    await schedule(items(), 4, async () => {
      await turn();
      ended++;
    });
    expect(ended).toBe(20);
  });

  it("goes on past a long task", async () => {
    let release = () => {};
    const long = new Promise<void>((resolve) => {
      release = resolve;
    });
    const ended: number[] = [];
    await schedule(Array(100).keys(), 2, async (item) => {
      if (item === 0) await long;
      else await turn();
      ended.push(item);
      if (item === 99) release();
    });
    expect(ended.at(-1)).toBe(0);
    expect(ended).toHaveLength(100);
  });

  it("begins nothing more after a failure, waits for what runs, and throws the first error", async () => {
    const begun: number[] = [];
    const ended: number[] = [];
    const run = schedule(Array(20).keys(), 2, async (item) => {
      begun.push(item);
      await turn();
      if (item === 3) throw new Error("of item 3");
      await turn();
      await turn();
      ended.push(item);
    });
    await expect(run).rejects.toThrow("of item 3");
    expect(begun.length).toBeLessThan(7);
    expect(ended).toEqual(begun.filter((item) => item !== 3));
  });

  it("throws an error of the first step of a task too", async () => {
    const fail = () => {
      throw new Error("at once");
    };
    await expect(schedule([1, 2], 5, fail)).rejects.toThrow("at once");
  });

  it("is done at once when there is nothing", async () => {
    await schedule([], 1, () => Promise.reject(new Error("never called")));
  });
});
