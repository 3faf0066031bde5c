import { mkdirSync, symlinkSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { check, type Finished, oneCheck, type Project, PYTHON, project } from "../helpers/project.js";

const FILE = ".eval-banana/config.toml";

/** Value and layer of every setting, as `--verbose` tells them. */
function settingsIn({ stderr }: Finished): Record<string, string> {
  const lines = stderr.matchAll(/^debug: (\w+\.\w+) = (.*) \((\w+)\)$/gm);
  return Object.fromEntries([...lines].map(([, key, value, layer]) => [key, `${value} (${layer})`]));
}

describe("settings", () => {
  // key, default, and a value for each other layer; a dash where the layer has none.
  const rows = [
    ["core.output_dir", '".eval-banana/results"', '"out-file"', '"out-env"', '"out-flag"'],
    ["core.pass_threshold", "1", "0.1", "0.2", "0.3"],
    ["core.llm_max_input_chars", "0", "11", "12", "-"],
    ["core.max_parallel_checks", "4", "21", "22", "23"],
    ["deterministic.python", "unset", '"bin/python-file"', '"bin/python-env"', "-"],
    ["deterministic.timeout_seconds", "600", "31", "32", "-"],
    ["deterministic.launcher", '"auto"', '"fork"', '"spawn"', "-"],
    [
      "discovery.exclude_dirs",
      '[".git",".hg",".svn",".venv","venv","node_modules","__pycache__","dist","build"]',
      '["skipped"]',
      "-",
      "-",
    ],
    ["harness.agent", "unset", '"claude"', '"codex"', '"pi"'],
    ["harness.model", "unset", '"m-file"', '"m-env"', '"m-flag"'],
    ["harness.reasoning_effort", "unset", '"low"', '"medium"', '"high"'],
    ["harness.timeout_seconds", "300", "41", "42", "43"],
    ["harness.strict_verdict", "false", "true", "false", "-"],
    ["harness.env", "[]", '["TOKEN"]', "-", "-"],
    ["report.redact", "[]", '["MINE"]', "-", "-"],
    ["report.redact_values", "true", "false", "true", "-"],
  ] as const;

  /** What a run tells when it has the layers up to `top`. */
  function expected(top: number): Record<string, string> {
    const layers = ["default", "file", "environment", "flag"];
    return Object.fromEntries(
      rows.map(([key, ...values]) => {
        const layer = values.slice(0, top + 1).findLastIndex((value) => value !== "-");
        return [key, `${values[layer]} (${layers[layer]})`];
      }),
    );
  }

  it("come from flag, environment, file and default, in this order", async () => {
    const toml = rows
      .filter(([key]) => key !== "harness.env")
      .map(([key, , value]) => `${key} = ${value}\n`)
      .join("");
    const p = project({ ...oneCheck("pass"), [FILE]: `${toml}harness.env = { TOKEN = "secret-in-file" }\n` });
    mkdirSync(p.path("bin"));
    symlinkSync(PYTHON, p.path("bin/python-file"));
    symlinkSync(PYTHON, p.path("bin/python-env"));
    const env = {
      EVAL_BANANA_OUTPUT_DIR: "out-env",
      EVAL_BANANA_PASS_THRESHOLD: "0.2",
      EVAL_BANANA_LLM_MAX_INPUT_CHARS: "12",
      EVAL_BANANA_MAX_PARALLEL_CHECKS: "22",
      EVAL_BANANA_PYTHON: "bin/python-env",
      EVAL_BANANA_DETERMINISTIC_TIMEOUT_SECONDS: "32",
      EVAL_BANANA_DETERMINISTIC_LAUNCHER: "spawn",
      EVAL_BANANA_HARNESS_AGENT: "codex",
      EVAL_BANANA_HARNESS_MODEL: "m-env",
      EVAL_BANANA_HARNESS_REASONING_EFFORT: "medium",
      EVAL_BANANA_HARNESS_TIMEOUT_SECONDS: "42",
      EVAL_BANANA_HARNESS_STRICT_VERDICT: "false",
      EVAL_BANANA_REDACT_VALUES: "1",
    };
    const flags =
      "--output-dir out-flag --pass-threshold 0.3 --max-parallel-checks 23 --harness-agent pi --harness-model m-flag --harness-reasoning-effort high --harness-timeout-seconds 43";
    const unset = { EVAL_BANANA_PYTHON: "" };

    const byDefault = await p.eb(["list", "--verbose", "--no-project-config"], { env: unset });
    const byFile = await p.eb(["run", "--verbose"], { env: unset });
    const byEnv = await p.eb(["run", "--verbose"], { env });
    const byFlag = await p.eb(["run", "--verbose", ...flags.split(" ")], { env });
    for (const [top, result] of [byDefault, byFile, byEnv, byFlag].entries()) {
      expect(result.code).toBe(0);
      expect(settingsIn(result)).toEqual(expected(top));
      expect(result.stderr).not.toContain("secret-in-file");
    }
    // Relative to the project root, and used.
    expect(byFile.stdout).toContain("report: out-file/");
    expect(byEnv.stdout).toContain("report: out-env/");
    expect(byFlag.stdout).toContain("report: out-flag/");
    expect(byEnv.stderr).toContain(p.path("bin/python-env"));
  });

  it("that are wrong stop the run with all that is wrong in all layers, and nothing runs", async () => {
    const p = project({
      ...oneCheck("open('ran', 'w')"),
      [FILE]: "[core]\npass_treshold = 1\nmax_parallel_checks = 0\n[llm]\n",
    });
    const env = { EVAL_BANANA_PASS_THRESHOLD: "abc", EVAL_BANANA_HARNESS_TIMEOUT_SECONDS: "-1" };
    const { code, stdout, stderr } = await p.eb(["run", "--max-parallel-checks", "many"], { env });
    expect(code).toBe(2);
    expect(stdout).toBe("");
    expect(stderr).toBe(
      [
        "error: the configuration is not valid",
        "  .eval-banana/config.toml:2:1: core.pass_treshold: unknown field (did you mean 'pass_threshold'?)",
        "  .eval-banana/config.toml:3:1: core.max_parallel_checks: expected a whole number of at least 1, found 0 (a number)",
        "  .eval-banana/config.toml:4:1: llm: the [llm] section is no longer read: judges are agents now; set [harness] agent and model, and remove [llm]",
        '  EVAL_BANANA_PASS_THRESHOLD: expected a number from 0 to 1, found "abc"',
        '  --max-parallel-checks: expected a whole number of at least 1, found "many"',
        "  EVAL_BANANA_HARNESS_TIMEOUT_SECONDS: expected a whole number of at least 1, found -1 (a number)",
        "  6 problems",
        "",
      ].join("\n"),
    );
    expect(() => p.read("ran")).toThrow("ENOENT");
  });

  it("in bad TOML are refused with line and column, and --no-project-config does not look at the file", async () => {
    const p = project({ ...oneCheck("pass"), [FILE]: "[core]\npass_threshold = =\n" });
    const refused = await p.eb(["list"]);
    expect(refused).toMatchObject({ code: 2, stdout: "" });
    expect(refused.stderr).toMatch(/^error: .*\n {2}\.eval-banana\/config\.toml:2:18: not valid TOML: .*\n$/);
    expect(await p.eb(["list", "--no-project-config"])).toMatchObject({ code: 0, stderr: "" });
  });

  it("name an agent that is not known, with the known ones", async () => {
    const p = project({ ...oneCheck("pass"), [FILE]: '[agents.mine]\ncommand = ["true"]\n' });
    const { code, stderr } = await p.eb(["validate", "--harness-agent", "claud"]);
    expect(code).toBe(2);
    expect(stderr).toContain("error: unknown agent 'claud' (did you mean 'claude'?)");
    expect(stderr).toMatch(/the known ones are claude, codex, .*mine/);
    expect(await p.eb(["validate", "--harness-agent", "mine"])).toMatchObject({ code: 0, stderr: "" });
  });

  it("define no agent without a command", async () => {
    const p = project({ ...oneCheck("pass"), [FILE]: '[agents.clode]\nmodel_flag = "-m"\n' });
    const { code, stderr } = await p.eb(["validate"]);
    expect(code).toBe(2);
    expect(stderr).toContain(
      "agents.clode.command: is required for an agent that is not built in (did you mean 'claude'?): a list of strings",
    );
  });
});

describe("the project root", () => {
  const rootOf = async (p: Project, args: string[], cwd: string) => {
    const { stdout, code } = await p.eb(["list", "--json", ...args], { cwd: p.path(cwd) });
    expect(code).toBe(0);
    return JSON.parse(stdout).project_root;
  };

  it("is the nearest directory upwards that holds .eval-banana/, else the working directory", async () => {
    const p = project({
      [FILE]: "",
      "sub/deep/eval_checks/a.yaml": check("a", "pass"),
      // A file of that name makes no project.
      "sub/.eval-banana": "",
      "other/.eval-banana/x": "",
      "other/eval_checks/b.yaml": check("b", "pass"),
    });
    symlinkSync(p.path("sub/deep"), p.path("link"));
    expect(await rootOf(p, [], "sub/deep")).toBe(p.root);
    expect(await rootOf(p, ["--cwd", "sub/deep"], ".")).toBe(p.root);
    expect(await rootOf(p, [], "other")).toBe(p.path("other"));
    expect(await rootOf(p, ["--no-project-config"], "sub/deep")).toBe(p.path("sub/deep"));
    expect(await rootOf(p, ["--cwd", "link", "--no-project-config"], ".")).toBe(p.path("sub/deep"));
  });

  it.each([
    ["nope", "no such file or directory"],
    ["file", "--cwd is not a directory"],
    ["file/x", "a part of the path is not a directory"],
  ])("cannot be found from --cwd %s", async (cwd, message) => {
    const { code, stderr } = await project({ file: "" }).eb(["list", "--cwd", cwd]);
    expect(code).toBe(2);
    expect(stderr).toContain(message);
    expect(stderr).toContain(cwd.split("/")[0]);
  });
});
