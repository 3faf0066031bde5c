import { join } from "node:path";
import type { Answer } from "../agents/answer.js";
import { agentCommand } from "../agents/command.js";
import { expandEnv } from "../agents/env.js";
import { failureHint, installCommand } from "../agents/known.js";
import { readAgentOutput } from "../agents/read-output.js";
import { findVerdict } from "../agents/verdict.js";
import { oneLine } from "../core/text.js";
import { type JobResult, runJob } from "../process/job.js";
import { endTree } from "../process/tree.js";
import { type CheckStatus, INTERRUPTED } from "../report/schema.js";
import { type CheckContext, checkEnv } from "./context.js";
import type { Harness } from "./harness.js";
import { collectOutput, type Output, streamPath } from "./outcome.js";

export interface AttemptOptions {
  context: CheckContext;
  harness: Harness;
  model: string | undefined;
  effort: string | undefined;
  timeoutSeconds: number;
  prompt: string;
  promptFile: string;
  token: string;
  /** From 1. The output of each attempt is kept. */
  number: number;
}

/** One call of the agent. */
export interface Attempt {
  status: CheckStatus;
  reason?: string;
  errorDetail?: string;
  exitCode: number | null;
  durationMs: number;
  output: Output;
  answer?: Answer;
  carriesToken?: boolean;
  /** How many processes the agent left running; they were ended. */
  leftovers: number;
}

/** Calls the agent once and reads its verdict. */
export async function runAttempt(options: AttemptOptions): Promise<Attempt> {
  const { context, harness, model, effort, prompt, promptFile, timeoutSeconds } = options;
  const command = agentCommand(harness.template, { model, effort, prompt, promptFile });
  const stem = options.number === 1 ? context.stem : `${context.stem}.attempt-${options.number}`;
  const stdoutPath = join(context.runDir, streamPath(stem, "stdout"));
  const clock = performance.now();
  const job = await runJob({
    command: command.argv[0],
    args: command.argv.slice(1),
    cwd: context.projectRoot,
    env: judgeEnv(context, harness, command.env),
    ...(command.stdinFile !== undefined && { stdinPath: command.stdinFile }),
    stdoutPath,
    stderrPath: join(context.runDir, streamPath(stem, "stderr")),
    timeoutMs: timeoutSeconds * 1000,
    signal: context.signal,
    tags: context.tags,
  });
  const leftovers = await endTree({ tags: context.tags });
  const answer =
    job.startError === null ? readAgentOutput(stdoutPath, harness.template.output_format, prompt) : undefined;
  const output = collectOutput(context.runDir, stem);
  return {
    ...verdictOf(job, answer, output, options),
    exitCode: job.exitCode,
    durationMs: Math.round(performance.now() - clock),
    output,
    ...(answer && { answer }),
    leftovers,
  };
}

function judgeEnv(
  context: CheckContext,
  { name, template }: Harness,
  modelEnv: Record<string, string>,
): NodeJS.ProcessEnv {
  return {
    ...context.env,
    CI: "1",
    ...expandEnv(template.provider_env ?? {}, context.env).env,
    ...expandEnv(context.config["harness.env"], context.env).env,
    ...modelEnv,
    ...checkEnv(context),
    EVAL_BANANA_HARNESS_AGENT: name,
  };
}

type Judgement = Pick<Attempt, "status" | "reason" | "errorDetail" | "carriesToken">;

function verdictOf(job: JobResult, answer: Answer | undefined, output: Output, options: AttemptOptions): Judgement {
  const { harness, token, context } = options;
  const failed = processFailure(job, answer, output, options);
  if (failed !== undefined) {
    const hint = failureHint(harness.name, `${failed}\n${output.stderr}\n${answer?.failure ?? ""}`);
    return { status: "error", errorDetail: hint ? `${failed}; ${hint}` : failed };
  }
  const text = answer?.text ?? "";
  const verdict = findVerdict(text, { token, strict: context.config["harness.strict_verdict"] });
  if (verdict) {
    const status = verdict.score === 1 ? "passed" : "failed";
    return { status, ...(verdict.reason !== null && { reason: verdict.reason }), carriesToken: verdict.token };
  }
  const found =
    text.trim() === "" ? "its final answer is empty" : `its final answer was: ${oneLine(text.slice(-2000), 300)}`;
  const where = output.stdoutPath === null ? "it printed nothing" : `all of its output is in ${output.stdoutPath}`;
  return {
    status: "error",
    errorDetail: `no verdict: expected {"score": 0 or 1, "reason": "..."}, ${found}; ${where}`,
  };
}

/** What kept the agent from giving an answer at all. */
function processFailure(
  job: JobResult,
  answer: Answer | undefined,
  output: Output,
  { harness, timeoutSeconds }: AttemptOptions,
) {
  const last = lastWords(output.stderr);
  if (job.startError !== null) {
    const install = installCommand(harness.name);
    return `the agent '${harness.name}' could not be started: ${job.startError}${install ? `; install it with \`${install}\`` : ""}`;
  }
  if (job.aborted) return INTERRUPTED;
  if (job.timedOut) return `timed out after ${timeoutSeconds} s; ${lastSignOfLife(answer, output)}`;
  if (job.signal !== null) return `the agent was killed by ${job.signal}`;
  const said = answer?.failure ?? last;
  if (job.exitCode !== 0)
    return `the agent ended with exit code ${job.exitCode}${said ? `: ${oneLine(said, 500)}` : ""}`;
  return answer?.failure === undefined ? undefined : `the agent failed: ${oneLine(answer.failure, 500)}`;
}

/** Agents try again for minutes when their model's service refuses: what they say of it is the cause of a timeout. */
function lastSignOfLife(answer: Answer | undefined, output: Output): string {
  if (answer?.trouble !== undefined) return `the last error it reported: ${oneLine(answer.trouble, 500)}`;
  if (output.stderr !== "") return `the last it said on standard error: ${lastWords(output.stderr)}`;
  return output.stdoutPath === null ? "it had printed nothing" : `what it did is in ${output.stdoutPath}`;
}

const STACK_FRAME = /^\s*at .+:\d+\)?(?: \{)?$/;

/** The last lines that say something. */
function lastWords(text: string): string {
  const lines = text.split("\n").filter((line) => /\w/.test(line) && !STACK_FRAME.test(line));
  return lines
    .slice(-2)
    .map((line) => oneLine(line, 400))
    .join(" ⏎ ");
}
