import { existsSync } from "node:fs";
import { relative, resolve } from "node:path";
import { cancel, intro, isCancel, outro, select, text } from "@clack/prompts";
import { builtinAgents } from "../agents/templates.js";
import { splitWords } from "../core/split-words.js";
import { shortPath } from "../core/text.js";
import type { StarterTarget } from "../suites/starter/starter-target.js";

/** What `eb suite init` writes, and where. Paths are absolute. */
export interface InitPlan {
  root: string;
  name: string;
  suite: string;
  /** The target file that the suite names. */
  config: string;
  /** What is written there; undefined: it is there already. */
  target: StarterTarget | undefined;
}

interface WizardOptions {
  /** What the paths that are typed are relative to. */
  cwd: string;
  force: boolean;
  /** What the command line does not say. */
  asksName: boolean;
  asksSuite: boolean;
}

/** Thrown by a question that was answered with Ctrl-C or Escape; it goes no further than this file. */
class Cancelled extends Error {}

/** Asks what a first suite is about. Undefined: it was cancelled. Writes nothing. */
export async function askForSuite(given: InitPlan, options: WizardOptions): Promise<InitPlan | undefined> {
  intro("A suite of test cases for your AI feature");
  try {
    const plan = await askAll(given, options);
    outro("That is all.");
    return plan;
  } catch (error) {
    if (!(error instanceof Cancelled)) throw error;
    cancel("Nothing was written.");
    return undefined;
  }
}

async function askAll(given: InitPlan, options: WizardOptions): Promise<InitPlan> {
  const { cwd, force, asksName, asksSuite } = options;
  const name = asksName ? await askText("What is it called?", { initial: given.name }) : given.name;
  const suite = asksSuite ? await askForPath("Where does the suite go?", given.suite, { cwd, force }) : given.suite;
  if (given.target === undefined) return { ...given, name, suite };
  const kind = await askForKind(given.config);
  if (kind === "existing") return { ...given, name, suite, target: undefined };
  const target = kind === "stand-in" ? given.target : await askForTarget[kind]();
  const config = existsSync(given.config)
    ? await askForPath("Where does the target go?", given.config, { cwd, force })
    : given.config;
  return { ...given, name, suite, config, target };
}

type AskedKind = Exclude<StarterTarget["kind"], "stand-in">;

function askForKind(config: string): Promise<StarterTarget["kind"] | "existing"> {
  return answer(
    select<StarterTarget["kind"] | "existing">({
      message: "What is tested?",
      options: [
        ...(existsSync(config)
          ? [{ value: "existing" as const, label: "The target that is there", hint: shortPath(config) }]
          : []),
        { value: "stand-in", label: "A stand-in for now", hint: "runs offline, without a key" },
        { value: "command", label: "A program", hint: "gets the task, prints the answer" },
        { value: "http", label: "A service", hint: "is asked over HTTP" },
        { value: "module", label: "A function", hint: "in a JavaScript or TypeScript file" },
        { value: "agent", label: "An agent", hint: Object.keys(builtinAgents).join(", ") },
      ],
    }),
  );
}

const askForTarget: Readonly<Record<AskedKind, () => Promise<StarterTarget>>> = {
  command: async () => ({
    kind: "command",
    command: splitWords(await askText("Which command?", { placeholder: "node answer.mjs --short" })),
    input: await answer(
      select({
        message: "How does it get the task?",
        options: [
          { value: "stdin", label: "on standard input" },
          { value: "arg", label: "as its last argument" },
          { value: "json-stdin", label: "on standard input, as JSON" },
        ],
      }),
    ),
    output: await answer(
      select({
        message: "What does it print?",
        options: [
          { value: "text", label: "the answer" },
          { value: "json", label: "a JSON object", hint: "{ output, turns, tool_calls, usage, … }" },
        ],
      }),
    ),
  }),
  http: async () => ({
    kind: "http",
    url: await askText("Which URL?", { placeholder: "http://127.0.0.1:8000/answer", check: urlProblem }),
    output: await askText("Where is the answer in its JSON, as a JSON pointer?", {
      initial: "/output",
      check: (pointer) => (pointer.startsWith("/") ? undefined : "A JSON pointer begins with /"),
    }),
  }),
  module: async () => ({
    kind: "module",
    path: await askText("Which file?", { placeholder: "src/answer.ts" }),
    export: await askText("Which of its exports?", { initial: "default" }),
  }),
  agent: async () => ({
    kind: "agent",
    agent: await answer(
      select({
        message: "Which agent?",
        options: Object.keys(builtinAgents).map((name) => ({ value: name, label: name })),
      }),
    ),
    model: await answer(text({ message: "Which model?", placeholder: "empty: its own default", defaultValue: "" })),
  }),
};

function urlProblem(url: string): string | undefined {
  return /^https?:$/.test(URL.canParse(url) ? new URL(url).protocol : "")
    ? undefined
    : "A URL begins with http:// or https://";
}

async function askForPath(message: string, proposed: string, { cwd, force }: { cwd: string; force: boolean }) {
  const check = (path: string) =>
    existsSync(resolve(cwd, path)) && !force ? "That file exists; --force would overwrite it" : undefined;
  return resolve(cwd, await askText(message, { initial: relative(resolve(cwd), proposed), check }));
}

function askText(
  message: string,
  options: { initial?: string; placeholder?: string; check?: (value: string) => string | undefined },
): Promise<string> {
  const { initial, placeholder, check } = options;
  return answer(
    text({
      message,
      ...(initial !== undefined && { initialValue: initial }),
      ...(placeholder !== undefined && { placeholder }),
      validate: (value = "") => (value.trim() === "" ? "Something must be here" : check?.(value.trim())),
    }),
  ).then((value) => value.trim());
}

/** @throws Cancelled */
async function answer<T>(question: Promise<T>): Promise<Exclude<T, symbol>> {
  const value = await question;
  if (isCancel(value)) throw new Cancelled();
  return value as Exclude<T, symbol>;
}
