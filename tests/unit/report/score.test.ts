import { describe, expect, it } from "vitest";
import { scoreRun } from "../../../src/report/score.js";

describe("scoreRun", () => {
  it.each([
    { passed: 7, failed: 3, threshold: 0.7, passes: true },
    { passed: 6, failed: 4, threshold: 0.7, passes: false },
    { passed: 29, failed: 71, threshold: 0.29, passes: true },
    { passed: 1, failed: 2, threshold: 1 / 3, passes: true },
    { passed: 0, failed: 5, threshold: 0, passes: true },
    { passed: 999, failed: 1, threshold: 1, passes: false },
    { passed: 3, failed: 0, threshold: 1, passes: true },
  ])(
    "$passed of $passed + $failed at a threshold of $threshold: passed is $passes",
    ({ passed, failed, threshold, passes }) => {
      const score = scoreRun({ passed, failed, error: 0 }, threshold);
      expect(score).toMatchObject({ meets_threshold: passes, run_passed: passes, pass_threshold: threshold });
    },
  );

  it("never passes a run with an error, though the threshold is met", () => {
    const score = scoreRun({ passed: 9, failed: 0, error: 1 }, 0);
    expect(score).toMatchObject({ meets_threshold: true, run_passed: false, errored_checks: 1, points_earned: 9 });
  });

  it("does not pass a run of no checks", () => {
    const score = scoreRun({ passed: 0, failed: 0, error: 0 }, 0);
    expect(score).toMatchObject({ percentage: 0, meets_threshold: false, run_passed: false });
  });

  it("gives a percentage with one decimal, for every share up to 100 checks", () => {
    for (let total = 1; total <= 100; total++) {
      for (let passed = 0; passed <= total; passed++) {
        const { percentage } = scoreRun({ passed, failed: total - passed, error: 0 }, 1);
        expect(Number(percentage.toFixed(1))).toBe(percentage);
        expect(Math.abs(percentage - (100 * passed) / total)).toBeLessThanOrEqual(0.05 + 1e-9);
      }
    }
  });

  it.each([
    [1, 3, 33.3],
    [2, 3, 66.7],
    [1, 16, 6.3],
    [201, 400, 50.3],
    [1, 8, 12.5],
  ])("%i of %i are %f percent", (passed, total, percentage) => {
    expect(scoreRun({ passed, failed: total - passed, error: 0 }, 1).percentage).toBe(percentage);
  });
});
