import { join } from "node:path";
import type { Answer } from "../agents/answer.js";
import { agentCommand } from "../agents/command.js";
import { expandEnv } from "../agents/env.js";
import { failureHint, installCommand } from "../agents/known.js";
import { readAgentOutput } from "../agents/read-output.js";
import { findVerdict } from "../agents/verdict.js";
import { writeFileAtomic } from "../core/atomic.js";
import { oneLine, truncate } from "../core/text.js";
import { type JobResult, runJob } from "../process/job.js";
import { INTERRUPTED, type ItemStatus } from "../report/schema.js";
import { type ItemContext, itemEnv } from "./context.js";
import type { Harness } from "./harness.js";
import { collectOutput, type Output, streamPath } from "./outcome.js";

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
  const { context, harness, prompt, promptFile } = question;
  const command = agentCommand(harness.template, question);
  const prefix = number === 1 ? context.prefix : `${context.prefix}.attempt-${number}`;
  const stdoutPath = join(context.runDir, streamPath(prefix, "stdout"));
  const clock = performance.now();
  // Each time: the agent of an earlier attempt could reach it.
  writeFileAtomic(promptFile, prompt);
  const job = await runJob({
    command: command.argv[0],
    args: command.argv.slice(1),
    cwd: context.projectRoot,
    env: judgeEnv(context, harness, command.env),
    ...(command.stdinFile !== undefined && { stdinPath: command.stdinFile }),
    stdoutPath,
    stderrPath: join(context.runDir, streamPath(prefix, "stderr")),
    timeoutMs: question.timeoutSeconds * 1000,
    signal: context.signal,
    tags: context.tags,
    leaveNothing: true,
  });
  const answer =
    job.startError === null ? readAgentOutput(stdoutPath, harness.template.output_format, prompt) : undefined;
  const output = collectOutput(context.runDir, prefix, context.redactor);
  return {
    ...judgementOf(job, answer, output, question),
    exitCode: job.exitCode,
    durationMs: Math.round(performance.now() - clock),
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

function judgeEnv(context: ItemContext, { name, env }: Harness, modelEnv: Record<string, string>): NodeJS.ProcessEnv {
  return {
    ...context.env,
    CI: "1",
    PYTHONUNBUFFERED: "1",
    ...expandEnv(env, context.env).env,
    ...modelEnv,
    ...itemEnv(context),
    EVAL_BANANA_HARNESS_AGENT: name,
  };
}

function judgementOf(job: JobResult, answer: Answer | undefined, output: Output, question: Question): Judgement {
  if (job.aborted) return { status: "error", errorDetail: INTERRUPTED };
  const failed = agentFailure(job, answer, output, question);
  if (failed !== undefined) {
    const hint = failureHint(question.harness.name, `${failed}\n${output.stderr}`);
    return { status: "error", errorDetail: hint ? `${failed}; ${hint}` : failed };
  }
  const text = answer?.text ?? "";
  const strict = question.context.config["harness.strict_verdict"];
  const verdict = findVerdict(text, { token: question.token, strict });
  if (!verdict) return { status: "error", errorDetail: describeMissingVerdict(text, output, strict) };
  return {
    status: verdict.score === 1 ? "passed" : "failed",
    ...(verdict.reason !== null && { reason: truncate(verdict.reason, MAX_REASON) }),
    carriesToken: verdict.token,
  };
}

/** What kept the agent from giving an answer at all. */
function agentFailure(
  job: JobResult,
  answer: Answer | undefined,
  output: Output,
  { harness, timeoutSeconds }: Question,
): string | undefined {
  if (job.startError !== null) {
    const install = installCommand(harness.name);
    const how = install === undefined ? "" : `; install it with \`${install}\``;
    return `the agent '${harness.name}' could not be started: ${job.startError}${how}`;
  }
  if (job.timedOut) return `timed out after ${timeoutSeconds} s; ${lastSignOfLife(answer, output)}`;
  const said = answer?.failure === undefined ? lastWords(output.stderr) : shorten(answer.failure);
  const why = said ? `: ${said}` : "";
  if (job.signal !== null) return `the agent was killed by ${job.signal}${why}`;
  if (job.exitCode !== 0) return `the agent ended with exit code ${job.exitCode}${why}`;
  return answer?.failure === undefined ? undefined : `the agent failed${why}`;
}

function describeMissingVerdict(text: string, output: Output, strict: boolean): string {
  const expected = `{"score": 0 or 1, "reason": "..."${strict ? ', "token": as in the prompt' : ""}}`;
  // A verdict stands at the end.
  const end = shorten(text.trimEnd().slice(-MAX_QUOTE));
  const found = end === "" ? "its final answer is empty" : `its final answer ends with: ${end}`;
  const where = output.stdoutPath === null ? "it printed nothing" : `all of its output is in ${output.stdoutPath}`;
  return `no verdict: expected ${expected}, ${found}; ${where}`;
}

/** How much of what an agent printed stands in a message, in characters. */
const MAX_QUOTE = 500;

/** Agents try again for minutes when their model's service refuses: what they say of it is the cause of a timeout. */
function lastSignOfLife(answer: Answer | undefined, output: Output): string {
  if (answer?.trouble !== undefined) return `the last error it reported: ${shorten(answer.trouble)}`;
  if (output.stderr !== "") return `the last it said on standard error: ${lastWords(output.stderr)}`;
  return output.stdoutPath === null ? "it had printed nothing" : `what it did is in ${output.stdoutPath}`;
}

const STACK_FRAME = /^\s*at .+:\d+\)?(?: \{)?$/;

/** The last lines that say something. */
function lastWords(text: string): string {
  const lines = text.split("\n").filter((line) => /\w/.test(line) && !STACK_FRAME.test(line));
  return shorten(lines.slice(-3).join("\n").slice(-MAX_QUOTE));
}

/** The beginning of a text on one line. */
function shorten(text: string): string {
  return oneLine(text.slice(0, MAX_QUOTE), MAX_QUOTE);
}
