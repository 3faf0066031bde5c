import { count, dollars, percent, percentsApart } from "../../core/text.js";
import type { Comparison, Gate } from "../../report/suite-schema.js";
import type { Gates } from "../format/schema.js";
import { NO_SHARED_CASE } from "./compare-with-baseline.js";

/** A drop counts only where it is as unlikely as this while nothing got worse. */
const SIGNIFICANCE = 0.05;

export interface GateInput {
  /** Without `min_pass_rate` every case must pass. */
  limits: Gates;
  score: number;
  allPassed: boolean;
  /** How many cases have no verdict. */
  errors: number;
  /** How many more have none since the run was stopped. */
  interrupted: number;
  /** With the baseline; null without one. */
  comparison: Comparison | null;
}

/** Whether a run meets what is asked of it, each with its figures. */
export function judgeGates(input: GateInput): Gate[] {
  const { limits } = input;
  return [
    limits.min_pass_rate === undefined ? allPassed(input) : minPassRate(input, limits.min_pass_rate),
    ...(limits.max_drop === undefined ? [] : [maxDrop(input, limits.max_drop)]),
    ...(limits.max_cost_increase === undefined ? [] : [maxCostIncrease(input, limits.max_cost_increase)]),
    ...(limits.max_latency_increase === undefined ? [] : [maxLatencyIncrease(input, limits.max_latency_increase)]),
  ];
}

function allPassed({ allPassed: passed, score, interrupted }: GateInput): Gate {
  const text = passed ? "every case passed" : interrupted > 0 ? "not every case ended" : "not every case passed";
  return { name: "all_passed", passed, decided: true, value: score, limit: 1, text };
}

function minPassRate({ score, errors, interrupted }: GateInput, limit: number): Gate {
  const errorText = errors === 0 ? "" : `, and ${errors} without a verdict`;
  const openText = interrupted === 0 ? "" : `, and ${interrupted} did not end`;
  const [rate, needed] = percentsApart(score, limit);
  return {
    name: "min_pass_rate",
    decided: true,
    passed: score >= limit - ROUNDING && errors + interrupted === 0,
    value: score,
    limit,
    text: `pass rate ${rate}, at least ${needed} needed${errorText}${openText}`,
  };
}

function maxDrop({ comparison }: GateInput, limit: number): Gate {
  const gate = { name: "max_drop", limit } as const;
  if (!comparison || comparison.drop === null) {
    const why = comparison ? NO_SHARED_CASE : "no baseline to compare with";
    return { ...gate, passed: true, decided: false, value: null, text: `drop: ${why}` };
  }
  const { drop, p_value: p, least_p_value: least, baseline_score, score, compared } = comparison;
  const exceeded = drop > limit + ROUNDING;
  const noise = p !== null && p >= SIGNIFICANCE;
  const [shown, allowed] = percentsApart(Math.max(0, drop), limit).map(points);
  const figures = `${percent(baseline_score ?? 0)} to ${percent(score ?? 0)} over ${count(compared, "case")}`;
  const tooFew = least !== null && least >= SIGNIFICANCE;
  const doubt = tooFew ? ": with so few cases and runs this gate can't be missed" : ": may be noise";
  const chance = p === null ? "" : `, p = ${p.toPrecision(2)}${exceeded && noise ? doubt : ""}`;
  return {
    ...gate,
    passed: !exceeded || noise,
    decided: !(exceeded && noise && tooFew),
    value: drop,
    text: `drop ${shown} (${figures}), at most ${allowed} allowed${chance}`,
  };
}

function maxCostIncrease({ comparison }: GateInput, limit: number): Gate {
  const { baseline_cost_usd: before = null, cost_usd: now = null, cost_cases = 0, compared = 0 } = comparison ?? {};
  const known = cost_cases === compared || before === null ? "" : ` over ${cost_cases} of ${count(compared, "case")}`;
  return increase("max_cost_increase", `cost of a run${known}`, {
    before,
    now,
    limit,
    show: dollars,
  });
}

function maxLatencyIncrease({ comparison }: GateInput, limit: number): Gate {
  const { baseline_latency_ms: before = null, latency_ms: now = null } = comparison ?? {};
  const show = (ms: number) => `${Math.round(ms)} ms`;
  return increase("max_latency_increase", "median latency", { before, now, limit, show, least: LEAST_MS });
}

interface Increase {
  before: number | null;
  now: number | null;
  limit: number;
  show: (value: number) => string;
  /** A difference that is smaller says nothing. */
  least?: number;
}

function increase(
  name: "max_cost_increase" | "max_latency_increase",
  what: string,
  { before, now, limit, show, least = 0 }: Increase,
): Gate {
  if (before === null || now === null) {
    return { name, passed: true, decided: false, value: null, limit, text: `${what}: nothing to compare with` };
  }
  // From nothing to something is more than any share of it.
  const value = now === before ? 0 : before === 0 ? null : now / before - 1;
  const passed = now - before < least || (value !== null && value <= limit + ROUNDING);
  const change = value === null ? "" : ` (${value >= 0 ? "+" : ""}${percent(value)})`;
  const text = `${what} ${show(before)} to ${show(now)}${change}, at most +${percent(limit)} allowed`;
  return { name, passed, decided: true, value, limit, text };
}

/** A difference of two rates. */
function points(share: string): string {
  const number = share.replace("%", "");
  return `${number} ${number === "1" ? "point" : "points"}`;
}

/** Less is a matter of the machine. */
const LEAST_MS = 10;

/** 0.9 - 0.8 is a little less than 0.1. */
const ROUNDING = 1e-9;
