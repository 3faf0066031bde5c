import { type Problem, UserError } from "../core/errors.js";
import { didYouMean, nearest } from "../core/suggest.js";
import { describeValue } from "../core/text.js";
import type { AgentOverrides } from "./agent-template.js";
import { readConfigFile } from "./file.js";
import type { ModelTable } from "./model-table.js";
import { findProject, type Project } from "./project.js";
import { kindSchema } from "./schema.js";
import { type Config, flagName, type Kind, type SettingKey, settingKeys, settingOf } from "./settings.js";

/** The layers, the first one that has a value wins. */
type Layer = "program" | "flag" | "environment" | "file" | "default";

export interface LoadedConfig extends Project {
  config: Config;
  /** Which layer each setting came from. */
  origins: Record<SettingKey, Layer>;
  /** `[agents.*]` as written. */
  agents: Record<string, AgentOverrides>;
  /** `[models.*]` as written. */
  models: Record<string, ModelTable>;
}

export interface ConfigSources {
  /** Where the search for the project begins. */
  cwd: string;
  /** False: no file is read and `cwd` is the root. */
  useConfig?: boolean;
  /** Values of flags, as typed by the user, by setting. */
  flags?: Partial<Record<SettingKey, string>>;
  /** Values given by a program: already of the right type. */
  values?: Partial<Config>;
  env?: NodeJS.ProcessEnv;
}

/**
 * Finds the project and puts its configuration together: flag, environment, file, default.
 * Every layer is validated, also where another one wins.
 * @throws UserError (`config` or `usage`) with all problems of all layers.
 */
export function loadConfig({
  cwd,
  useConfig = true,
  flags = {},
  values = {},
  env = process.env,
}: ConfigSources): LoadedConfig {
  const project = findProject(cwd, { useConfig });
  const file = readConfigFile(project);
  const problems = [...file.problems, ...misspeltVariables(env)];
  problems.push(...unknownSettings(values));
  const config: Record<string, unknown> = {};
  const origins = {} as Record<SettingKey, Layer>;
  let usage = false;

  for (const key of settingKeys) {
    const setting = settingOf(key);
    const fromFile = file.settings[key] === "" ? undefined : file.settings[key];
    // An empty variable, as CI systems make them, and an empty string in the file mean "not set".
    const fromEnv = parse(setting.kind, env[setting.env ?? ""] || undefined, setting.env ?? "");
    const fromFlag = parse(setting.kind, flags[key], flagName(setting));
    const given = validate(setting.kind, values[key], key);
    usage ||= fromFlag.problem !== undefined || given.problem !== undefined;
    for (const { problem } of [fromEnv, fromFlag, given]) if (problem) problems.push(problem);
    const layers: [Layer, unknown][] = [
      ["program", given.value],
      ["flag", fromFlag.value],
      ["environment", fromEnv.value],
      ["file", fromFile],
    ];
    [origins[key], config[key]] = layers.find(([, value]) => value !== undefined) ?? ["default", setting.default];
  }
  if (problems.length > 0) {
    const code = usage && file.problems.length === 0 ? "usage" : "config";
    throw new UserError("the configuration is not valid", { code, problems });
  }
  return { ...project, config: Object.freeze(config) as Config, origins, agents: file.agents, models: file.models };
}

const PREFIX = "EVAL_BANANA_";

/** Variables whose names are nearly those of settings. All others that begin like ours may be someone else's. */
function misspeltVariables(env: NodeJS.ProcessEnv): Problem[] {
  const known = settingKeys.flatMap((key) => settingOf(key).env?.slice(PREFIX.length) ?? []);
  return Object.keys(env).flatMap((name) => {
    const end = name.slice(PREFIX.length);
    if (!name.startsWith(PREFIX) || known.includes(end)) return [];
    const meant = nearest(end, known);
    return meant ? [{ field: name, message: `unknown variable (did you mean '${PREFIX}${meant}'?)` }] : [];
  });
}

/** Settings given by a program that has no types to tell it. */
function unknownSettings(values: object): Problem[] {
  const unknown = Object.keys(values).filter((key) => !settingKeys.includes(key as SettingKey));
  return unknown.map((field) => ({ field, message: `unknown setting${didYouMean(field, settingKeys)}` }));
}

interface Parsed {
  value?: unknown;
  problem?: Problem;
}

/** Text of a flag or environment variable as a value of the setting. */
function parse(kind: Kind, text: string | undefined, name: string): Parsed {
  if (text === undefined) return {};
  if (text.trim() === "") return { problem: { field: name, message: "expected a value, found a blank string" } };
  return validate(kind, typed(kind, text.trim()) ?? text, name);
}

const DECIMAL = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;

/** Text as a number or boolean where the setting is one and the text is, too. */
function typed(kind: Kind, text: string): number | boolean | undefined {
  if (kind.type === "boolean") return { true: true, false: false, "1": true, "0": false }[text.toLowerCase()];
  const numeric = kind.type === "integer" || kind.type === "number";
  return numeric && DECIMAL.test(text) ? Number(text) : undefined;
}

function validate(kind: Kind, value: unknown, name: string): Parsed {
  if (value === undefined) return {};
  const result = kindSchema(kind).safeParse(value);
  if (result.success) return { value: result.data };
  const wanted = result.error.issues[0]?.message;
  return { problem: { field: name, message: `expected ${wanted}, found ${describeValue(value)}` } };
}
