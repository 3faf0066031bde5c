import { dirname, join } from "node:path";
import type { Answer } from "../agents/answer.js";
import { agentCommand } from "../agents/command.js";
import { installCommand, isPassing } from "../agents/known.js";
import { readAgentOutput } from "../agents/read-output.js";
import { writeFileAtomic } from "../core/atomic.js";
import { expandEnv } from "../core/env.js";
import { makeDirectory } from "../core/make-directory.js";
import { oneLine } from "../core/text.js";
import { type JobResult, runJob } from "../process/job.js";
import { type ItemContext, itemEnv } from "./context.js";
import type { Harness } from "./harness.js";
import { collectOutput, type Output, streamPath } from "./outcome.js";

/** One call of an agent's program. */
export interface AgentCall {
  context: ItemContext;
  agent: Harness;
  model: string | undefined;
  effort: string | undefined;
  prompt: string;
  /** Absolute: where the prompt is kept as evidence, with secrets masked. */
  promptFile: string;
  /** What the names of its output files begin with, relative to the run directory. */
  prefix: string;
  cwd: string;
  /** Undefined: no limit. */
  timeoutMs: number | undefined;
  /** The prompt where its echo is no answer; empty: the answer may repeat it. */
  echo: string;
}

export interface AgentOutcome {
  job: JobResult;
  /** Undefined when it could not be started. */
  answer: Answer | undefined;
  output: Output;
  /** What kept it from giving an answer at all; undefined also when it was stopped. */
  failure: string | undefined;
  durationMs: number;
}

const PROMPT_FILE = "prompt.txt";

/** Calls an agent once and reads its answer; nothing that it started is left. */
export async function callAgent(call: AgentCall): Promise<AgentOutcome> {
  const { context, agent, prompt, prefix } = call;
  const stdoutPath = join(context.runDir, streamPath(prefix, "stdout"));
  makeDirectory(dirname(stdoutPath));
  // Each time: the agent of an earlier call could reach it. It is evidence, so one with a secret is read elsewhere.
  const masked = context.redactor.text(prompt);
  writeFileAtomic(call.promptFile, masked);
  const privateDir = masked === prompt ? undefined : context.privateDirs.take({ [PROMPT_FILE]: prompt });
  const promptFile = privateDir === undefined ? call.promptFile : join(privateDir, PROMPT_FILE);
  const command = agentCommand(agent.template, { ...call, promptFile });
  const clock = performance.now();
  const job = await runJob({
    command: command.argv[0],
    args: command.argv.slice(1),
    cwd: call.cwd,
    env: agentEnv(call, command.env),
    ...(command.stdinFile !== undefined && { stdinPath: command.stdinFile }),
    stdoutPath,
    stderrPath: join(context.runDir, streamPath(prefix, "stderr")),
    timeoutMs: call.timeoutMs,
    signal: context.signal,
    tags: context.tags,
    leaveNothing: true,
  });
  const durationMs = Math.round(performance.now() - clock);
  const answer =
    job.startError === null ? readAgentOutput(stdoutPath, agent.template.output_format, call.echo) : undefined;
  const output = collectOutput(context.runDir, prefix, context.redactor);
  if (privateDir !== undefined) context.privateDirs.giveBack(privateDir);
  const failure = job.aborted ? undefined : agentFailure(job, answer, output, call);
  return { job, answer, output, failure, durationMs };
}

function agentEnv({ context, agent }: AgentCall, modelEnv: Record<string, string>): NodeJS.ProcessEnv {
  return {
    ...context.env,
    CI: "1",
    PYTHONUNBUFFERED: "1",
    ...expandEnv(agent.env, context.env).env,
    ...modelEnv,
    ...itemEnv(context),
    EVAL_BANANA_HARNESS_AGENT: agent.name,
  };
}

function agentFailure(
  job: JobResult,
  answer: Answer | undefined,
  output: Output,
  { agent, context, timeoutMs = 0 }: AgentCall,
): string | undefined {
  if (job.startError !== null) {
    const install = installCommand(agent.name);
    const how = install === undefined ? "" : `; install it with \`${install}\``;
    return `the agent '${agent.name}' could not be started: ${job.startError}${how}`;
  }
  if (job.timedOut) return `timed out after ${timeoutMs / 1000} s; ${lastSignOfLife(answer, output, context)}`;
  const said =
    answer?.failure === undefined ? lastWords(output.stderr) : context.redactor.line(answer.failure, MAX_QUOTE);
  const why = said ? `: ${said}` : "";
  if (job.signal !== null) return `the agent was killed by ${job.signal}${why}`;
  if (job.exitCode !== 0) return `the agent ended with exit code ${job.exitCode}${why}`;
  return answer?.failure === undefined ? undefined : `the agent failed${why}`;
}

/** Whether it failed of what passes by itself, such as that its model's service takes no more for now. */
export function isRefused({ failure, output, job }: AgentOutcome): boolean {
  if (failure === undefined || job.startError !== null || job.timedOut) return false;
  return isPassing(`${failure}\n${output.stderr}`);
}

/** How much of what an agent printed stands in a message, in characters. */
export const MAX_QUOTE = 500;

/** Agents try again for minutes when their model's service refuses: what they say of it is the cause of a timeout. */
function lastSignOfLife(answer: Answer | undefined, output: Output, { redactor }: ItemContext): string {
  if (answer?.trouble !== undefined) return `the last error it reported: ${redactor.line(answer.trouble, MAX_QUOTE)}`;
  if (output.stderr !== "") return `the last it said on standard error: ${lastWords(output.stderr)}`;
  return output.stdoutPath === null ? "it had printed nothing" : `what it did is in ${output.stdoutPath}`;
}

const STACK_FRAME = /^\s*at .+:\d+\)?(?: \{)?$/;

/** The last lines that say something, of what is masked already. */
export function lastWords(text: string): string {
  const lines = text.split("\n").filter((line) => /\w/.test(line) && !STACK_FRAME.test(line));
  return oneLine(lines.slice(-3).join("\n").slice(-MAX_QUOTE), MAX_QUOTE);
}
