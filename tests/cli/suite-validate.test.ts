import { cpSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { project } from "../helpers/project.js";
import { failedCases } from "../helpers/starter.js";
import { caseOf, runSuite, suiteProject } from "../helpers/suite.js";

const CASE = "{ id: a, task: t, expect_keywords: [k] }";
const TARGET = { "t.yaml": "type: command\ncommand: [cat]\n" };

describe("eb suite validate", () => {
  it("tells a target from a suite", async () => {
    const p = suiteProject("[]", { "t.yaml": "type: command\ncommand: [x]\n" });
    const { code, stdout } = await p.eb(["suite", "validate", "t.yaml"]);
    expect(code).toBe(1);
    expect(stdout).toBe(
      "not valid:\n  t.yaml:1:1: is a target, and no suite: a suite has cases, and names its target with config; or name this one with -c\n",
    );
  });

  it("says of a target what a run says, wherever it is named", async () => {
    const p = suiteProject("config: t.yaml\ncases: [{ id: a, task: t, expect_keywords: x }]", {
      ".eval-banana/evals/t.yaml": "type: comand\n",
      "none/readme": "",
    });
    for (const args of [[], ["-c", "none"]]) {
      const { stdout } = await p.eb(["suite", "validate", ...args]);
      await runSuite(p, args);
      const said = stdout.split("\n")[1]?.trim();
      expect(caseOf(p, "a").error_detail).toBe(`the target can't be used: ${said}`);
    }
  });

  it("says how many cases are valid", async () => {
    const p = project({
      ...TARGET,
      "a.yaml": `config: t.yaml\ncases: [${CASE}]`,
      "b.yaml": `config: t.yaml\ncases: [${CASE}]`,
    });
    expect(await p.eb(["suite", "validate", "a.yaml"])).toEqual({ code: 0, stdout: "1 case valid\n", stderr: "" });
    expect(await p.eb(["suite", "validate", "a.yaml", "b.yaml", "./a.yaml"])).toEqual({
      code: 0,
      stdout: "2 cases in 2 suites valid\n",
      stderr: "",
    });
    const { stdout } = await p.eb(["suite", "validate", "a.yaml", "--json"]);
    expect(JSON.parse(stdout)).toEqual({ valid: true, suites: 1, cases: 1, errors: [] });
  });

  it("tells of a target what does not keep it from being called", async () => {
    const p = project({
      "t.yaml": "type: replay\npath: said.jsonl\n",
      "said.jsonl": '{"id": "a", "output": "k"}\n{"id": ',
      "a.yaml": `config: t.yaml\ncases: [${CASE}]`,
    });
    const { code, stderr } = await p.eb(["suite", "validate", "a.yaml"]);
    expect(code).toBe(0);
    expect(stderr).toContain("warning: t.yaml:2:7: path: line 2 of said.jsonl is no JSON");
  });

  it("says all that is wrong at once, with its place", async () => {
    const p = project({
      "a.yaml": `config: gone.yaml
cases_file: c.jsonl
cases:
  - { id: a, task: t, expect_regex: ["x", "[z-a]"] }
  - { id: b, task: t, config: own.yaml, checks: { script_path: gone.py } }
`,
      "c.jsonl": '\n{"id": "c", "task": "t", "expect_regex": "(?x"}\n',
      "b.yaml": "runs: 0\ncases: []",
    });
    const { code, stdout, stderr } = await p.eb(["suite", "validate", "a.yaml", "b.yaml"]);
    expect({ code, stderr }).toEqual({ code: 1, stderr: "" });
    expect(stdout.replaceAll(`${p.root}/`, "")).toBe(`not valid:
  a.yaml:1:9: config: the target 'gone.yaml' does not exist: looked at gone.yaml and at .eval-banana/gone.yaml
  a.yaml:4:43: a: expect_regex[1]: not a valid regular expression: Range out of order in character class
  a.yaml:5: b: config: the target 'own.yaml' does not exist: looked at own.yaml and at .eval-banana/own.yaml
  a.yaml:5:64: b: checks.script_path: the script cannot be read: no such file or directory (ENOENT): gone.py
  b.yaml:1:7: runs: expected a whole number from 1 to 10000, found 0 (a number)
  c.jsonl:2:42: c: expect_regex: not a valid regular expression: Invalid group
  6 problems in 3 files
`);
    const { stdout: json } = await p.eb(["suite", "validate", "a.yaml", "b.yaml", "--json"]);
    expect(JSON.parse(json)).toMatchObject({
      valid: false,
      suites: 2,
      cases: 3,
      errors: expect.arrayContaining([
        { file: p.path("c.jsonl"), line: 2, column: 42, field: "c: expect_regex", message: expect.any(String) },
      ]),
    });
  });

  it("looks for the target where a run does: -c, beside the suite, the root, the default", async () => {
    const p = project({
      "evals/none.yaml": `[${CASE}]`,
      "evals/beside.yaml": `config: t.yaml\ncases: [${CASE}]`,
      "evals/t.yaml": "type: command\ncommand: [cat]\n",
      "evals/root.yaml": `config: targets/t.yaml\ncases: [${CASE}]`,
      "targets/t.yaml": "type: command\ncommand: [cat]\n",
    });
    const validate = async (...args: string[]) => (await p.eb(["suite", "validate", ...args])).code;
    expect(await validate("evals/beside.yaml", "evals/root.yaml")).toBe(0);
    expect(await validate("evals/none.yaml")).toBe(1);
    expect(await validate("evals/none.yaml", "-c", "targets/t.yaml")).toBe(0);
    p.write({ ".eval-banana/targets/default.yaml": "type: command\ncommand: [cat]\n" });
    expect(await validate("evals/none.yaml")).toBe(0);
  });

  it("looks at the judge of rubrics", async () => {
    const rubric = "cases: [{ id: a, task: t, checks: { rubric: Is it? } }]";
    const p = project({
      ...TARGET,
      "s.yaml": `config: t.yaml\n${rubric}`,
      "j.yaml": `config: t.yaml\njudge: { agent: cluade }\n${rubric}`,
    });
    expect(await p.eb(["suite", "validate", "s.yaml"])).toEqual({
      code: 0,
      stdout: "1 case valid\n",
      stderr: "warning: 1 case with a rubric, and no agent is configured: a run needs judge.agent\n",
    });
    expect(await p.eb(["suite", "validate", "j.yaml"])).toMatchObject({
      code: 1,
      stdout: expect.stringContaining("j.yaml: judge.agent: unknown agent 'cluade' (did you mean 'claude'?)"),
    });
  });

  it("cannot look at a file that is not there", async () => {
    const p = project({ "a.yaml": `[${CASE}]` });
    expect(await p.eb(["suite", "validate", "a.yaml", "gone.yaml"])).toMatchObject({
      code: 2,
      stdout: "",
      stderr: expect.stringMatching(/^error: there is no suite: .*gone\.yaml\nhint: /),
    });
  });

  it("finds nothing wrong with examples/suite, whose target answers as the suite expects", async () => {
    const p = project();
    cpSync("examples/suite", p.root, { recursive: true, filter: (path) => !/results|cache/.test(path) });
    expect(await p.eb(["suite", "validate"])).toEqual({ code: 0, stdout: "6 cases valid\n", stderr: "" });
    expect(await failedCases(p, ".eval-banana/evals/suite.yaml")).toEqual([]);
  });
});
