import { flagName, type Setting, type SettingKey, settingKeys, settingOf } from "./settings.js";

/** The text that `eb init` writes: every setting explained, none set. `agents` is a list of commented lines. */
export function configTemplate(agents: readonly string[]): string {
  const lines = [
    "# Settings of eval-banana for this project. The directory that holds .eval-banana/ is the project root.",
    "# Precedence: command-line flag, environment variable, this file, default.",
    "# Every line that is commented out shows the default, or an example where there is none.",
  ];
  let section = "";
  for (const key of settingKeys) {
    const [table, name] = key.split(".") as [string, string];
    if (table !== section) lines.push("", `[${table}]`);
    section = table;
    lines.push(...settingLines(key, name, settingOf(key)));
  }
  return `${[...lines, "", ...agents].join("\n")}\n`;
}

const EXAMPLES: Partial<Record<SettingKey, unknown>> = {
  "deterministic.python": ".venv/bin/python",
  "harness.agent": "claude",
  "harness.model": "claude-sonnet-4-6",
  "harness.reasoning_effort": "high",
};

function settingLines(key: SettingKey, name: string, setting: Setting): string[] {
  const value = setting.default ?? EXAMPLES[key];
  const ways = [setting.env, flagName(setting)].filter((way) => way);
  const help = `# ${setting.help}${ways.length > 0 ? `  (${ways.join(", ")})` : ""}`;
  return [help, `# ${name} = ${tomlValue(value)}`];
}

/** A default as TOML. */
export function tomlValue(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(tomlValue).join(", ")}]`;
  if (typeof value === "object" && value !== null) {
    const pairs = Object.entries(value).map(([key, entry]) => `${key} = ${tomlValue(entry)}`);
    return pairs.length > 0 ? `{ ${pairs.join(", ")} }` : "{}";
  }
  return JSON.stringify(value);
}
