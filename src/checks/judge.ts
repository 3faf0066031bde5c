import { randomBytes } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { addUsage } from "../agents/answer.js";
import { cannotInject } from "../agents/command.js";
import { judgePrompt } from "../agents/prompt.js";
import { INTERRUPTED } from "../report/schema.js";
import type { CheckContext } from "./context.js";
import { type Attempt, runAttempt } from "./judge-attempt.js";
import type { Outcome } from "./outcome.js";
import type { JudgeCheck } from "./schema.js";
import type { CheckSnapshot } from "./snapshot.js";

/** Asks the agent for as many verdicts as the check wants; the majority decides. */
export async function runJudge({ definition }: CheckSnapshot<JudgeCheck>, context: CheckContext): Promise<Outcome> {
  const { config, harness } = context;
  if (harness === undefined) throw new Error("a judge check runs without an agent");
  const { template } = harness;
  const model = definition.model ?? config["harness.model"] ?? template.default_model;
  const effort = config["harness.reasoning_effort"] ?? template.reasoning_effort;
  const timeoutSeconds = definition.timeout_seconds ?? config["harness.timeout_seconds"];
  const refused = cannotInject(harness.name, template, { model, effort });
  const details = {
    agent_type: harness.name,
    model: refused?.field === "model" ? null : (model ?? null),
    reasoning_effort: refused?.field === "effort" ? null : (effort ?? null),
    timeout_seconds: timeoutSeconds,
    raw_response_path: null,
  };
  if (refused) return { status: "error", errorDetail: refused.message, details };

  const token = randomBytes(12).toString("hex");
  const prompt = judgePrompt({
    description: definition.description,
    instructions: definition.instructions,
    token,
    maxChars: config["core.llm_max_input_chars"],
  });
  const promptFile = join(context.runDir, "checks", `${context.stem}.prompt.txt`);
  writeFileSync(promptFile, prompt);

  const attempts: Attempt[] = [];
  const votes: Attempt[] = [];
  for (let vote = 0; vote < definition.votes; vote++) {
    let last: Attempt | undefined;
    for (let tries = 0; tries <= definition.retries && !context.signal.aborted; tries++) {
      const number = attempts.length + 1;
      last = await runAttempt({ context, harness, model, effort, timeoutSeconds, prompt, promptFile, token, number });
      attempts.push(last);
      if (last.status !== "error") break;
    }
    if (last) votes.push(last);
  }
  return { ...decide(votes, definition.votes), details: { ...details, ...describe(attempts, votes) } };
}

/** What more than half of the wanted votes say; an error is no vote. */
function decide(votes: readonly Attempt[], wanted: number): Omit<Outcome, "details"> {
  const majority = (["passed", "failed"] as const).find(
    (status) => votes.filter((vote) => vote.status === status).length > wanted / 2,
  );
  const shown = votes.find(({ status }) => status === majority) ?? votes.find(({ status }) => status === "error");
  if (!shown) return { status: "error", errorDetail: INTERRUPTED };
  const { output, exitCode } = shown;
  if (majority === undefined) {
    const count = votes.filter(({ status }) => status === "error").length;
    const errorDetail =
      wanted === 1 ? shown.errorDetail : `${count} of ${wanted} votes ended in an error: ${shown.errorDetail}`;
    return { status: "error", ...(errorDetail !== undefined && { errorDetail }), output, exitCode };
  }
  return { status: majority, ...(shown.reason !== undefined && { reason: shown.reason }), output, exitCode };
}

function describe(attempts: readonly Attempt[], votes: readonly Attempt[]): NonNullable<Outcome["details"]> {
  const last = attempts.at(-1);
  const usage = attempts.map((attempt) => attempt.answer?.usage).reduce(addUsage, undefined);
  const costs = attempts.flatMap(({ answer }) => answer?.costUsd ?? []);
  const leftovers = attempts.reduce((sum, attempt) => sum + attempt.leftovers, 0);
  const tally = (status: Attempt["status"]) => votes.filter((vote) => vote.status === status).length;
  return {
    raw_response_path: last?.output.stdoutPath ?? null,
    ...(usage && { usage: { ...usage } }),
    ...(costs.length > 0 && { cost_usd: costs.reduce((sum, cost) => sum + cost, 0) }),
    ...(last?.answer?.numTurns !== undefined && { num_turns: last.answer.numTurns }),
    ...(last?.answer?.sessionId !== undefined && { session_id: last.answer.sessionId }),
    ...(last?.carriesToken !== undefined && { verdict_token: last.carriesToken }),
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
