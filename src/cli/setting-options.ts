import type { Command } from "commander";
import { type Command as CommandName, settingKeys, settingOf } from "../config/settings.js";

/** The names that `--reporter` takes. */
export const REPORTERS = "console, html, json, junit, markdown";

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
