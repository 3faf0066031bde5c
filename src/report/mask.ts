import type { Redactor } from "../core/redact.js";
import { type CheckResult, INTERRUPTED } from "./schema.js";
import type { CaseResult, TrialResult } from "./suite-schema.js";

// What of the results came from outside. The recorder masks that and nothing else: names of fields, words of ours, ids,
// digests and paths are left, whatever the secrets are. A test goes through all fields of both schemas.

export function maskCheck(result: CheckResult, redactor: Redactor): CheckResult {
  const masked = maskFields(result, ["description", "reason", "error_detail", "stdout", "stderr"], redactor);
  return { ...masked, details: maskDetails(result.details, redactor) };
}

export function maskCase(result: CaseResult, redactor: Redactor): CaseResult {
  const masked = maskFields(result, ["failure_reasons", "error_message", "error_detail", "input"], redactor);
  return { ...masked, trials: result.trials.map((trial) => maskTrial(trial, redactor)) };
}

export function maskTrial(trial: TrialResult, redactor: Redactor): TrialResult {
  return {
    ...maskSaid(maskFields(trial, ["failure_reasons", "error_message"], redactor), redactor),
    scores: trial.scores.map((score) => maskScore(score, redactor)),
    changes: trial.changes?.map((change) => maskChange(change, redactor)) ?? null,
  };
}

/** What a target handed back. */
export type Said = Pick<TrialResult, "output" | "messages" | "tool_calls" | "retrieved" | "model">;

export function maskSaid<T extends Said>(said: T, redactor: Redactor): T {
  return {
    ...maskFields(said, ["output", "model"], redactor),
    messages: said.messages.map((message) => maskFields(message, ["name", "content"], redactor)),
    tool_calls: said.tool_calls.map((call) => maskFields(call, ["name", "arguments", "result", "error"], redactor)),
    retrieved: said.retrieved?.map((document) => maskFields(document, ["id", "text"], redactor)) ?? null,
  };
}

/** What an assertion or a judge came to. */
interface Scored {
  reason?: string | undefined;
  details?: Readonly<Record<string, unknown>> | undefined;
}

export function maskScore<T extends Scored>(score: T, redactor: Redactor): T {
  const masked = maskFields(score, ["reason"], redactor);
  return score.details === undefined ? masked : { ...masked, details: maskDetails(score.details, redactor) };
}

/** The names of files are those that a target gave them. */
export function maskChange<T extends { path?: unknown; from?: unknown }>(change: T, redactor: Redactor): T {
  return maskFields(change, ["path", "from"], redactor);
}

/** Of what agents say: the rest of the details is ours. */
function maskDetails<T extends Readonly<Record<string, unknown>>>(details: T, redactor: Redactor): T {
  const masked = maskFields(details, ["session_id"], redactor);
  const { attempts } = details;
  if (!Array.isArray(attempts)) return masked;
  return { ...masked, attempts: attempts.map((each) => maskFields(each, ["reason", "error_detail"], redactor)) };
}

/** A record of ours with what stands in these fields masked. */
function maskFields<T extends object>(record: T, names: readonly (keyof T)[], { data }: Redactor): T {
  const present = names.filter((name) => Object.hasOwn(record, name));
  // A word of ours, by which a stop is known.
  const mask = (value: unknown) => (value === INTERRUPTED ? value : data(value));
  return { ...record, ...Object.fromEntries(present.map((name) => [name, mask(record[name])])) };
}
