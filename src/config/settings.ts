/** What a setting holds. Plain data, so that `--help` loads no validator. */
export type Kind =
  | { type: "text" }
  | { type: "integer"; min: number }
  | { type: "number"; min: number; max: number }
  | { type: "boolean" }
  | { type: "choice"; values: readonly string[] }
  | { type: "names" }
  | { type: "strings" };

type Value<K extends Kind> = K extends { type: "text" }
  ? string
  : K extends { type: "integer" | "number" }
    ? number
    : K extends { type: "boolean" }
      ? boolean
      : K extends { type: "choice"; values: readonly (infer V)[] }
        ? V
        : K extends { type: "names" }
          ? string[]
          : Record<string, string>;

export type Command = "run" | "list" | "validate" | "suite run";

export interface Setting {
  kind: Kind;
  /** Absent: unset. */
  default?: unknown;
  env?: string;
  flag?: string;
  /** The commands that take the flag. */
  on?: readonly Command[];
  help: string;
}

/**
 * Every key of `.eval-banana/config.toml` apart from `[agents.*]`: the only place that knows its default,
 * environment variable, flag and help. Precedence: flag, environment, file, default.
 */
const settings = {
  "core.output_dir": {
    kind: { type: "text" },
    default: ".eval-banana/results",
    env: "EVAL_BANANA_OUTPUT_DIR",
    flag: "--output-dir <path>",
    on: ["run", "suite run"],
    help: "where runs are written; relative to the project root",
  },
  "core.pass_threshold": {
    kind: { type: "number", min: 0, max: 1 },
    default: 1,
    env: "EVAL_BANANA_PASS_THRESHOLD",
    flag: "--pass-threshold <ratio>",
    on: ["run"],
    help: "share of points that a run needs to pass, 0 to 1",
  },
  "core.llm_max_input_chars": {
    kind: { type: "integer", min: 0 },
    default: 0,
    env: "EVAL_BANANA_LLM_MAX_INPUT_CHARS",
    help: "longest text put into a judge prompt, in characters; the rest is cut with [TRUNCATED]; 0 = no limit",
  },
  "core.max_parallel_checks": {
    kind: { type: "integer", min: 1 },
    default: 4,
    env: "EVAL_BANANA_MAX_PARALLEL_CHECKS",
    flag: "--max-parallel-checks <n>",
    on: ["run"],
    help: "how many checks, or runs of cases of a suite, go on at the same time",
  },
  "deterministic.python": {
    kind: { type: "text" },
    env: "EVAL_BANANA_PYTHON",
    help: "the Python interpreter for deterministic checks; unset = the first of python3, python (Windows: py -3) that works",
  },
  "deterministic.timeout_seconds": {
    kind: { type: "integer", min: 0 },
    default: 600,
    env: "EVAL_BANANA_DETERMINISTIC_TIMEOUT_SECONDS",
    help: "time limit of a deterministic check, in seconds; 0 = none",
  },
  "deterministic.launcher": {
    kind: { type: "choice", values: ["auto", "fork", "spawn"] },
    default: "auto",
    env: "EVAL_BANANA_DETERMINISTIC_LAUNCHER",
    help: "how deterministic checks start: fork = copies of one Python that has started, spawn = Python anew for each, auto = fork on Linux for 4 checks or more",
  },
  "discovery.exclude_dirs": {
    kind: { type: "names" },
    default: [".git", ".hg", ".svn", ".venv", "venv", "node_modules", "__pycache__", "dist", "build"],
    help: "names of directories that are never entered in search of checks",
  },
  "harness.agent": {
    kind: { type: "text" },
    env: "EVAL_BANANA_HARNESS_AGENT",
    flag: "--harness-agent <name>",
    on: ["run", "validate", "suite run"],
    help: "the agent that judges harness_judge checks, and rubrics of suites",
  },
  "harness.model": {
    kind: { type: "text" },
    env: "EVAL_BANANA_HARNESS_MODEL",
    flag: "--harness-model <model>",
    on: ["run", "validate", "suite run"],
    help: "the model that the agent uses; unset = the agent's default",
  },
  "harness.reasoning_effort": {
    kind: { type: "text" },
    env: "EVAL_BANANA_HARNESS_REASONING_EFFORT",
    flag: "--harness-reasoning-effort <effort>",
    on: ["run", "validate", "suite run"],
    help: "the reasoning effort that the agent uses; unset = the agent's default",
  },
  "harness.timeout_seconds": {
    kind: { type: "integer", min: 1 },
    default: 300,
    env: "EVAL_BANANA_HARNESS_TIMEOUT_SECONDS",
    flag: "--harness-timeout-seconds <n>",
    on: ["run", "validate", "suite run"],
    help: "time limit of a judge, in seconds",
  },
  "harness.strict_verdict": {
    kind: { type: "boolean" },
    default: false,
    env: "EVAL_BANANA_HARNESS_STRICT_VERDICT",
    help: "accept only a verdict that carries the token of the prompt",
  },
  "harness.env": {
    kind: { type: "strings" },
    default: {},
    help: "environment variables for the agent; {env:NAME} takes a value from the environment of eval-banana",
  },
  "report.redact": {
    kind: { type: "names" },
    default: [],
    help: "names of more environment variables whose values are masked in all that is written",
  },
  "report.redact_values": {
    kind: { type: "boolean" },
    default: true,
    env: "EVAL_BANANA_REDACT_VALUES",
    help: "mask the values of variables whose names look secret: *KEY*, *TOKEN*, *SECRET*, *PASSWORD*",
  },
} as const satisfies Record<string, Setting>;

type Settings = typeof settings;
export type SettingKey = keyof Settings;

/** The value of every setting, by its key. What has no default may be undefined. */
export type Config = {
  readonly [K in SettingKey]: Settings[K] extends { default: unknown }
    ? Value<Settings[K]["kind"]>
    : Value<Settings[K]["kind"]> | undefined;
};

export const settingKeys = Object.keys(settings) as SettingKey[];

/** The setting as plain data: what `settings[key]` is, without its literal types. */
export function settingOf(key: SettingKey): Setting {
  return settings[key];
}

/** `--output-dir` of `--output-dir <path>`; empty where the setting has no flag. */
export function flagName(setting: Setting): string {
  return setting.flag?.split(" ")[0] ?? "";
}
