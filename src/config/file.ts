import { lstatSync } from "node:fs";
import TOML from "@iarna/toml";
import { byPlace, describeSystemError, type Problem } from "../core/errors.js";
import { readRegularFile } from "../core/read-file.js";
import { zodProblems } from "../core/zod-problems.js";
import { type AgentOverrides, agentTemplateSchema } from "./agent-template.js";
import { type ModelTable, modelTableSchema } from "./model-table.js";
import type { Project } from "./project.js";
import { configFileSchema } from "./schema.js";
import { type SettingKey, settingKeys } from "./settings.js";

export interface ConfigFile {
  settings: Partial<Record<SettingKey, unknown>>;
  agents: Record<string, AgentOverrides>;
  models: Record<string, ModelTable>;
  problems: Problem[];
}

type Table = Record<string, unknown>;

const MAX_BYTES = 1024 * 1024;

const LEGACY = new Map([
  [
    "llm",
    "the [llm] section is no longer read: judges are agents now; set [harness] agent and model, and remove [llm]",
  ],
  ["harness.skip", "harness.skip is no longer read: select checks with --tag or --check-id, and remove it"],
]);

/** Reads and validates `.eval-banana/config.toml`; what is wrong comes back as problems. A missing file is empty. */
export function readConfigFile(project: Project): ConfigFile {
  const result: ConfigFile = { settings: {}, agents: {}, models: {}, problems: [] };
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
    const locate = keyLocator(text);
    result.problems = zodProblems(parsed.error, {
      value: table,
      known: knownKeys,
      unknownKey: (key, path) => LEGACY.get([...path, key].join(".")) ?? misplaced(key, path),
      locate: (path) => ({ file, ...locate(path) }),
    }).sort(byPlace);
    return result;
  }
  for (const key of settingKeys) {
    const [section, name] = key.split(".") as [string, string];
    const value = (table[section] as Table | undefined)?.[name];
    if (value !== undefined) result.settings[key] = value;
  }
  result.agents = (table["agents"] ?? {}) as Record<string, AgentOverrides>;
  result.models = (table["models"] ?? {}) as Record<string, ModelTable>;
  return result;
}

function readText(file: string, result: ConfigFile): string | undefined {
  try {
    // A link to nothing is there, and an error below.
    if (lstatSync(file, { throwIfNoEntry: false }) === undefined) return undefined;
    const bytes = readRegularFile(file);
    if (bytes.length <= MAX_BYTES) return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    result.problems.push({ file, message: "is larger than 1 MiB" });
    return undefined;
  } catch (error) {
    const message = error instanceof TypeError ? "is not valid UTF-8" : `cannot be read: ${describeSystemError(error)}`;
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

/** What to say of a setting that stands in the wrong section, or in none. */
function misplaced(key: string, path: readonly PropertyKey[]): string | undefined {
  if (path[0] === "agents" || path[0] === "models") return undefined;
  const homes = settingKeys.filter((known) => known.endsWith(`.${key}`)).map((known) => `[${known.split(".")[0]}]`);
  return homes.length > 0 ? `unknown field here; it belongs in ${homes.join(" or ")}` : undefined;
}

function knownKeys(path: readonly PropertyKey[]): string[] {
  if (path.length === 0) return [...new Set(settingKeys.map((key) => key.split(".")[0] as string)), "agents", "models"];
  if (path[0] === "agents") return Object.keys(agentTemplateSchema().shape);
  if (path[0] === "models") return path[2] === "price" ? ["input", "output"] : Object.keys(modelTableSchema().shape);
  return settingKeys.filter((key) => key.startsWith(`${String(path[0])}.`)).map((key) => key.split(".")[1] as string);
}

type Place = Pick<Problem, "line" | "column">;

/** Finds where a key, or the nearest table around it, is set. Made from the text: the TOML parser keeps no positions. */
function keyLocator(text: string): (path: readonly PropertyKey[]) => Place {
  const places = new Map<string, Place>();
  let section: string[] = [];
  for (const [index, line] of withoutLongStrings(text).split(/\r?\n/).entries()) {
    const header = /^\s*\[\s*([^[\]]+?)\s*\]/.exec(line)?.[1];
    const key = /^\s*([\w."'-]+)\s*=/.exec(line)?.[1];
    if (header !== undefined) section = splitKey(header);
    if (header === undefined && key === undefined) continue;
    const path = key === undefined ? section : [...section, ...splitKey(key)];
    const place = { line: index + 1, column: line.search(/\S/) + 1 };
    for (const name of prefixes(path)) if (!places.has(name)) places.set(name, place);
  }
  return (path) => {
    const name = prefixes(path).findLast((prefix) => places.has(prefix));
    return (name !== undefined && places.get(name)) || {};
  };
}

/** No setting is deeper than `agents.claude.provider_env.NAME`. */
const MAX_DEPTH = 4;

/** `a`, `a.b`, `a.b.c` of the path `a.b.c`. */
function prefixes(path: readonly PropertyKey[]): string[] {
  return path.slice(0, MAX_DEPTH).map((_, index) => JSON.stringify(path.slice(0, index + 1)));
}

/** The text with strings over several lines blanked out: what looks like a key in one is none. */
function withoutLongStrings(text: string): string {
  return text.replaceAll(/("""|''')[\s\S]*?\1/g, (string) => string.replaceAll(/[^\n]/g, " "));
}

function splitKey(key: string): string[] {
  return key.split(".").map((part) => part.trim().replaceAll(/^["']|["']$/g, ""));
}
