import { dirname, join } from "node:path";
import type { Answer } from "../../../agents/answer.js";
import { failureHint } from "../../../agents/known.js";
import { expandEnv } from "../../../core/env.js";
import { makeDirectory } from "../../../core/make-directory.js";
import { type Try, withRetries } from "../../../core/retry.js";
import { type AgentOutcome, callAgent, isRefused, MAX_QUOTE } from "../../../run/agent-call.js";
import type { Harness } from "../../../run/harness.js";
import type { Json } from "../../json.js";
import type { Session, ToolCall } from "../../session.js";
import { taskText } from "../../test-case.js";
import { sessionFromText, unavailable } from "../answer.js";
import type { Call } from "../call.js";
import { evidenceOf } from "../command/call-command.js";
import type { TargetBase } from "../target-type.js";

/** An agent's own program. */
export interface AgentTarget extends TargetBase {
  type: "agent";
  agent: Harness;
  model?: string | undefined;
  effort?: string | undefined;
  instructions?: string | undefined;
  /** Whether its program is a file of the project. */
  isOwn: boolean;
}

/** Lets an agent's program do the task in the working directory. */
export async function callAgentTarget(target: AgentTarget, call: Call): Promise<Session> {
  const { agent, model, effort, instructions } = target;
  const { context, timeoutMs } = call;
  const missing = expandEnv(agent.env, context.env).missing[0];
  if (missing !== undefined) return unavailable(`the variable ${missing} is not set: the target's env names it`);
  const task = taskText(call.input);
  const prompt = instructions === undefined ? task : `${instructions}\n\n${task}`;
  const deadline = timeoutMs === undefined ? undefined : performance.now() + timeoutMs;
  const promptPath = `${context.prefix}.prompt.txt`;
  const promptFile = join(context.runDir, promptPath);
  makeDirectory(dirname(promptFile));
  let tries = 0;
  const once = async (): Promise<Try<AgentOutcome>> => {
    tries++;
    const value = await callAgent({
      context,
      agent,
      model,
      effort,
      prompt,
      promptFile,
      prefix: tries === 1 ? context.prefix : `${context.prefix}.attempt-${tries}`,
      cwd: call.cwd,
      timeoutMs: deadline === undefined ? undefined : Math.max(1, deadline - performance.now()),
      // Its answer may well repeat a short task.
      echo: "",
    });
    // One that has used tools may have changed files: a second call would not begin as the first.
    const isUntouched = !value.answer?.toolCalls.length;
    return { value, ...(isUntouched && isRefused(value) && { retryAfterMs: null }) };
  };
  const { value, retries, durationMs, gaveUp } = await withRetries(once, { signal: context.signal, deadline });
  const error = describeFailure(value, agent.name, { gaveUp, timeoutMs });
  return {
    ...sessionOf(value.answer, target, call),
    error,
    unavailable: value.job.startError !== null,
    durationMs,
    retries,
    evidence: { prompt: promptPath, ...evidenceOf(value.output) },
  };
}

function describeFailure(
  { failure, answer, output, job }: AgentOutcome,
  agent: string,
  { gaveUp, timeoutMs = 0 }: { gaveUp: string; timeoutMs: number | undefined },
): string | null {
  if (failure === undefined) {
    if (job.aborted || answer?.text) return null;
    // An agent may have done all there was to do in files; but no answer at all is none.
    return answer?.text === "" ? null : `the agent gave no answer${where(output.stdoutPath)}`;
  }
  // The last try had only what was left of the time.
  const words = job.timedOut
    ? failure.replace(/^timed out after [\d.]+ s/, `timed out after ${timeoutMs / 1000} s`)
    : failure;
  if (gaveUp !== "") return `${words} (${gaveUp})`;
  const hint = failureHint(agent, `${failure}\n${output.stderr}`);
  return hint === undefined ? words : `${words}; ${hint}`;
}

function where(path: string | null): string {
  return path === null ? ": it printed nothing" : `; all of its output is in ${path}`;
}

function sessionOf(answer: Answer | undefined, target: AgentTarget, call: Call): Session {
  const session = sessionFromText(answer?.text ?? "", call);
  const model = answer?.model ?? target.model;
  return {
    ...session,
    toolCalls: (answer?.toolCalls ?? []).map((called) => toToolCall(called, call)),
    turns: answer?.numTurns ?? (answer?.text == null ? 0 : 1),
    inputTokens: answer?.inputTokens ?? 0,
    outputTokens: answer?.usage?.output_tokens ?? 0,
    ...(answer?.costUsd !== undefined && { costUsd: answer.costUsd }),
    ...(model !== undefined && { model }),
  };
}

/** What the readers give comes out of JSON. */
function toToolCall(
  { name, arguments: given, result, error }: Answer["toolCalls"][number],
  { context: { redactor } }: Call,
): ToolCall {
  const words = typeof result === "string" ? result : (JSON.stringify(redactor.data(result)) ?? "");
  return {
    name,
    arguments: (given ?? {}) as Json,
    ...(result !== undefined && { result: result as Json }),
    ...(error === true && { error: redactor.line(words, MAX_QUOTE) || "it failed" }),
  };
}
