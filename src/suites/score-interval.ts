import { clusteredMean, wilsonInterval } from "../core/statistics.js";
import type { SuiteSummary } from "../report/suite-schema.js";
import type { CaseFigures } from "./summarize.js";

const LEVEL = 0.95;

/**
 * The interval of the score: Wilson's where every case was run once, else clustered by case, since runs of a case are
 * alike. Null without cases.
 */
export function scoreInterval(cases: readonly CaseFigures[]): SuiteSummary["interval"] {
  if (cases.length === 0) return null;
  if (cases.every(({ wanted }) => wanted === 1)) {
    const passed = cases.filter((figures) => figures.passed > 0).length;
    return { ...wilsonInterval(passed, cases.length, LEVEL), level: LEVEL, method: "Wilson" };
  }
  const outcomes = cases.map(({ passed, wanted }) =>
    Array.from({ length: wanted }, (_, index) => (index < passed ? 1 : 0)),
  );
  const { low, high } = clusteredMean(outcomes, { level: LEVEL, weigh: "clusters" });
  return { low, high, level: LEVEL, method: "clustered by case" };
}
