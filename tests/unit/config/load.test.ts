import { mkdirSync, symlinkSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { agentTemplateLines } from "../../../src/agents/template-lines.js";
import { builtinAgents } from "../../../src/agents/templates.js";
import { type ConfigSources, type LoadedConfig, loadConfig } from "../../../src/config/load.js";
import { settingKeys, settingOf } from "../../../src/config/settings.js";
import { configTemplate } from "../../../src/config/template.js";
import { UserError } from "../../../src/core/errors.js";
import { project } from "../../helpers/project.js";

const FILE = ".eval-banana/config.toml";

function load(toml: string | Uint8Array, more: Partial<ConfigSources> = {}): LoadedConfig {
  return loadConfig({ cwd: project({ [FILE]: toml }).root, env: {}, ...more });
}

/** `line:column: field: message` of everything that is wrong. */
function problemsOf(toml: string | Uint8Array, more?: Partial<ConfigSources>): string[] {
  try {
    load(toml, more);
    return [];
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return error.problems.map(({ line, column, field, message }) =>
      [line, column, field, ` ${message}`].filter((part) => part !== undefined).join(":"),
    );
  }
}

describe("config.toml", () => {
  it.each<[string, string | Uint8Array]>([
    ["a BOM", "\ufeff[core]\npass_threshold = 0.5\n"],
    ["CRLF", "[core]\r\npass_threshold = 0.5\r\n"],
    ["dotted keys", "core.pass_threshold = 0.5"],
    ["an inline table", "core = { pass_threshold = 0.5 }"],
  ])("may have %s", (_, toml) => {
    const { config, origins } = load(toml);
    expect(config["core.pass_threshold"]).toBe(0.5);
    expect(origins).toMatchObject({ "core.pass_threshold": "file", "core.output_dir": "default" });
  });

  it("may hold models", () => {
    const toml =
      '[models.fast]\nurl = "http://127.0.0.1:1/v1"\nmodel = "m"\nparams = { temperature = 0, stop = ["x"] }\n';
    const params = { temperature: 0, stop: ["x"] };
    expect(load(toml).models).toEqual({ fast: { url: "http://127.0.0.1:1/v1", model: "m", params } });
    expect(load("").models).toEqual({});
  });

  it("may leave settings empty, and hold skills_dir of earlier versions", () => {
    const { config } = load('[core]\noutput_dir = ""\n[harness]\nagent = ""\nskills_dir = "x"\n');
    expect(config["core.output_dir"]).toBe(".eval-banana/results");
    expect(config["harness.agent"]).toBeUndefined();
  });

  it.each<[string, string | Uint8Array, string[]]>([
    [
      "values of wrong types and out of range, each in its line",
      '[core]\noutput_dir = 3\npass_threshold = "1"\nllm_max_input_chars = -1\nmax_parallel_checks = 9007199254740993\n' +
        '[deterministic]\npython = 2024-01-01\ntimeout_seconds = 1.5\n[discovery]\nexclude_dirs = "x"\n' +
        '[harness]\nagent = true\nmodel = []\nreasoning_effort = {}\ntimeout_seconds = 0\nenv = "x"\n',
      [
        "2:1:core.output_dir: expected a string, found 3 (a number)",
        '3:1:core.pass_threshold: expected a number from 0 to 1, found "1"',
        "4:1:core.llm_max_input_chars: expected a whole number of at least 0, found -1 (a number)",
        "5:1:core.max_parallel_checks: expected a whole number of at least 1, found 9007199254740993 (too large a number)",
        "7:1:deterministic.python: expected a string, found a date",
        "8:1:deterministic.timeout_seconds: expected a whole number of at least 0, found 1.5 (a number)",
        '10:1:discovery.exclude_dirs: expected a list of names, found "x"',
        "12:1:harness.agent: expected a string, found true (a boolean)",
        "13:1:harness.model: expected a string, found a list",
        "14:1:harness.reasoning_effort: expected a string, found a mapping",
        "15:1:harness.timeout_seconds: expected a whole number of at least 1, found 0 (a number)",
        '16:1:harness.env: expected a table of strings, found "x"',
      ],
    ],
    [
      "numbers that are none",
      "[core]\npass_threshold = nan\nmax_parallel_checks = inf\n",
      [
        "2:1:core.pass_threshold: expected a number from 0 to 1, found NaN (a number)",
        "3:1:core.max_parallel_checks: expected a whole number of at least 1, found Infinity (too large a number)",
      ],
    ],
    [
      "text that no path or name can be",
      '[core]\noutput_dir = "a\\u0000b"\n[deterministic]\npython = " "\n[discovery]\nexclude_dirs = ["build/", "a/b", "", 3]\n',
      [
        '2:1:core.output_dir: expected a string without NUL, found "a\\u0000b"',
        "4:1:deterministic.python: expected a string that is not blank, found a blank string",
        `6:1:discovery.exclude_dirs[0]: expected a name, without '/', found "build/"`,
        `6:1:discovery.exclude_dirs[1]: expected a name, without '/', found "a/b"`,
        "6:1:discovery.exclude_dirs[2]: expected a name, without '/', found a blank string",
        "6:1:discovery.exclude_dirs[3]: expected a name, found 3 (a number)",
      ],
    ],
    [
      "unknown keys and sections",
      '[core]\npass_treshold = 1\nfoo = 1\n[harnes]\nagent = "x"\n',
      [
        "2:1:core.pass_treshold: unknown field (did you mean 'pass_threshold'?)",
        "3:1:core.foo: unknown field; the known ones are output_dir, pass_threshold, llm_max_input_chars, max_parallel_checks",
        "4:1:harnes: unknown field (did you mean 'harness'?)",
      ],
    ],
    [
      "keys in a section that is not theirs",
      'pass_threshold = 1\n[core]\nagent = "claude"\ntimeout_seconds = 5\n',
      [
        "1:1:pass_threshold: unknown field here; it belongs in [core]",
        "3:1:core.agent: unknown field here; it belongs in [harness]",
        "4:1:core.timeout_seconds: unknown field here; it belongs in [deterministic] or [harness]",
      ],
    ],
    [
      "sections that are none",
      'core = "x"\nharness = []\nagents = 1\n',
      [
        '1:1:core: expected a table, found "x"',
        "2:1:harness: expected a table, found a list",
        "3:1:agents: expected a table of tables, found 1 (a number)",
      ],
    ],
    [
      "wrong fields of models",
      '[models.fast]\nur = "http://x"\nurl = "x"\nrpm = 0\nheaders = { A = 1 }\n[models.fast.price]\ninput = -1\nouput = 1\n',
      [
        "2:1:models.fast.ur: unknown field (did you mean 'url'?)",
        '3:1:models.fast.url: expected an http or https URL, found "x"',
        "4:1:models.fast.rpm: expected a whole number of at least 1, found 0 (a number)",
        "5:1:models.fast.headers.A: expected a string, found 1 (a number)",
        "6:1:models.fast.price.output: is required: a number of at least 0",
        "7:1:models.fast.price.input: expected a number of at least 0, found -1 (a number)",
        "8:1:models.fast.price.ouput: unknown field (did you mean 'output'?)",
      ],
    ],
    [
      "wrong fields of agents",
      '[agents.claude]\ncomand = ["x"]\nprompt_position = "head"\nshared_flags = [1]\n[agents."my agent"]\ncommand = []\nprovider_env = { A = 1 }\n[agents]\npi = 1\n',
      [
        "2:1:agents.claude.comand: unknown field (did you mean 'command'?)",
        `3:1:agents.claude.prompt_position: expected 'tail' or 'after_command', found "head"`,
        "4:1:agents.claude.shared_flags[0]: expected a string, found 1 (a number)",
        "6:1:agents.my agent.command: expected a list of at least one string, found a list",
        "7:1:agents.my agent.provider_env.A: expected a string, found 1 (a number)",
        "9:1:agents.pi: expected a table, found 1 (a number)",
      ],
    ],
    [
      "what earlier versions read",
      '[llm]\nmodel = "x"\n[harness]\nskip = true\n',
      [
        "1:1:llm: the [llm] section is no longer read: judges are agents now; set [harness] agent and model, and remove [llm]",
        "4:1:harness.skip: harness.skip is no longer read: select checks with --tag or --check-id, and remove it",
      ],
    ],
    [
      "names that every object inherits",
      "[__proto__]\na = 1\n[constructor]\nb = 1\n",
      ["1:1:__proto__", "3:1:constructor"].map(
        (place) =>
          `${place}: unknown field; the known ones are core, deterministic, discovery, harness, report, agents, models`,
      ),
    ],
    [
      "a value below a long string that looks like it",
      '[harness.env]\nA = """\n[core]\npass_threshold = 3\n"""\n[core]\npass_threshold = 3\n',
      ["7:1:core.pass_threshold: expected a number from 0 to 1, found 3 (a number)"],
    ],
    [
      "values in dotted keys and inline tables",
      'core = { pass_threshold = 7 }\ndeterministic."timeout_seconds" = "x"\n',
      [
        "1:1:core.pass_threshold: expected a number from 0 to 1, found 7 (a number)",
        '2:1:deterministic.timeout_seconds: expected a whole number of at least 0, found "x"',
      ],
    ],
    ["a header that is not closed", "[core\n", [/^1:7: not valid TOML: /]],
    ["a missing value", "\n[core]\npass_threshold = \n", [/^3:18: not valid TOML: /]],
    ["a key twice", "[core]\npass_threshold = 1\npass_threshold = 1\n", [/^3:\d+: not valid TOML: .*redefine/]],
    ["a string that is not closed", '[core]\nx = "abc\n', [/^2:9: not valid TOML: Unterminated string$/]],
    ["bytes that are not UTF-8", Buffer.from("[core]\n# \xe4\n", "latin1"), [" is not valid UTF-8"]],
    ["UTF-16", Buffer.from("\ufeff[core]\n", "utf16le"), [" is not valid UTF-8"]],
    ["more than 1 MiB", "#".repeat(1024 * 1024 + 1), [" is larger than 1 MiB"]],
  ] as [string, string | Uint8Array, string[]][])("explains %s", (_, toml, expected) => {
    const patterns = (expected as (string | RegExp)[]).map((line) =>
      line instanceof RegExp ? expect.stringMatching(line) : line,
    );
    expect(problemsOf(toml)).toEqual(patterns);
  });

  it("that is a directory, or a link to nothing, is an error and not an empty file", () => {
    const p = project();
    mkdirSync(p.path(FILE), { recursive: true });
    expect(() => loadConfig({ cwd: p.root, env: {} })).toThrow(
      expect.objectContaining({ problems: [{ file: p.path(FILE), message: expect.stringContaining("EISDIR") }] }),
    );
    const other = project({ ".eval-banana/x": "" });
    symlinkSync("nowhere", other.path(FILE));
    expect(() => loadConfig({ cwd: other.root, env: {} })).toThrow(
      expect.objectContaining({ problems: [{ file: other.path(FILE), message: expect.stringContaining("ENOENT") }] }),
    );
  });
});

describe("variables and flags", () => {
  it.each([
    ["EVAL_BANANA_PASS_THRESHOLD", "abc", 'expected a number from 0 to 1, found "abc"'],
    ["EVAL_BANANA_PASS_THRESHOLD", "1.01", "expected a number from 0 to 1, found 1.01 (a number)"],
    ["EVAL_BANANA_PASS_THRESHOLD", "0x1", 'expected a number from 0 to 1, found "0x1"'],
    ["EVAL_BANANA_PASS_THRESHOLD", "1e999", "expected a number from 0 to 1, found Infinity (too large a number)"],
    ["EVAL_BANANA_PASS_THRESHOLD", "80%", 'expected a number from 0 to 1, found "80%"'],
    ["EVAL_BANANA_PASS_THRESHOLD", " ", "expected a value, found a blank string"],
    ["EVAL_BANANA_LLM_MAX_INPUT_CHARS", "-1", "expected a whole number of at least 0, found -1 (a number)"],
    ["EVAL_BANANA_MAX_PARALLEL_CHECKS", "0", "expected a whole number of at least 1, found 0 (a number)"],
    ["EVAL_BANANA_MAX_PARALLEL_CHECKS", "1.5", "expected a whole number of at least 1, found 1.5 (a number)"],
    ["EVAL_BANANA_MAX_PARALLEL_CHECKS", "1_000", 'expected a whole number of at least 1, found "1_000"'],
    ["EVAL_BANANA_DETERMINISTIC_TIMEOUT_SECONDS", "true", 'expected a whole number of at least 0, found "true"'],
    ["EVAL_BANANA_HARNESS_TIMEOUT_SECONDS", "0", "expected a whole number of at least 1, found 0 (a number)"],
    ["EVAL_BANANA_PASS_TRESHOLD", "1", "unknown variable (did you mean 'EVAL_BANANA_PASS_THRESHOLD'?)"],
  ])("%s=%j is an error, also where a flag wins", (name, value, message) => {
    expect(problemsOf("", { env: { [name]: value }, flags: { "core.pass_threshold": "1" } })).toEqual([
      `${name}: ${message}`,
    ]);
  });

  it("of others that begin like ours are left alone", () => {
    const names = ["PROJECT_ROOT", "RUN_ID", "CHECK_ID", "RUN_OUTPUT_DIR", "CACHE", "SHARD", "SHARD_TOTAL", "TOKEN"];
    const env = Object.fromEntries(names.map((name) => [`EVAL_BANANA_${name}`, "x"]));
    expect(problemsOf("", { env })).toEqual([]);
  });

  it("that are empty count as unset; as a flag that is an error", () => {
    const env = Object.fromEntries(settingKeys.map((key) => [settingOf(key).env ?? "NONE", ""]));
    expect(load("", { env }).config).toEqual(load("").config);
    expect(problemsOf("", { flags: { "core.output_dir": "" } })).toEqual([
      "--output-dir: expected a value, found a blank string",
    ]);
  });

  it("may have blanks around a number, and an exponent", () => {
    const env = { EVAL_BANANA_PASS_THRESHOLD: " .5 ", EVAL_BANANA_MAX_PARALLEL_CHECKS: "1e1" };
    expect(load("", { env }).config).toMatchObject({ "core.pass_threshold": 0.5, "core.max_parallel_checks": 10 });
  });

  it("are reported with the file's problems, all at once", () => {
    const env = { EVAL_BANANA_PASS_THRESHOLD: "abc" };
    const flags = { "core.max_parallel_checks": "x", "harness.timeout_seconds": "0" };
    expect(problemsOf("[core]\nfoo = 1\n", { env, flags })).toEqual([
      expect.stringMatching(/^2:1:core.foo: /),
      expect.stringMatching(/^EVAL_BANANA_PASS_THRESHOLD: /),
      expect.stringMatching(/^--max-parallel-checks: /),
      expect.stringMatching(/^--harness-timeout-seconds: /),
    ]);
  });
});

describe("the template of eb init", () => {
  const template = configTemplate(agentTemplateLines());

  it("sets nothing as it stands", () => {
    const { config, origins, agents } = load(template);
    expect(config).toEqual(load("").config);
    expect(new Set(Object.values(origins))).toEqual(new Set(["default"]));
    expect(agents).toEqual({});
  });

  it("shows the defaults and the built-in agents: with every line taken in nothing changes", () => {
    const { config, agents } = load(template.replaceAll(/^# (?=\[agents\.|\w+ = )/gm, ""));
    const withoutDefault = settingKeys.filter((key) => settingOf(key).default === undefined);
    const examples = Object.fromEntries(withoutDefault.map((key) => [key, expect.stringMatching(/\S/)]));
    expect(config).toEqual({ ...load("").config, ...examples });
    expect(agents).toEqual(builtinAgents);
  });

  it("explains every setting with its variable and flag", () => {
    for (const key of settingKeys) {
      const { help, env = "", flag = "" } = settingOf(key);
      const line = template.split("\n").find((text) => text.startsWith(`# ${help}`));
      expect(line, key).toContain(env);
      expect(line, key).toContain(flag.split(" ")[0]);
    }
  });
});
