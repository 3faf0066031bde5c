import { readFileSync } from "node:fs";
import TOML from "@iarna/toml";
import { describeSystemError, isSystemError, type Problem } from "../core/errors.js";
import { zodProblems } from "../core/zod-problems.js";
import { type AgentOverrides, agentTemplateSchema } from "./agent-template.js";
import type { Project } from "./project.js";
import { configFileSchema } from "./schema.js";
import { type SettingKey, settingKeys } from "./settings.js";

export interface ConfigFile {
  settings: Partial<Record<SettingKey, unknown>>;
  agents: Record<string, AgentOverrides>;
  problems: Problem[];
  warnings: string[];
}

type Table = Record<string, unknown>;

const LEGACY: Record<string, string> = {
  llm: "the [llm] section is no longer read: judges are agents now; set [harness] agent and model, and remove [llm]",
  "harness.skip": "harness.skip is no longer read: select checks with --tag or --check-id, and remove it",
};

/** Reads and validates `.eval-banana/config.toml`; what is wrong comes back as problems. A missing file is empty. */
export function readConfigFile(project: Project): ConfigFile {
  const result: ConfigFile = { settings: {}, agents: {}, problems: [], warnings: [] };
  const file = project.configFile;
  const text = file === null ? undefined : readText(file, result);
  if (file === null || text === undefined) return result;

  let table: Table;
  try {
    table = TOML.parse(text);
  } catch (error) {
    result.problems.push(tomlProblem(file, error));
    return result;
  }
  const harness = table["harness"] as Table | undefined;
  // Read by earlier versions; nothing to say about it.
  if (harness !== null && typeof harness === "object") delete harness["skills_dir"];

  const parsed = configFileSchema().safeParse(table);
  if (!parsed.success) {
    const lines = text.split(/\r?\n/);
    result.problems = zodProblems(parsed.error, {
      value: table,
      known: knownKeys,
      unknownKey: (key, path) => LEGACY[[...path, key].join(".")],
      locate: (path) => ({ file, ...locateKey(lines, path.map(String)) }),
    });
    return result;
  }
  for (const key of settingKeys) {
    const [section, name] = key.split(".") as [string, string];
    const value = (table[section] as Table | undefined)?.[name];
    if (value !== undefined) result.settings[key] = value;
  }
  result.agents = (table["agents"] ?? {}) as Record<string, AgentOverrides>;
  return result;
}

function readText(file: string, result: ConfigFile): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(readFileSync(file));
  } catch (error) {
    if (isSystemError(error) && error.code === "ENOENT") return undefined;
    const message = isSystemError(error) ? `cannot be read: ${describeSystemError(error)}` : "is not valid UTF-8";
    result.problems.push({ file, message });
    return undefined;
  }
}

function tomlProblem(file: string, error: unknown): Problem {
  // The parser counts lines and columns from 0, and appends an excerpt to its message.
  const { message, line, col } = error as Error & { line?: number; col?: number };
  const words = message.split("\n")[0]?.replace(/ at row \d+, col \d+, pos \d+:?$/, "") ?? message;
  return {
    file,
    ...(line !== undefined && { line: line + 1 }),
    ...(col !== undefined && { column: col + 1 }),
    message: `not valid TOML: ${words}`,
  };
}

function knownKeys(path: readonly PropertyKey[]): string[] {
  if (path.length === 0) return [...new Set(settingKeys.map((key) => key.split(".")[0] as string)), "agents"];
  if (path[0] === "agents") return Object.keys(agentTemplateSchema.shape);
  return settingKeys.filter((key) => key.startsWith(`${String(path[0])}.`)).map((key) => key.split(".")[1] as string);
}

/** Where a key, or the nearest table around it, is set. Found in the text: the TOML parser keeps no positions. */
function locateKey(lines: readonly string[], path: readonly string[]): { line?: number; column?: number } {
  let section: string[] = [];
  let best: { line?: number; column?: number } = {};
  let depth = 0;
  for (const [index, text] of lines.entries()) {
    const header = /^\s*\[\s*([^[\]]+?)\s*\]/.exec(text)?.[1];
    const key = /^\s*([\w."'-]+)\s*=/.exec(text)?.[1];
    if (header !== undefined) section = splitKey(header);
    if (header === undefined && key === undefined) continue;
    const here = key === undefined ? section : [...section, ...splitKey(key)];
    if (here.length <= depth || !here.every((part, i) => part === path[i])) continue;
    depth = here.length;
    best = { line: index + 1, column: text.search(/\S/) + 1 };
  }
  return best;
}

function splitKey(key: string): string[] {
  return key.split(".").map((part) => part.trim().replaceAll(/^["']|["']$/g, ""));
}
