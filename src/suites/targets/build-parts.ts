import { readFileSync } from "node:fs";
import { dirname, relative, resolve } from "node:path";
import { cannotInject } from "../../agents/command.js";
import { describeSystemError } from "../../core/errors.js";
import { didYouMean } from "../../core/suggest.js";
import { resolveModel } from "../../models/settings.js";
import { isFile } from "../find-beside.js";
import type { Json } from "../json.js";
import type { Builder } from "./load-target.js";
import { moduleImports } from "./module-imports.js";
import { indexRecordings } from "./recordings.js";
import type { TargetFile, WrittenMember } from "./schema.js";
import type {
  AgentTarget,
  CommandTarget,
  ModelTarget,
  ModuleTarget,
  ReplayTarget,
  Target,
  TargetBase,
} from "./target.js";
import { cannotLoad } from "./typescript.js";

type Own<T> = T extends TargetBase ? Omit<T, keyof TargetBase> : never;

/** A target without what all of them have. */
export type TargetParts = Own<Target>;

type Path = readonly PropertyKey[];
type Written<T extends TargetFile["type"]> = Extract<TargetFile, { type: T }>;

// One for each type: what is called, from what is written. Undefined where something is missing, which was told then.

export function buildCommand(
  written: Pick<Written<"command">, "command"> & Partial<Written<"command">>,
  builder: Builder,
  field: Path,
): Own<CommandTarget> | undefined {
  const [program, ...args] = written.command;
  if (program === undefined || program.trim() === "") {
    builder.problem([...field, 0], "is the program to run: it can't be blank");
    return undefined;
  }
  const hasTask = args.some((arg) => arg.includes("{task}"));
  for (const word of written.command) noteProjectFile(word.replaceAll("{project_root}", builder.places.root), builder);
  return {
    type: "command",
    command: [program, ...args],
    input: written.input ?? (hasTask ? "arg" : "stdin"),
    env: written.env ?? {},
    cwd: written.cwd ?? ".",
    output: written.output ?? "text",
  };
}

/** A program of the project's own is a part of the target: what it answers changes with it. */
function noteProjectFile(word: string, { places: { root }, note }: Builder): void {
  const path = resolve(root, word);
  const name = relative(root, path);
  if (name.startsWith("..") || !isFile(path)) return;
  try {
    note(name, readFileSync(path));
  } catch {
    // A program that may be run and not read.
    note(name, "unreadable");
  }
}

export function buildHttp(written: Written<"http">, { problem }: Builder): TargetParts {
  const withoutNames = written.url.replaceAll(/\{env:[^}]+\}|\{\w+\}/g, "x");
  const hasScheme = /^\{env:/.test(written.url) || /^https?:\/\//i.test(written.url);
  if (
    !hasScheme ||
    !URL.canParse(hasScheme && withoutNames.startsWith("x") ? `http://${withoutNames}` : withoutNames)
  ) {
    problem(["url"], `expected an http or https URL, found '${written.url}'`);
  }
  const method = (written.method ?? "POST").toUpperCase();
  const hasBody = method !== "GET" && method !== "HEAD";
  if (!hasBody && written.body !== undefined) problem(["body"], `a request with ${method} has no body`);
  return {
    type: "http",
    url: written.url,
    method,
    headers: written.headers,
    body: hasBody ? ((written.body as Json | undefined) ?? { input: "{input}" }) : undefined,
    output: written.output,
  };
}

export function buildModule(written: Written<"module">, builder: Builder): Own<ModuleTarget> | undefined {
  const file = builder.read(written.path, ["path"]);
  if (file === undefined) return undefined;
  for (const [path, content] of moduleImports(file.path, file.bytes.toString("utf8"))) {
    builder.note(relative(dirname(file.path), path), content);
  }
  const why = cannotLoad(file.path);
  if (why !== undefined) builder.problem(["path"], why);
  return { type: "module", module: file.path, export: written.export };
}

export function buildAgent(
  written: Pick<WrittenMember, "model" | "reasoning_effort" | "instructions"> & {
    agent: string;
    env?: Record<string, string> | undefined;
  },
  builder: Builder,
  field: Path,
): Own<AgentTarget> | undefined {
  const { agents, problem } = builder;
  const instructions = readInstructions(written.instructions, builder, field);
  const template = Object.hasOwn(agents, written.agent) ? agents[written.agent] : undefined;
  if (template === undefined) {
    const known = Object.keys(agents).sort();
    const list = `the known ones are ${known.join(", ")}; define others in [agents.<name>] of the configuration`;
    problem([...field, "agent"], `unknown agent '${written.agent}'${didYouMean(written.agent, known)}: ${list}`);
    return undefined;
  }
  const model = written.model ?? template.default_model;
  const effort = written.reasoning_effort ?? template.reasoning_effort;
  const refused = cannotInject(written.agent, template, { model, effort });
  if (refused !== undefined) problem([...field, "agent"], refused);
  const env = { ...template.provider_env, ...written.env };
  return { type: "agent", agent: { name: written.agent, template, env }, model, effort, instructions };
}

export function buildModel(
  written: Omit<Written<"model">, "type" | "name" | "workspace">,
  builder: Builder,
  field: Path,
): Own<ModelTarget> | undefined {
  const { instructions, ...given } = written;
  const text = readInstructions(instructions, builder, field);
  const settings = resolveModel(given, builder.models);
  if (typeof settings !== "string") return { type: "model", settings, instructions: text };
  builder.problem([...field, "model"], settings);
  return undefined;
}

/** The text, or that of the file. */
export function readInstructions(
  written: WrittenMember["instructions"],
  builder: Builder,
  field: Path,
): string | undefined {
  if (written === undefined || typeof written === "string") return written;
  return builder
    .read(written.file, [...field, "instructions", "file"])
    ?.bytes.toString("utf8")
    .trim();
}

export function buildReplay(written: Written<"replay">, builder: Builder): Own<ReplayTarget> | undefined {
  const path = builder.find(written.path, ["path"]);
  if (path === undefined) return undefined;
  try {
    const { recordings, sha256 } = indexRecordings(path, written.path);
    builder.note(written.path, sha256);
    const [fault, ...others] = recordings.faults;
    const more = others.length > 0 ? `; and ${others.length} more such lines` : "";
    if (fault) builder.warn(["path"], `line ${fault.line} of ${written.path} ${fault.message}${more}`);
    return { type: "replay", recordings };
  } catch (error) {
    builder.problem(["path"], `cannot be read: ${describeSystemError(error)}`);
    return undefined;
  }
}
