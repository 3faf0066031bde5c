import { describe, expect, it } from "vitest";
import { agentTable, STAND_IN_HEAD } from "../helpers/agent.js";
import { type Project, PYTHON } from "../helpers/project.js";
import { caseOf, runSuite, suiteProject, suiteReport } from "../helpers/suite.js";
import { git } from "../helpers/trial.js";

/** A judge that notes each prompt in `asked/` and says yes where the answer holds "good"; its votes are told by `votes`. */
const JUDGE = `${STAND_IN_HEAD}
os.makedirs("asked", exist_ok=True)
n = 0
# Several are asked at once.
while True:
    try:
        with open(f"asked/{n}", "x") as file: file.write(prompt)
        break
    except FileExistsError:
        n += 1
votes = open("votes").read() if os.path.exists("votes") else ""
step = votes[n] if n < len(votes) else ("1" if "the good answer" in prompt else "0")
if step == "!": sys.exit(4)
if step == "r": sys.exit("HTTP 429: too many requests")
verdict(int(step), "because", token=token())
`;

function judged(cases: string, judge = "when: always", files: Record<string, string> = {}): Project {
  const agent = agentTable("stand-in", { command: [PYTHON, "-S", "judge.py"], model_flag: "--model" });
  return suiteProject(`judge: { agent: stand-in, ${judge} }\ncases:\n${cases}`, {
    "judge.py": JUDGE,
    ".eval-banana/config.toml": agent,
    ...files,
  });
}

function asked(p: Project): number {
  return [...Array(100).keys()].filter((n) => p.has(`asked/${n}`)).length;
}

const GOOD =
  '  - { id: good, task: say the good answer, expect_keywords: [good], checks: { rubric: "Is it good?" } }\n';
// biome-ignore lint/suspicious/noTemplateCurlyInString: nothing is to be put in its place
const BAD = '  - { id: bad, task: say nonsense, checks: { rubric: ["Is it good?", "Is it {{x}} ${HOME}?"] } }\n';
const STRICT = { EVAL_BANANA_HARNESS_STRICT_VERDICT: "true" };
const WRONG =
  '  - { id: wrong, task: now say the good answer, expect_keywords: [missing], checks: { rubric: "Is it good?" } }\n';

describe("a rubric in a suite", () => {
  it("is asked again when the judge is a program of the project that has changed, or what it imports has", async () => {
    const p = judged(GOOD, "when: always", { "judge.py": `import judge_help\n${JUDGE}`, "judge_help.py": "x = 1\n" });
    await runSuite(p);
    await runSuite(p);
    expect(asked(p)).toBe(1);
    p.write({ "judge.py": `${p.read("judge.py")}# changed\n` });
    await runSuite(p);
    expect(asked(p)).toBe(2);
    p.write({ "judge_help.py": "x = 2\n" });
    await runSuite(p);
    expect(asked(p)).toBe(3);
    await runSuite(p, ["--resume", "latest"]);
    expect(asked(p)).toBe(3);
  });

  it("is judged by the agent, which is given task, answer and questions as they are", async () => {
    const p = judged(GOOD + BAD);
    await runSuite(p, ["--max-parallel", "1"]);
    expect(caseOf(p, "good")).toMatchObject({ passed: true, judge: { asked: 1 } });
    expect(caseOf(p, "bad")).toMatchObject({ passed: false });
    expect(caseOf(p, "bad").failure_reasons.join()).toContain("because");
    expect(p.read("asked/0")).toContain("say the good answer");
    // biome-ignore lint/suspicious/noTemplateCurlyInString: as above
    expect(p.read("asked/1")).toContain("Is it {{x}} ${HOME}?");
  });

  it.each([
    ["always", ["good", "wrong"]],
    ["deterministic-pass", ["good"]],
    ["deterministic-fail", ["wrong"]],
    ["never", []],
  ])("with when: %s is asked of %j", async (when, expected) => {
    const p = judged(GOOD + WRONG, `when: ${when}`);
    await runSuite(p);
    const seen = suiteReport(p).cases.filter(({ judge }) => judge !== null);
    expect(seen.map(({ case_id }) => case_id)).toEqual(expected);
    expect(asked(p)).toBe(expected.length);
    expect(caseOf(p, "wrong").passed).toBe(false);
  });

  it.each([
    ["once for the same answer of several runs that are judged at the same time", [], 1],
    ["each time with --no-cache", ["--no-cache"], 4],
  ])("is asked %s", async (_, options, expected) => {
    const p = judged(GOOD);
    await runSuite(p, ["--runs", "4", "--max-parallel", "4", ...options]);
    expect(asked(p)).toBe(expected);
    expect(caseOf(p, "good").passed).toBe(true);
  });

  it("that is all there is can't be left out: without it the case has no verdict", async () => {
    const p = judged(BAD, "when: never");
    expect((await runSuite(p, ["--ci", "--min-pass-rate", "0"])).code).toBe(1);
    expect(caseOf(p, "bad")).toMatchObject({ status: "error", judge: null });
    expect(caseOf(p, "bad").error_detail).toContain("judge.when is never");
  });

  it("can be overridden on the command line", async () => {
    const p = judged(GOOD + WRONG, "when: always");
    await runSuite(p, ["--judge", "never"]);
    expect(asked(p)).toBe(0);
    const { code, stderr } = await runSuite(p, ["--judge", "sometimes"]);
    expect(code).toBe(2);
    expect(stderr).toContain("deterministic-pass");
  });

  it("takes the majority of several votes and tells the split", async () => {
    const p = judged(GOOD, "when: always, votes: 3", { votes: "101" });
    await runSuite(p);
    expect(caseOf(p, "good").passed).toBe(true);
    const rubric = caseOf(p, "good").trials[0]?.scores.find(({ type }) => type === "rubric");
    expect(rubric?.details).toMatchObject({ votes: { passed: 2, failed: 1, error: 0 } });
  });

  it("is judged once as long as question, answer and judge are the same", async () => {
    const p = judged(GOOD);
    await runSuite(p);
    await runSuite(p);
    expect(asked(p)).toBe(1);
    await runSuite(p, ["--no-cache"]);
    expect(asked(p)).toBe(2);
    const suite = p.read(".eval-banana/evals/suite.yaml");
    p.write({ ".eval-banana/evals/suite.yaml": suite.replace("when: always", "when: always, model: other") });
    await runSuite(p);
    expect(asked(p)).toBe(3);
    p.write({ ".eval-banana/evals/suite.yaml": suite.replace("Is it good?", "Is it very good?") });
    await runSuite(p);
    expect(asked(p)).toBe(4);
  });

  it("is judged anew with --no-cache, and that verdict is kept", async () => {
    const p = judged(GOOD);
    expect((await runSuite(p, ["--ci"])).code).toBe(0);
    p.write({ votes: "100" });
    expect((await runSuite(p, ["--ci", "--no-cache"])).code).toBe(1);
    expect((await runSuite(p, ["--ci"])).code).toBe(1);
    expect(asked(p)).toBe(2);
  });

  it("is asked again when the judge is a module of the project that has changed", async () => {
    const p = judged(GOOD, "when: always", {
      "judges/main.py": JUDGE,
      ".eval-banana/config.toml": agentTable("stand-in", { command: [PYTHON, "-m", "judges.main"] }),
    });
    await runSuite(p);
    await runSuite(p);
    expect(asked(p)).toBe(1);
    p.write({ "judges/main.py": `${JUDGE}# changed\n` });
    await runSuite(p, ["--resume", "latest"]);
    expect(asked(p)).toBe(2);
  });

  it("is asked again when a variable that it is handed stands for something else, unless it is a credential", async () => {
    const fields = { command: [PYTHON, "-S", "judge.py"] };
    const table = agentTable("stand-in", { ...fields, provider_env: { BASE: "{env:BASE}", MY_API_KEY: "{env:MINE}" } });
    const p = judged(GOOD, "when: always", { ".eval-banana/config.toml": table });
    const count = async (env: NodeJS.ProcessEnv, ...args: string[]) => {
      await runSuite(p, args, { BASE: "one", MINE: "value-of-mine", ...env });
      return asked(p);
    };
    expect(await count({})).toBe(1);
    expect(await count({ MINE: "other-of-mine" })).toBe(1);
    expect(await count({ MINE: "other-of-mine" }, "--resume", "latest")).toBe(1);
    expect(await count({ BASE: "two" })).toBe(2);
    expect(await count({ BASE: "three" }, "--resume", "latest")).toBe(3);
  });

  it("is asked again when verdicts are read in another way", async () => {
    const p = judged(GOOD);
    await runSuite(p);
    await runSuite(p, [], STRICT);
    expect(asked(p)).toBe(2);
    await runSuite(p, ["--resume", "latest"]);
    expect(asked(p)).toBe(2);
    await runSuite(p, ["--resume", "latest"], STRICT);
    expect(asked(p)).toBe(2);
  });

  it("is asked again when files of the project changed that it can read, where it has no workspace", async () => {
    const agent = agentTable("stand-in", { command: ["judge-elsewhere"] });
    const p = judged(GOOD, "when: always", {
      ".eval-banana/config.toml": agent,
      ".eval-banana/targets/default.yaml":
        "type: command\ncommand: [echo, the good answer]\ncache: { files: [rules.md] }\n",
      "rules.md": "1",
      "other.md": "1",
      ".gitignore": "asked/\nbin/\n.eval-banana/\n",
    });
    p.writeProgram("bin/judge-elsewhere", `#!/bin/sh\nexec ${PYTHON} -S - "$@" <<'EOF'\n${JUDGE}\nEOF\n`);
    const PATH = `${p.path("bin")}:${process.env["PATH"]}`;
    const count = async (...args: string[]) => {
      await runSuite(p, args, { PATH });
      return asked(p);
    };
    git(p.root, "init", "-q");
    git(p.root, "add", ".");
    expect(await count()).toBe(1);
    expect(await count()).toBe(1);
    p.write({ "other.md": "2" });
    expect(await count()).toBe(2);
    p.write({ "other.md": "3" });
    expect(await count("--resume", "latest")).toBe(3);
    expect(caseOf(p, "good").cached).toBe(1);
    p.writeProgram("bin/git", "#!/bin/sh\nexit 1\n");
    expect(await count()).toBe(4);
    expect(await count()).toBe(5);
  });

  it("that can't be judged is an error, which is never kept and never passes", async () => {
    const p = judged(GOOD, "when: always", { votes: "!" });
    expect((await runSuite(p, ["--ci", "--min-pass-rate", "0"])).code).toBe(1);
    expect(caseOf(p, "good")).toMatchObject({ status: "error", passed: false });
    expect((await runSuite(p, ["--ci"])).code).toBe(0);
    expect(asked(p)).toBe(2);
  });

  it.each([
    ["an agent", "type: agent\nagent: stand-in\nmodel: m\n"],
    ["a model", "type: model\nmodel: m\nurl: http://127.0.0.1:9/v1\n"],
    ["one of a team", "type: team\nagents: [{ name: a, command: ['true'] }, { name: b, agent: stand-in, model: m }]\n"],
  ])("warns when the judge is the model that it judges: %s", async (_, target) => {
    const p = judged(GOOD, "when: always, model: m", { "same.yaml": target });
    const { stderr } = await runSuite(p, ["-c", "same.yaml", "--timeout", "1"]);
    expect(stderr).toContain("warning: the judge is the model that it judges: stand-in, m\n");
    const other = await runSuite(p, ["--no-cache"]);
    expect(other.stderr).not.toContain("warning");
  });

  it("is judged by the agent, model and effort of the flag, else of the suite, else of the configuration", async () => {
    const fields = {
      command: [PYTHON, "-S", "judge.py"],
      model_flag: "--model",
      reasoning_effort_flag: ["--effort", "{effort}"],
    };
    const settings = '[harness]\nagent = "third"\nmodel = "m3"\nreasoning_effort = "low"\n';
    const config = settings + ["stand-in", "second", "third"].map((name) => agentTable(name, fields)).join("\n");
    const judge = async (suite: string, args: string[] = [], env: NodeJS.ProcessEnv = {}) => {
      const p = judged(GOOD, `when: always${suite}`, { ".eval-banana/config.toml": config });
      if (suite === "") {
        const path = ".eval-banana/evals/suite.yaml";
        p.write({ [path]: p.read(path).replace("agent: stand-in, ", "") });
      }
      expect((await runSuite(p, ["--ci", ...args], env)).code).toBe(0);
      const { agent_type, model, reasoning_effort } = caseOf(p, "good").trials[0]?.scores.at(-1)?.details ?? {};
      return [agent_type, model, reasoning_effort].join(" ");
    };
    const flags = "--harness-agent second --harness-model m2 --harness-reasoning-effort high".split(" ");
    const env = { EVAL_BANANA_HARNESS_AGENT: "second", EVAL_BANANA_HARNESS_MODEL: "m4" };
    expect(await judge("")).toBe("third m3 low");
    expect(await judge("", [], env)).toBe("second m4 low");
    expect(await judge(", model: m1, reasoning_effort: medium", [], env)).toBe("stand-in m1 medium");
    expect(await judge(", model: m1, reasoning_effort: medium", flags)).toBe("second m2 high");
  });

  it("is judged with the reasoning effort of the suite", async () => {
    const p = judged(GOOD, "when: always, reasoning_effort: high");
    const { stdout } = await runSuite(p, ["--ci"]);
    expect(stdout).toContain("reasoning effort");
    expect(caseOf(p, "good").status).toBe("error");
  });

  it("waits and asks again where the model's service of the judge refuses", async () => {
    const p = judged(GOOD, "when: always", { votes: "r1" });
    const { code } = await runSuite(p, ["--ci"]);
    expect(code).toBe(0);
    expect(asked(p)).toBe(2);
  });

  it("needs no agent where none is asked", async () => {
    const p = judged(GOOD, "when: always", { ".eval-banana/config.toml": "" });
    expect((await runSuite(p, ["--ci", "--judge", "never"])).code).toBe(0);
  });
});
