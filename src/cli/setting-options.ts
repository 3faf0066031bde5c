import type { Command } from "commander";
import { type Command as CommandName, settingKeys, settingOf } from "../config/settings.js";
import { collect } from "./option-values.js";

/** Options for where a run, of checks or of a suite, is reported. */
export function addReports(command: Command): Command {
  return command
    .option("--flat-output", "write into --output-dir itself, which must be absent or empty (default: off)")
    .option(
      "--reporter <name[:path]>",
      'one more report: console, html, json, junit, markdown; repeatable; "-" as the path is stdout (default: none)',
      collect,
    )
    .option("--json", "print the report as JSON instead of lines for people (default: off)");
}

/** Options for the settings that have a flag on this command. No defaults: "not given" falls through to the other layers. */
export function addSettings(command: Command, name: CommandName): Command {
  for (const key of settingKeys) {
    const setting = settingOf(key);
    if (setting.flag === undefined || !setting.on?.includes(name)) continue;
    const fallback = setting.default === undefined ? "unset" : String(setting.default);
    command.option(setting.flag, `${setting.help} (default: ${fallback}; env: ${setting.env})`);
  }
  return command;
}
