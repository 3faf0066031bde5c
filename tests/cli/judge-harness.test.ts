import { describe, expect, it } from "vitest";
import { agentTable, judgeCheck, runJudges, standIn } from "../helpers/agent.js";
import { runProgram } from "../helpers/library.js";
import { check, type Project, project } from "../helpers/project.js";

const JUDGES = {
  "b/eval_checks/b.yaml": judgeCheck({ id: "b" }),
  "a/eval_checks/a.yaml": judgeCheck({ id: "a" }),
  "a/eval_checks/0.yaml": check("zero", "pass"),
};

const KNOWN = "the known ones are claude, codex, gemini, grok, opencode, openhands, pi;";

/** What a run says that must not begin; nothing is written. */
async function refused(p: Project, args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<string> {
  const { code, stdout, stderr } = await p.eb(args, { env });
  expect(code).toBe(2);
  expect(stdout).toBe("");
  expect(p.runDirs()).toEqual([]);
  return stderr;
}

describe("without an agent", () => {
  it("judge checks stop the run, with the first file and both ways to name an agent", async () => {
    const p = project(JUDGES);
    const stderr = await refused(p, ["run"]);
    expect(stderr).toContain(`${p.path("a/eval_checks/a.yaml")} is a harness_judge check`);
    expect(stderr).not.toContain("b.yaml");
    expect(stderr).toContain("[harness] agent");
    expect(stderr).toContain("--harness-agent");
  });

  it("all that needs none goes on", async () => {
    const p = project(JUDGES);
    const list = await p.eb(["list"]);
    expect(list.code).toBe(0);
    expect(list.stdout.split("\n").map((line) => line.split("\t").slice(0, 2).join(" "))).toEqual([
      "zero deterministic",
      "a harness_judge",
      "b harness_judge",
      "",
    ]);
    expect(await p.eb(["validate"])).toMatchObject({ code: 0, stdout: "3 checks valid\n" });
    expect((await p.eb(["run", "--check-id", "zero"])).code).toBe(0);
  });
});

describe("an unknown agent", () => {
  it.each([
    ["flag", ["--harness-agent", "claud"], {}, ""],
    ["environment", [], { EVAL_BANANA_HARNESS_AGENT: "claud" }, ""],
    ["file", [], {}, '[harness]\nagent = "claud"'],
  ] as const)("from the %s lists the known ones, and the one that was meant", async (_, args, env, config) => {
    const p = project({ ...JUDGES, ".eval-banana/config.toml": config });
    const stderr = await refused(p, ["run", ...args], env);
    expect(stderr).toContain("unknown agent 'claud' (did you mean 'claude'?)");
    expect(stderr).toContain(KNOWN);
  });

  it("is an error of eb validate too, and of nothing else", async () => {
    const p = project(JUDGES);
    expect(await refused(p, ["validate", "--harness-agent", "nope"])).toContain(KNOWN);
    const env = { EVAL_BANANA_HARNESS_AGENT: "nope" };
    expect((await p.eb(["list"], { env })).code).toBe(0);
    expect((await p.eb(["run", "--check-id", "zero"], { env })).code).toBe(0);
  });
});

describe("[agents.*]", () => {
  const withConfig = (config: string) => project({ ...JUDGES, ".eval-banana/config.toml": config });

  it("of a name that is not built in needs a command, whatever runs", async () => {
    const p = withConfig('[agents.mine]\nmodel_flag = "-m"\n');
    for (const args of [["run", "--harness-agent", "claude"], ["run", "--check-id", "zero"], ["validate"]]) {
      expect(await refused(p, args)).toMatch(/agents\.mine\.command: is required .*: a list of strings/);
    }
  });

  it("with an unknown key lists the known ones", async () => {
    const p = withConfig('[agents.claude]\nbinary = "x"\n');
    const stderr = await refused(p, ["run", "--harness-agent", "claude"]);
    expect(stderr).toMatch(
      /config\.toml:2:1: agents\.claude\.binary: unknown field; the known ones are command, shared_/,
    );
    for (const name of ["prompt_flag", "prompt_position", "model_env_vars", "provider_env", "output_format"]) {
      expect(stderr).toContain(name);
    }
  });

  it.each([
    ['modle_flag = "-m"', "did you mean 'model_flag'?"],
    ["command = []", "expected a list of at least one string, found a list"],
    ['command = "claude"', 'expected a list of strings, found "claude"'],
    ['prompt_position = "head"', "expected 'tail' or 'after_command', found \"head\""],
    ['output_format = "xml"', "expected one of text, claude,"],
    ["provider_env = { A = 1 }", "expected a string, found 1 (a number)"],
  ])("with %s is an error that says what is wanted", async (line, message) => {
    expect(await refused(withConfig(`[agents.claude]\n${line}\n`), ["validate"])).toContain(message);
  });

  it("with an empty string unsets a field of a built-in agent", async () => {
    const p = withConfig(agentTable("codex", { command: ["true"], model_flag: "" }));
    await p.eb(["run", "--harness-agent", "codex"]);
    expect(p.result("a").error_detail).toMatch(/^cannot inject model 'gpt-5\.6-sol'/);
  });
});

it("eb validate finds what a run could not hand over, defaults of the agent too", async () => {
  const p = project({
    "eval_checks/it.yaml": judgeCheck({ id: "it", model: "check" }),
    ".eval-banana/config.toml": agentTable("mine", { command: ["true"], reasoning_effort: "high" }),
  });
  const { code, stdout } = await p.eb(["validate", "--harness-agent", "mine"]);
  expect(code).toBe(1);
  expect(stdout).toContain("cannot inject model 'check'");
  expect(stdout).toContain("cannot inject reasoning effort 'high'");
});

describe("the library", () => {
  it("runs judges, with the agent given as a setting", async () => {
    const p = standIn("verdict(int(check == 'good'), 'by ' + os.environ['EVAL_BANANA_HARNESS_AGENT'])", {
      checks: { good: {}, bad: { votes: 3 } },
    });
    const { logged, stderr } = await runProgram(
      p,
      `const { run_passed, checks } = await runChecks({ settings: { "harness.agent": "stand-in" } });
log({ run_passed, checks: checks.map(({ check_id, status, reason, details }) => ({ check_id, status, reason, agent: details.agent_type })) });
await runChecks().catch(({ code, message }) => log({ code, message }));
await runChecks({ settings: { "harness.agent": "stand-im" } }).catch(({ code, message }) => log({ code, message }));`,
    );
    expect(stderr).toBe("");
    expect(logged).toEqual([
      {
        run_passed: false,
        checks: [
          { check_id: "bad", status: "failed", reason: "by stand-in", agent: "stand-in" },
          { check_id: "good", status: "passed", reason: "by stand-in", agent: "stand-in" },
        ],
      },
      { code: "harness", message: expect.stringContaining("no agent is configured") },
      { code: "harness", message: "unknown agent 'stand-im' (did you mean 'stand-in'?)" },
    ]);
  });
});

describe("the agent", () => {
  it("is taken from the flag, the environment and the file, in this order", async () => {
    const p = standIn("verdict(1, os.environ['EVAL_BANANA_HARNESS_AGENT'])", {
      config: '[harness]\nagent = "in-file"',
    });
    const [, table = ""] = p.read(".eval-banana/config.toml").split("[agents.stand-in]");
    const tables = ["flag", "env", "in-file"].map((name) => `[agents.${name}]${table}`).join("");
    p.write({ ".eval-banana/config.toml": p.read(".eval-banana/config.toml") + tables });
    const agentOf = async (args: string[], env: NodeJS.ProcessEnv) => {
      const { stdout } = await p.eb(["run", "--json", ...args], { env });
      return JSON.parse(stdout).checks[0].reason;
    };
    const env = { EVAL_BANANA_HARNESS_AGENT: "env" };
    expect(await agentOf(["--harness-agent", "flag"], env)).toBe("flag");
    expect(await agentOf([], env)).toBe("env");
    expect(await agentOf([], {})).toBe("in-file");
  });

  it("judges beside deterministic checks, in one report", async () => {
    const p = standIn("verdict(1)", { files: { "eval_checks/zero.yaml": check("zero", "pass") } });
    const { code } = await runJudges(p);
    expect(code).toBe(0);
    expect(p.report().checks.map(({ check_id, check_type }) => [check_id, check_type])).toEqual([
      ["it", "harness_judge"],
      ["zero", "deterministic"],
    ]);
    expect(p.result("it").check_definition_sha256).toMatch(/^sha256:[0-9a-f]{64}$/);
  });
});
