import { runsByReason } from "../../report/run-reasons.js";
import type { ItemStatus } from "../../report/schema.js";
import type { CaseLine, CaseResult, TrialResult } from "../../report/suite-schema.js";
import type { Json } from "../json.js";
import { sumKnown } from "./sum-known.js";

/** What is known of a case before it runs. */
export interface CaseIdentity {
  id: string;
  tags: readonly string[];
  input: Json;
  sourcePath: string;
  sha256: string;
  /** Path of the target file. */
  target: string;
  targetType: string;
  targetSha256: string | null;
  /** How many runs are wanted. */
  runs: number;
}

/**
 * Puts the runs of a case together.
 * @param why why there are fewer than were wanted
 */
export function caseResult(identity: CaseIdentity, trials: readonly TrialResult[], why?: string): CaseResult {
  const ordered = [...trials].sort((a, b) => a.run - b.run);
  const status = statusOf(identity, ordered);
  const errors = ordered.filter((trial) => trial.status === "error");
  const detail = why ?? errors[0]?.error_message ?? errors[0]?.failure_reasons[0] ?? "there is no verdict";
  const startedAt = ordered.map((trial) => trial.started_at).sort()[0] ?? new Date().toISOString();
  return {
    case_id: identity.id,
    session_id: ordered[0]?.session_id ?? "",
    passed: status === "passed",
    failure_reasons: reasons(identity, ordered),
    total_turns: sum(ordered, ({ turns }) => turns),
    duration_ms: sum(ordered, ({ duration_ms }) => duration_ms),
    total_input_tokens: sum(ordered, ({ input_tokens }) => input_tokens),
    total_output_tokens: sum(ordered, ({ output_tokens }) => output_tokens),
    error_message: ordered.find((trial) => trial.error_message !== null)?.error_message ?? why ?? null,
    runs: ordered.length,
    pass_rate: ordered.filter((trial) => trial.status === "passed").length / identity.runs,
    cost_usd: sumKnown(ordered, ({ cost_usd }) => cost_usd),
    cached: ordered.filter(({ cached }) => cached).length,
    judge: judgeOf(ordered),
    tags: [...identity.tags],
    status,
    error_detail: status === "error" ? detail : null,
    runs_wanted: identity.runs,
    target: identity.target,
    target_type: identity.targetType,
    source_path: identity.sourcePath,
    case_sha256: identity.sha256,
    target_sha256: identity.targetSha256,
    started_at: startedAt,
    completed_at: new Date().toISOString(),
    input: identity.input,
    trials: ordered,
  };
}

/** The fields of a case that stand in the file of `-o`, in their order. */
export function caseLine(result: CaseResult): CaseLine {
  const { status: _, error_detail: __, runs_wanted, target, target_type, source_path, ...rest } = result;
  const { case_sha256, target_sha256, started_at, completed_at, input, trials, ...line } = rest;
  return line;
}

function statusOf({ runs }: CaseIdentity, trials: readonly TrialResult[]): ItemStatus {
  if (trials.length < runs || trials.some(({ status }) => status === "error")) return "error";
  return trials.every(({ status }) => status === "passed") ? "passed" : "failed";
}

/** Of all runs, each said once, with how many runs have it. */
function reasons({ runs }: CaseIdentity, trials: readonly TrialResult[]): string[] {
  const where = runsByReason(trials);
  if (runs === 1) return [...where.keys()];
  return [...where].map(([reason, numbers]) =>
    numbers.size === 1 ? `run ${[...numbers][0]}: ${reason}` : `in ${numbers.size} of ${runs} runs: ${reason}`,
  );
}

function judgeOf(trials: readonly TrialResult[]): CaseResult["judge"] {
  const asked = trials.filter(({ scores }) =>
    scores.some(({ type, details }) => type === "rubric" && details?.["asked"] !== false),
  );
  return asked.length === 0
    ? null
    : { asked: asked.length, cost_usd: sumKnown(asked, ({ judge_cost_usd }) => judge_cost_usd) };
}

function sum(trials: readonly TrialResult[], of: (trial: TrialResult) => number): number {
  return trials.reduce((total, trial) => total + of(trial), 0);
}
