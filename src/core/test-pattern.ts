import { setImmediate as nextTurn } from "node:timers/promises";
import { type Context, createContext, Script } from "node:vm";
import { Worker } from "node:worker_threads";

/** A regular expression in JavaScript's syntax. */
export interface Pattern {
  source: string;
  flags: string;
}

/** Whether it matches somewhere in a text, or why that can't be said. */
export type PatternResult = boolean | { problem: string };

export interface PatternOptions {
  /** How long one match may take. */
  timeoutMs?: number;
}

const TIMEOUT_MS = 1000;
/** Steps that take a few milliseconds. */
const CHEAP_STEPS = 1_000_000;

/**
 * Matches where a pattern that backtracks without end can be stopped: in a worker thread, one for all patterns, one
 * pattern at a time. What is certain to be quick is matched at once. Never throws.
 */
export async function testPattern(
  pattern: Pattern,
  text: string,
  { timeoutMs = TIMEOUT_MS }: PatternOptions = {},
): Promise<PatternResult> {
  const problem = patternProblem(pattern);
  if (problem !== undefined) return { problem };
  if (isCheap(pattern, text)) return new RegExp(pattern.source, pattern.flags).test(text);
  const result = last.then(() => matchInWorker({ ...pattern, text }, timeoutMs));
  last = result;
  return result;
}

/** Why a pattern can't be used; undefined when it can. */
export function patternProblem({ source, flags }: Pattern): string | undefined {
  try {
    new RegExp(source, flags);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

/**
 * Whether a match takes few steps whatever the text: each repetition can end in at most as many places as the text has
 * characters, and each choice doubles the ways at most, unless a group is repeated. Signs are counted wherever they
 * stand, in a class or escaped too: that is at most too many.
 */
export function isCheap({ source, flags }: Pattern, text: string): boolean {
  // With the flag v a class may hold whole words: a group by another name.
  if (/\)[*+{]/.test(source) || flags.includes("v")) return false;
  // What was matched before, matched again, is as long as the text at most.
  const repetitions = source.match(/[*+{]|\\[1-9k]/g)?.length ?? 0;
  const choices = source.match(/[?|]/g)?.length ?? 0;
  return (text.length + 1) ** (repetitions + 1) * 2 ** choices * source.length <= CHEAP_STEPS;
}

const WORKER = `
const { parentPort } = require("node:worker_threads");
parentPort.on("message", ({ source, flags, text }) => {
  let result;
  try {
    result = new RegExp(source, flags).test(text);
  } catch (error) {
    result = { problem: String(error.message) };
  }
  parentPort.postMessage(result);
});`;

/** The match that others wait for. */
let last: Promise<unknown> = Promise.resolve();
let idle: Worker | undefined;

async function matchInWorker(request: Pattern & { text: string }, timeoutMs: number): Promise<PatternResult> {
  const worker = idle ?? (await startWorker());
  idle = undefined;
  // Without a match to wait for it keeps no process alive.
  worker.ref();
  let timer: NodeJS.Timeout | undefined;
  const answer = new Promise<PatternResult>((resolve) => {
    worker.once("message", resolve);
    worker.once("error", (error) => resolve({ problem: `matching failed: ${error.message}` }));
  });
  const late = new Promise<undefined>((resolve) => {
    // After a turn: the answer may have come while this thread was busy.
    timer = setTimeout(() => nextTurn().then(() => resolve(undefined)), timeoutMs);
  });
  worker.postMessage(request);
  const result = await Promise.race([answer, late]);
  clearTimeout(timer);
  worker.removeAllListeners("message").removeAllListeners("error");
  if (result === undefined || typeof result === "object") await worker.terminate();
  else {
    worker.unref();
    idle = worker;
  }
  return result ?? { problem: tooSlow(timeoutMs) };
}

async function startWorker(): Promise<Worker> {
  const worker = new Worker(WORKER, { eval: true, execArgv: [], env: {} });
  await new Promise((resolve, reject) => worker.once("online", resolve).once("error", reject));
  worker.removeAllListeners("error");
  return worker;
}

function tooSlow(timeoutMs: number): string {
  return `it was stopped after ${timeoutMs} ms: the pattern backtracks without end, e.g. (a+)+ does`;
}

/**
 * The same for those who can't wait, as a function of the text; blocks the thread for as long as it lasts.
 * @throws SyntaxError when the pattern is none; from the function Error when it takes too long
 */
export function createStoppablePattern(
  pattern: Pattern,
  { timeoutMs = TIMEOUT_MS }: PatternOptions = {},
): (text: string) => boolean {
  const regexp = new RegExp(pattern.source, pattern.flags);
  return (text) => {
    if (isCheap(pattern, text)) return regexp.test(text);
    scope ??= { context: createContext({}), match: new Script("regexp.test(text)") };
    Object.assign(scope.context, { regexp, text });
    try {
      return scope.match.runInContext(scope.context, { timeout: timeoutMs });
    } catch (error) {
      const stopped = (error as NodeJS.ErrnoException).code === "ERR_SCRIPT_EXECUTION_TIMEOUT";
      throw new Error(stopped ? tooSlow(timeoutMs) : (error as Error).message);
    }
  };
}

/** Made once: that takes a hundred times as long as a match. */
let scope: { context: Context; match: Script } | undefined;
