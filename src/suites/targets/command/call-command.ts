import { existsSync, readFileSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { expandEnv } from "../../../core/env.js";
import { jsonFault } from "../../../core/json.js";
import { makeDirectory } from "../../../core/make-directory.js";
import { truncate } from "../../../core/text.js";
import { type JobResult, runJob } from "../../../process/job.js";
import { lastWords } from "../../../run/agent-call.js";
import { itemEnv } from "../../../run/context.js";
import { collectOutput, type Output } from "../../../run/outcome.js";
import type { Session } from "../../session.js";
import { taskText } from "../../test-case.js";
import { failedSession, MAX_ANSWER, sessionFromObject, sessionFromText, unavailable } from "../answer.js";
import type { Call } from "../call.js";
import { fillPlaceholders } from "../placeholders.js";
import type { TargetBase } from "../target-type.js";
import { fromRoot, wordsOfProject } from "./project-words.js";

/** The user's program. */
export interface CommandTarget extends TargetBase {
  type: "command";
  /** With `{task}`, `{case_id}`, `{config}` and `{project_root}`. */
  command: readonly [string, ...string[]];
  input: "stdin" | "arg" | "json-stdin";
  /** As written: `{env:NAME}` is not replaced. */
  env: Readonly<Record<string, string>>;
  /** Relative to the working directory of the call. */
  cwd: string;
  output: "text" | "json";
  /** Stands before the input. */
  instructions?: string | undefined;
}

const INPUT_FILE = "input.txt";

/** Runs the user's program; its standard output is the answer. */
export async function callCommand(target: CommandTarget, call: Call): Promise<Session> {
  const { context } = call;
  const { env, missing } = expandEnv(target.env, context.env);
  if (missing.length > 0) return unavailable(`the variable ${missing[0]} is not set: the target's env names it`);

  const task =
    target.instructions === undefined ? taskText(call.input) : `${target.instructions}\n\n${taskText(call.input)}`;
  const [program, ...args] = commandLine(target, task, call);
  const privateDir = context.privateDirs.take({ [INPUT_FILE]: standardInput(target, task, call) });
  const stdinPath = join(privateDir, INPUT_FILE);
  makeDirectory(dirname(context.stdoutPath));
  const clock = performance.now();
  const job = await runJob({
    command: program,
    args,
    cwd: resolve(call.cwd, target.cwd),
    env: { ...context.env, PYTHONUNBUFFERED: "1", ...env, ...itemEnv(context) },
    ...(target.input !== "arg" && { stdinPath }),
    stdoutPath: context.stdoutPath,
    stderrPath: context.stderrPath,
    timeoutMs: call.timeoutMs,
    signal: context.signal,
    tags: context.tags,
    leaveNothing: true,
  });
  const durationMs = Math.round(performance.now() - clock);
  context.privateDirs.giveBack(privateDir);
  // Before it is masked: what is scored is what was said.
  const said = job.startError === null ? readAnswer(target, call) : unavailable("");
  const output = collectOutput(context.runDir, context.prefix, context.redactor);
  const end = describeEnd(job, program, output, call);
  const error = end && end + hintOfWorkspace(target, call);
  return { ...said, error: joinErrors(error, said.error), durationMs, evidence: evidenceOf(output) };
}

function commandLine(target: CommandTarget, task: string, call: Call): [string, ...string[]] {
  const values = { task, case_id: call.caseId, config: target.path, project_root: call.context.projectRoot };
  const [program, ...args] = target.command;
  const filled = args.map((arg) => fillPlaceholders(arg, values));
  const append = target.input === "arg" && !args.some((arg) => arg.includes("{task}"));
  return [fillPlaceholders(program, values), ...filled, ...(append ? [task] : [])];
}

function standardInput(target: CommandTarget, task: string, { input, caseId, run }: Call): string {
  if (target.input !== "json-stdin") return task;
  return `${JSON.stringify({ input, case_id: caseId, run, task })}\n`;
}

function readAnswer(target: CommandTarget, call: Call): Session {
  const path = call.context.stdoutPath;
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  if (size > MAX_ANSWER) return failedSession(`it printed ${size} bytes, more than the ${MAX_ANSWER} that are read`);
  const text = size === 0 ? "" : readFileSync(path, "utf8");
  if (target.output === "text") {
    const session = sessionFromText(text.trimEnd(), call);
    return looksLikeAnswer(text) ? { ...session, hint: LOOKS_LIKE_ANSWER } : session;
  }
  try {
    return sessionFromObject(JSON.parse(text.replace(/^\ufeff/, "")), call);
  } catch (error) {
    const found = text.trim() === "" ? "nothing" : call.context.redactor.line(text, 200);
    const why = text.trim() === "" ? "" : ` (${jsonFault(error)})`;
    return failedSession(`malformed answer: expected one JSON object on standard output, found ${found}${why}`);
  }
}

const LOOKS_LIKE_ANSWER = "this looks like the answer object: set `output: json` in the target";

function looksLikeAnswer(text: string): boolean {
  if (!text.trimStart().startsWith("{")) return false;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && Object.hasOwn(value, "output");
  } catch {
    return false;
  }
}

function describeEnd(
  job: JobResult,
  program: string,
  { stderr }: Output,
  { timeoutMs = 0, context }: Call,
): string | null {
  if (job.startError !== null)
    return `'${context.redactor.line(program, 200)}' could not be run: ${job.startError.replace(`: ${program}`, "")}`;
  if (job.timedOut) return `timed out after ${timeoutMs / 1000} s`;
  const words = lastWords(stderr);
  const why = words ? `: ${truncate(words, 300)}` : "";
  if (job.signal !== null) return `killed by ${job.signal}${why}`;
  return job.exitCode === 0 ? null : `exit code ${job.exitCode}${why}`;
}

/** Where it failed, and a word of it names a file that is in the project and not in the workspace. */
function hintOfWorkspace(target: CommandTarget, { cwd, context }: Call): string {
  const root = context.projectRoot;
  if (cwd === root) return "";
  const [word] = wordsOfProject(target, { root, isInWorkspace: (path) => existsSync(resolve(cwd, path)) });
  return word === undefined ? "" : `; ${word} is not in the workspace: write ${fromRoot(word, target)}`;
}

/** How it ended, and what it says itself. That nothing can be read of a program that failed goes without saying. */
function joinErrors(end: string | null, said: string | null): string | null {
  if (end === null || !said || said.startsWith("malformed answer")) return end ?? said;
  return `${end}; ${said}`;
}

/** The files of both streams by their names; those that stayed empty are gone. */
export function evidenceOf({ stdoutPath, stderrPath }: Output): Record<string, string> {
  return { ...(stdoutPath && { stdout: stdoutPath }), ...(stderrPath && { stderr: stderrPath }) };
}
