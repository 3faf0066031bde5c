import { type LoadedConfig, loadConfig } from "../config/load.js";
import { flagName, type SettingKey, settingKeys, settingOf } from "../config/settings.js";

/** What commander makes of the options that `run`, `list` and `validate` share. */
export interface SelectionOptions {
  checkDir?: string;
  checkId?: string;
  tag?: string[];
  cwd?: string;
  projectConfig: boolean;
  verbose?: boolean;
  json?: boolean;
}

/** The project and its configuration, from the options of a command. */
export function projectOf(options: SelectionOptions): LoadedConfig {
  return loadConfig({
    cwd: options.cwd ?? ".",
    useConfig: options.projectConfig,
    flags: settingFlags(options as unknown as Record<string, unknown>),
  });
}

/** The values of the flags that were given, by setting. */
function settingFlags(options: Record<string, unknown>): Partial<Record<SettingKey, string>> {
  const given = settingKeys.flatMap((key) => {
    const value = options[attributeName(flagName(settingOf(key)))];
    return typeof value === "string" ? [[key, value]] : [];
  });
  return Object.fromEntries(given);
}

/** `outputDir` of `--output-dir`. */
function attributeName(flag: string): string {
  return flag.replace(/^--/, "").replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
}

/** What selects checks, for the plan. */
export function selectionOf(options: SelectionOptions, project: LoadedConfig) {
  return {
    root: project.root,
    excludeDirs: project.config["discovery.exclude_dirs"],
    checkDir: options.checkDir,
    checkId: options.checkId,
    tags: options.tag ?? [],
  };
}
