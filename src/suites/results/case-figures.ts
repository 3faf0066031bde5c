import { median } from "../../core/statistics.js";
import { isInterrupted } from "../../report/schema.js";
import type { CaseResult } from "../../report/suite-schema.js";
import { sumKnown } from "./sum-known.js";

/** What is kept in memory of each case: there may be tens of thousands. */
export interface CaseFigures {
  id: string;
  case_sha256: string;
  passed: number;
  /** How many runs ended. */
  runs: number;
  /** How many count for its rate: those that were wanted; where the run was stopped, those that ended. */
  wanted: number;
  /** Whether the run was stopped before all of them had ended. */
  interrupted: boolean;
  costUsd: number | null;
  /** How many runs say what they cost. */
  costRuns: number;
  medianLatencyMs: number | null;
}

/** A run without a verdict, or whose session did not succeed, took no time that says anything. */
export function figuresOf(result: CaseResult): CaseFigures {
  const { trials } = result;
  const interrupted = isInterrupted(result);
  const ended = trials.filter(({ error_message }) => error_message === null);
  return {
    id: result.case_id,
    case_sha256: result.case_sha256,
    passed: trials.filter(({ status }) => status === "passed").length,
    runs: trials.length,
    wanted: interrupted ? trials.length : result.runs_wanted,
    interrupted,
    costUsd: sumKnown(trials, ({ cost_usd }) => cost_usd),
    costRuns: trials.filter(({ cost_usd }) => cost_usd !== null).length,
    medianLatencyMs: median(ended.map(({ duration_ms }) => duration_ms)) ?? null,
  };
}

/** The pass rate of a case of which any run counts. */
export function rateOf({ passed, wanted }: CaseFigures): number {
  return passed / wanted;
}
