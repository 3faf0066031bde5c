import { mkdirSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { agentTable, judgeCheck, runJudges, type StandInOptions, standIn } from "../helpers/agent.js";
import { type Project, project } from "../helpers/project.js";

/** A stand-in that notes how it was called, for each check. */
const NOTE = `json.dump({"argv": sys.argv[1:-1], "cwd": os.getcwd(), "stdin": sys.stdin.read(), "env": dict(os.environ)}, open("note-" + check, "w"))
verdict(1)`;

interface Note {
  /** Without the prompt at the end. */
  argv: string[];
  cwd: string;
  stdin: string;
  env: Record<string, string>;
}

const WITH_MODEL = { model_flag: "--model", reasoning_effort_flag: ["--effort", "x={effort}"] };

function noting(options: StandInOptions): Project {
  return standIn(NOTE, options);
}

function noteOf(p: Project, id = "it"): Note {
  return JSON.parse(p.read(`note-${id}`));
}

describe("the agent", () => {
  it("runs in the project root, wherever eb is called, with standard input at its end", async () => {
    const p = noting({ template: { command: ["./judge.sh"] } });
    p.writeProgram("judge.sh", '#!/bin/sh\nexec python3 agent.py "$@"\n');
    mkdirSync(p.path("deep/er"), { recursive: true });
    const { code } = await runJudges(p, [], { cwd: p.path("deep/er") });
    expect(code).toBe(0);
    expect(noteOf(p)).toMatchObject({ cwd: p.root, stdin: "" });
  });

  it.each(["arg", "stdin", "file"])(
    "gets a prompt of any length by %s, and what it looks like does no harm",
    async (prompt_via) => {
      const p = standIn(
        `if os.path.exists(prompt): prompt = open(prompt, newline="").read()
piped = sys.stdin.buffer.read().decode()
if piped: prompt = piped
named = re.search("Read the file (/.*) and do exactly what it says", prompt)
if named: prompt = open(named[1], newline="").read()
expected = json.load(open("instructions"))[check]
verdict(int(prompt.endswith("Instructions:\\n" + expected)))`,
        {
          template: { prompt_via },
          checks: Object.fromEntries(Object.entries(RUBRICS).map(([id, instructions]) => [id, { instructions }])),
          files: { instructions: JSON.stringify(RUBRICS) },
        },
      );
      await runJudges(p);
      for (const { check_id, status, error_detail } of p.report().checks) {
        expect({ status, error_detail }, check_id).toEqual({ status: "passed", error_detail: null });
      }
    },
  );

  it("gets its environment from the parent, the template, the user and eb, in this order", async () => {
    const p = noting({
      checks: { it: { model: "m1" }, other: {} },
      template: {
        ...WITH_MODEL,
        model_env_vars: ["A_MODEL"],
        provider_env: { CI: "provider", FROM: "<{env:SOURCE}{env:GONE}>", A_MODEL: "provider", BOTH: "provider" },
      },
      config: `[harness.env]
BOTH = "harness"
SET = "{env:SOURCE}{env:GONE}{env:}{ENV:SOURCE}"
EVAL_BANANA_CHECK_ID = "forged"
`,
    });
    const { stderr } = await runJudges(p, [], {
      env: { PARENT: "p", SOURCE: "$1 {env:PARENT}", PYTHONUNBUFFERED: "" },
    });
    const { env } = noteOf(p);
    expect(env).toMatchObject({
      PARENT: "p",
      CI: "provider",
      PYTHONUNBUFFERED: "1",
      FROM: "<$1 {env:PARENT}>",
      BOTH: "harness",
      SET: "$1 {env:PARENT}{env:}{ENV:SOURCE}",
      A_MODEL: "m1",
      EVAL_BANANA_PROJECT_ROOT: p.root,
      EVAL_BANANA_RUN_ID: p.report().run_id,
      EVAL_BANANA_RUN_OUTPUT_DIR: p.runDir(),
      EVAL_BANANA_CHECK_ID: "it",
      EVAL_BANANA_HARNESS_AGENT: "stand-in",
    });
    expect(env["EVAL_BANANA_OUTPUT_DIR"]?.startsWith(`${p.runDir()}/checks/it-`)).toBe(true);
    expect(noteOf(p, "other").env).toMatchObject({ A_MODEL: "provider", EVAL_BANANA_CHECK_ID: "other" });
    // Once, for two checks and two places.
    expect(stderr).toBe("warning: {env:GONE} stands for nothing: the variable GONE is not set\n");
  });

  it("says nothing of the environment when nothing is missing", async () => {
    const p = noting({});
    const { stderr } = await runJudges(p);
    expect(stderr).toBe("");
    expect(noteOf(p).env).toMatchObject({ CI: "1", PYTHONUNBUFFERED: "1" });
  });
});

/** Rubrics that are hard to hand over. */
const RUBRICS: Record<string, string> = {
  dash: "--help",
  slash: "/clear",
  at: "@agent.py",
  nul: "before \0 after",
  // The whole prompt is longer than one argument may be.
  long: `${"你".repeat(100_000)} the end`,
};

describe("the model", () => {
  it("is taken from the check, the flag, the environment, the file and the template, in this order", async () => {
    const p = noting({
      template: { ...WITH_MODEL, default_model: "template" },
      config: '[harness]\nmodel = "file"',
      checks: { own: { model: "check" }, it: {} },
    });
    const modelOf = async (args: string[], env: NodeJS.ProcessEnv = {}) => {
      await runJudges(p, ["--output-dir", "out", ...args], { env });
      expect(noteOf(p, "own").argv).toEqual(["--model", "check"]);
      return noteOf(p).argv;
    };
    const env = { EVAL_BANANA_HARNESS_MODEL: "env" };
    expect(await modelOf(["--harness-model", "flag"], env)).toEqual(["--model", "flag"]);
    expect(await modelOf([], env)).toEqual(["--model", "env"]);
    expect(await modelOf([])).toEqual(["--model", "file"]);
    p.write({ ".eval-banana/config.toml": p.read(".eval-banana/config.toml").replace('"file"', '""') });
    expect(await modelOf([])).toEqual(["--model", "template"]);
    p.write({ ".eval-banana/config.toml": p.read(".eval-banana/config.toml").replace('"template"', '""') });
    expect(await modelOf([])).toEqual([]);
  });

  it("and the effort are in the details, as they were handed over", async () => {
    const p = noting({ template: WITH_MODEL, checks: { own: { model: "m", timeout_seconds: 7 }, it: {} } });
    await runJudges(p, ["--harness-reasoning-effort", "high"]);
    expect(p.result("own").details).toMatchObject({
      agent_type: "stand-in",
      model: "m",
      reasoning_effort: "high",
      timeout_seconds: 7,
    });
    expect(p.result("it").details).toMatchObject({ model: null, reasoning_effort: "high", timeout_seconds: 300 });
    for (const name of ["usage", "cost_usd", "num_turns", "session_id", "attempts", "votes", "leftover_processes"]) {
      expect(p.result("it").details, name).not.toHaveProperty(name);
    }
  });
});

describe("the effort", () => {
  it("is taken from the flag, the environment, the file and the template, in this order", async () => {
    const p = noting({
      template: { ...WITH_MODEL, reasoning_effort: "template" },
      config: '[harness]\nreasoning_effort = "file"',
    });
    const effortOf = async (args: string[], env: NodeJS.ProcessEnv = {}) => {
      await runJudges(p, ["--output-dir", "out", ...args], { env });
      return noteOf(p).argv;
    };
    const env = { EVAL_BANANA_HARNESS_REASONING_EFFORT: "env" };
    expect(await effortOf(["--harness-reasoning-effort", "$&"], env)).toEqual(["--effort", "x=$&"]);
    expect(await effortOf([], env)).toEqual(["--effort", "x=env"]);
    expect(await effortOf([])).toEqual(["--effort", "x=file"]);
    p.write({ ".eval-banana/config.toml": p.read(".eval-banana/config.toml").replace('"file"', '""') });
    expect(await effortOf([])).toEqual(["--effort", "x=template"]);
  });
});

describe("what can't be handed to the agent is an error before it starts", () => {
  it("and the details claim nothing", async () => {
    const p = standIn('open("started", "w")\nverdict(1)', { checks: { own: { model: "opus" }, it: {} } });
    const { code } = await runJudges(p, ["--harness-reasoning-effort", "high"]);
    expect(code).toBe(1);
    expect(p.result("own").error_detail).toBe(
      "cannot inject model 'opus': agent 'stand-in' has neither model_flag nor model_env_vars; " +
        "cannot inject reasoning effort 'high': agent 'stand-in' has no {effort} in its reasoning_effort_flag",
    );
    expect(p.result("it").error_detail).toMatch(/^cannot inject reasoning effort 'high'/);
    for (const id of ["own", "it"]) {
      expect(p.result(id)).toMatchObject({ status: "error", exit_code: null });
      expect(p.result(id).details).toMatchObject({ model: null, reasoning_effort: null, raw_response_path: null });
    }
    expect(p.has("started")).toBe(false);
  });
});

describe("a built-in agent", () => {
  it("runs as the user overrides it, and plain text is read again", async () => {
    const p = standIn(NOTE.replace("sys.argv[1:-1]", "sys.argv[1:]"), {
      config: agentTable("codex", {
        command: ["python3", "agent.py"],
        shared_flags: ["--plain"],
        default_model: "",
        reasoning_effort: "",
      }),
    });
    p.write({ "agent.py": p.read("agent.py").replace("prompt = sys.argv[-1]", "prompt = sys.stdin.read()") });
    const { code } = await p.eb(["run", "--harness-agent", "codex"]);
    expect(code).toBe(0);
    expect(noteOf(p).argv).toEqual(["--plain", "-"]);
    expect(p.result("it").details).toMatchObject({ agent_type: "codex", model: null, reasoning_effort: null });
  });

  it("is found on the PATH", async () => {
    const p = project({ "eval_checks/it.yaml": judgeCheck({ id: "it" }) });
    p.writeProgram(
      "bin/claude",
      `#!/bin/sh\ncat > stdin\nprintf '%s\\n' "$@" > argv\nenv > env\necho '{"type":"result","is_error":false,"result":"{\\"score\\": 1}"}'\n`,
    );
    const env = { PATH: `${p.path("bin")}:${process.env["PATH"]}` };
    const { code } = await p.eb(["run", "--harness-agent", "claude", "--harness-model", "opus"], { env });
    expect(code).toBe(0);
    expect(p.read("argv").trimEnd().split("\n").slice(-4)).toEqual(["--setting-sources", "user", "--model", "opus"]);
    expect(p.read("stdin")).toContain("You are an impartial judge.");
    expect(p.read("env")).toContain("ANTHROPIC_MODEL=opus\n");
  });
});
