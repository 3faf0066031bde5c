import { type Plan, type PlanOptions, planChecks } from "../checks/plan.js";
import { type LoadedConfig, loadConfig } from "../config/load.js";
import { flagName, type SettingKey, settingKeys, settingOf } from "../config/settings.js";
import { debugLog } from "./debug.js";
import { showWarnings } from "./show-error.js";

/** What every command that reads the configuration takes. */
export interface ProjectOptions {
  cwd?: string;
  projectConfig: boolean;
  verbose?: boolean;
}

/** What commander makes of the options that `run`, `list` and `validate` share. */
export interface SelectionOptions extends ProjectOptions {
  checkDir?: string;
  checkId?: string;
  tag?: string[];
  json?: boolean;
}

export interface Loaded {
  project: LoadedConfig;
  plan: Plan;
  /** What the plan was made from. */
  selection: PlanOptions;
}

/** The project with its configuration; the options may hold flags of settings. */
export function loadProject(options: ProjectOptions): LoadedConfig {
  const log = debugLog(options.verbose);
  const project = loadConfig({
    cwd: options.cwd ?? ".",
    useConfig: options.projectConfig,
    flags: settingFlags(options as unknown as Record<string, unknown>),
  });
  log(`project root: ${project.root}`);
  log(`configuration file: ${project.configFile ?? "none"}`);
  for (const key of settingKeys) log(describeSetting(key, project));
  return project;
}

/** The project with its configuration, and the checks that the options of a command select. Prints warnings. */
export function load(options: SelectionOptions, hooks: Pick<PlanOptions, "inspect" | "onEntries"> = {}): Loaded {
  const log = debugLog(options.verbose);
  const project = loadProject(options);
  const selection: PlanOptions = {
    root: project.root,
    excludeDirs: project.config["discovery.exclude_dirs"],
    checkDir: options.checkDir,
    checkId: options.checkId,
    tags: options.tag,
    ...hooks,
  };
  const plan = planChecks(selection);
  log(`check files: ${plan.fileCount}, selected checks: ${plan.checks.length}, problems: ${plan.problems.length}`);
  showWarnings(plan.warnings);
  return { project, plan, selection };
}

/** `core.pass_threshold = 0.5 (environment)`. Tables may hold secrets, so only their keys are shown. */
function describeSetting(key: SettingKey, { config, origins }: LoadedConfig): string {
  const value = config[key];
  const isTable = typeof value === "object" && !Array.isArray(value);
  return `${key} = ${JSON.stringify(isTable ? Object.keys(value) : value) ?? "unset"} (${origins[key]})`;
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
