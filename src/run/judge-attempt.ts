import type { Answer } from "../agents/answer.js";
import { failureHint } from "../agents/known.js";
import { findVerdict } from "../agents/verdict.js";
import { type Try, withRetries } from "../core/retry.js";
import { oneLine, truncate } from "../core/text.js";
import { INTERRUPTED, type ItemStatus } from "../report/schema.js";
import { type AgentOutcome, callAgent, isRefused, MAX_QUOTE } from "./agent-call.js";
import type { ItemContext } from "./context.js";
import type { Harness } from "./harness.js";
import type { Output } from "./outcome.js";

/** What is asked, of whom, and how. */
export interface Question {
  context: ItemContext;
  harness: Harness;
  model: string | undefined;
  effort: string | undefined;
  timeoutSeconds: number;
  prompt: string;
  /** Absolute. */
  promptFile: string;
  /** What the prompt asks the verdict to carry. */
  token: string;
  /** Whether to wait and ask again where the model's service refuses. */
  patient: boolean;
}

/** One call of the agent. */
export interface Attempt extends Judgement {
  exitCode: number | null;
  durationMs: number;
  output: Output;
  /** What the agent says of its work; without the answer itself, which may be long. */
  figures: Figures;
  /** How many processes the agent left running; they were ended. */
  leftovers: number;
}

type Figures = Pick<Answer, "usage" | "costUsd" | "numTurns" | "sessionId">;

interface Judgement {
  status: ItemStatus;
  reason?: string | undefined;
  errorDetail?: string;
  /** Whether the verdict carries the token. */
  carriesToken?: boolean;
}

/** Longer reasons are cut: the report is read as a whole. */
const MAX_REASON = 10_000;

/**
 * Calls the agent once and reads its verdict.
 * @param number from 1; the output of each attempt is kept
 */
export async function runAttempt(question: Question, number: number): Promise<Attempt> {
  const { context, harness, prompt, timeoutSeconds } = question;
  const call = async (): Promise<Try<AgentOutcome>> => {
    const value = await callAgent({
      ...question,
      agent: harness,
      prefix: number === 1 ? context.prefix : `${context.prefix}.attempt-${number}`,
      cwd: context.projectRoot,
      timeoutMs: timeoutSeconds * 1000,
      echo: prompt,
    });
    return { value, ...(question.patient && isRefused(value) && { retryAfterMs: null }) };
  };
  const { value } = await withRetries(call, { signal: context.signal });
  const { job, answer, output, failure, durationMs } = value;
  return {
    ...(job.aborted ? { status: "error", errorDetail: INTERRUPTED } : judgementOf(answer, output, failure, question)),
    exitCode: job.exitCode,
    durationMs,
    output,
    figures: {
      usage: answer?.usage,
      costUsd: answer?.costUsd,
      numTurns: answer?.numTurns,
      sessionId: answer?.sessionId,
    },
    leftovers: job.leftovers,
  };
}

function judgementOf(
  answer: Answer | undefined,
  output: Output,
  failure: string | undefined,
  { context, harness, token }: Question,
): Judgement {
  if (failure !== undefined) {
    const hint = failureHint(harness.name, `${failure}\n${output.stderr}`);
    return { status: "error", errorDetail: hint ? `${failure}; ${hint}` : failure };
  }
  const { redactor } = context;
  const text = answer?.text ?? "";
  const strict = context.config["harness.strict_verdict"];
  const verdict = findVerdict(text, { token, strict });
  if (!verdict) return { status: "error", errorDetail: describeMissingVerdict(redactor.text(text), output, strict) };
  return {
    status: verdict.score === 1 ? "passed" : "failed",
    ...(verdict.reason !== null && { reason: truncate(redactor.text(verdict.reason), MAX_REASON) }),
    carriesToken: verdict.token,
  };
}

function describeMissingVerdict(text: string, output: Output, strict: boolean): string {
  const expected = `{"score": 0 or 1, "reason": "..."${strict ? ', "token": as in the prompt' : ""}}`;
  // A verdict stands at the end.
  const end = oneLine(text.trimEnd().slice(-MAX_QUOTE), MAX_QUOTE);
  const found = end === "" ? "its final answer is empty" : `its final answer ends with: ${end}`;
  const where = output.stdoutPath === null ? "it printed nothing" : `all of its output is in ${output.stdoutPath}`;
  return `no verdict: expected ${expected}, ${found}; ${where}`;
}
