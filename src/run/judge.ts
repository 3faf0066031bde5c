import { join } from "node:path";
import { addUsage } from "../agents/answer.js";
import { crypto } from "../core/ids.js";
import type { Redactor } from "../core/redact.js";
import { truncate } from "../core/text.js";
import { INTERRUPTED } from "../report/schema.js";
import type { ItemContext } from "./context.js";
import { judgeSettings } from "./harness.js";
import { type Attempt, type Question, runAttempt } from "./judge-attempt.js";
import type { Outcome } from "./outcome.js";

/** What a judge is asked for. */
export interface JudgeRequest {
  /** The prompt, which asks for a verdict that carries the token. */
  prompt: (token: string) => string;
  /** How many independent verdicts; odd. */
  votes: number;
  /** How often more after an error. */
  retries: number;
  /** Whether to wait and ask again where the model's service refuses; that is no error. */
  patient?: boolean | undefined;
  /** These override what is configured. */
  model?: string | undefined;
  reasoningEffort?: string | undefined;
  /** Overrides the configured limit, in seconds. */
  timeoutSeconds?: number | undefined;
}

/** Checks can't be run without one; of a suite only the cases that need it end in this error. */
const NO_JUDGE =
  "a judge is needed and no agent is configured: set judge.agent in the suite, or [harness] agent in .eval-banana/config.toml";

/** Asks the agent for as many verdicts as are wanted; the majority decides. */
export async function runJudge(request: JudgeRequest, context: ItemContext): Promise<Outcome> {
  const { config, harness } = context;
  if (harness === undefined) return { status: "error", errorDetail: NO_JUDGE };
  const { model, effort, refused } = judgeSettings(harness, config, request);
  const timeoutSeconds = request.timeoutSeconds ?? config["harness.timeout_seconds"];
  const details = {
    agent_type: harness.name,
    // No claim of what did not happen.
    model: refused === undefined ? (model ?? null) : null,
    reasoning_effort: refused === undefined ? (effort ?? null) : null,
    timeout_seconds: timeoutSeconds,
    raw_response_path: null,
  };
  if (refused !== undefined) return { status: "error", errorDetail: refused, details };

  const token = crypto().randomBytes(12).toString("hex");
  const prompt = request.prompt(token);
  const promptFile = join(context.runDir, `${context.prefix}.prompt.txt`);
  const { patient = false } = request;
  const question = { context, harness, model, effort, timeoutSeconds, prompt, promptFile, token, patient };
  const { attempts, votes } = await collectVotes(question, request);
  const { shown, ...decision } = decide(votes, request.votes);
  return { ...decision, details: { ...details, ...describe(attempts, votes, { shown, redactor: context.redactor }) } };
}

/** One attempt for each vote, and more where it ends in an error and there are retries. The last attempt is the vote. */
async function collectVotes(question: Question, { votes: wanted, retries }: JudgeRequest) {
  const attempts: Attempt[] = [];
  const votes: Attempt[] = [];
  const { signal } = question.context;
  while (votes.length < wanted && !signal.aborted) {
    let vote: Attempt;
    let triesLeft = retries;
    do {
      vote = await runAttempt(question, attempts.length + 1);
      attempts.push(vote);
    } while (vote.status === "error" && triesLeft-- > 0 && !signal.aborted);
    votes.push(vote);
  }
  return { attempts, votes };
}

interface Decision extends Omit<Outcome, "details"> {
  /** The attempt whose reason and output stand for all. */
  shown?: Attempt | undefined;
}

/** What more than half of the wanted votes say; an error is no vote. */
function decide(votes: readonly Attempt[], wanted: number): Decision {
  const withStatus = (status: Attempt["status"]) => votes.filter((vote) => vote.status === status);
  const majority = [withStatus("passed"), withStatus("failed")].find((same) => same.length > wanted / 2);
  const errors = withStatus("error");
  const interrupted = votes.length < wanted ? votes.at(-1) : errors.find((vote) => vote.errorDetail === INTERRUPTED);
  if (interrupted || votes.length === 0) return show(interrupted, { status: "error", errorDetail: INTERRUPTED });
  if (majority?.[0]) return show(majority[0], { status: majority[0].status, reason: majority[0].reason });
  const errorDetail = errors[0]?.errorDetail ?? "";
  return show(errors[0], {
    status: "error",
    errorDetail:
      wanted === 1 ? errorDetail : `no majority: ${errors.length} of ${wanted} votes ended in an error: ${errorDetail}`,
  });
}

function show(shown: Attempt | undefined, outcome: Outcome): Decision {
  return { ...outcome, shown, ...(shown && { output: shown.output, exitCode: shown.exitCode }) };
}

function describe(
  attempts: readonly Attempt[],
  votes: readonly Attempt[],
  { shown, redactor }: { shown: Attempt | undefined; redactor: Redactor },
): NonNullable<Outcome["details"]> {
  const { numTurns, sessionId } = shown?.figures ?? {};
  const usage = attempts.map(({ figures }) => figures.usage).reduce(addUsage, undefined);
  const costs = attempts.flatMap(({ figures }) => figures.costUsd ?? []);
  const leftovers = attempts.reduce((sum, attempt) => sum + attempt.leftovers, 0);
  const tally = (status: Attempt["status"]) => votes.filter((vote) => vote.status === status).length;
  return {
    raw_response_path: shown?.output.stdoutPath ?? null,
    ...(usage && { usage: { ...usage } }),
    ...(costs.length > 0 && { cost_usd: costs.reduce((sum, cost) => sum + cost, 0) }),
    ...(numTurns !== undefined && { num_turns: numTurns }),
    ...(sessionId !== undefined && { session_id: truncate(redactor.text(sessionId), 200) }),
    ...(shown?.carriesToken !== undefined && { verdict_token: shown.carriesToken }),
    ...(leftovers > 0 && { leftover_processes: leftovers }),
    ...(votes.length > 1 && { votes: { passed: tally("passed"), failed: tally("failed"), error: tally("error") } }),
    ...(attempts.length > 1 && { attempts: attempts.map(attemptDetails) }),
  };
}

function attemptDetails(attempt: Attempt) {
  return {
    status: attempt.status,
    reason: attempt.reason ?? null,
    error_detail: attempt.errorDetail ?? null,
    exit_code: attempt.exitCode,
    duration_ms: attempt.durationMs,
    raw_response_path: attempt.output.stdoutPath,
  };
}
