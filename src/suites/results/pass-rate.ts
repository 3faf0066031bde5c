import type { PassCount } from "../../core/paired-tests.js";
import { type Interval, meanInterval, wilsonInterval } from "../../core/statistics.js";

export interface PassRate extends Interval {
  /** Mean of the pass rates of the cases; NaN where none was run. */
  mean: number;
  method: "wilson" | "clustered";
}

/**
 * The score of a suite and its 95% interval: Wilson's for one run of each case, else clustered by case. Where all cases
 * have the same rate a standard error of 0 would say that nothing is uncertain: Wilson's then too, with the cases, not
 * the runs, as what was tried.
 */
export function passRate(counts: readonly PassCount[]): PassRate {
  const run = counts.filter(({ runs }) => runs > 0);
  const rates = run.map(({ passed, runs }) => passed / runs);
  const passed = rates.reduce((sum, rate) => sum + rate, 0);
  const mean = passed / run.length;
  if (run.every(({ runs }) => runs === 1) || rates.every((rate) => rate === rates[0])) {
    return { mean, ...wilsonInterval(passed, run.length), method: "wilson" };
  }
  return { mean, ...meanInterval(rates), method: "clustered" };
}
