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
      const said = stdout.split("\n")[1] ?? "";
      expect(await runSuite(p, args)).toMatchObject({ code: 2, stderr: expect.stringContaining(`${said}\n`) });
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

  it("looks at JSON Schemas: a keyword that is none would be met by every answer", async () => {
    const p = project({
      ...TARGET,
      "a.yaml": `config: t.yaml
cases:
  - { id: a, task: t, checks: { valid_json: { requires: [a], propertys: { a: { typ: string } } } } }
  - { id: b, task: t, checks: { valid_json: { properties: { a: { type: strng }, requires: {} } } } }
  - { id: c, task: t, checks: { valid_json: { x-note: n, $comment: c, $ref: "#/$defs/none" } } }
  - { id: d, task: t, checks: { valid_json: { const: { anything: 1 }, frobnicate: 1 } } }
  - { id: e, task: t, checks: { valid_json: { minLength: -1, $schema: "http://json-schema.org/draft-07/schema#" } } }
`,
    });
    const { code, stdout } = await p.eb(["suite", "validate", "a.yaml"]);
    expect(code).toBe(1);
    expect(stdout).toBe(`not valid:
  a.yaml:3:47: a: checks.valid_json.requires: is no keyword of JSON Schema (did you mean 'required'?)
  a.yaml:3:62: a: checks.valid_json.propertys: is no keyword of JSON Schema (did you mean 'properties'?)
  a.yaml:4:72: b: checks.valid_json.properties.a.type: the JSON Schema is not valid: expected one of array, boolean, integer, null, number, object, string, found "strng" (did you mean 'string'?)
  a.yaml:5:45: c: checks.valid_json: the JSON Schema can't be used: can't resolve reference #/$defs/none from id #
  a.yaml:6:71: d: checks.valid_json.frobnicate: is no keyword of JSON Schema; a note of your own is called x-…
  a.yaml:7:58: e: checks.valid_json.minLength: the JSON Schema is not valid: must be >= 0, found -1 (a number)
  6 problems in 1 file
`);
    // Nor does a run begin.
    expect((await p.eb(["suite", "run", "a.yaml"])).code).toBe(2);
  });

  it("asks for a workspace where files are looked at, and for their names", async () => {
    const files = "checks: { files: { must_change: [src/*.js], contains: { a?.txt: x } } }";
    const p = project({
      ...TARGET,
      "w.yaml": "type: command\ncommand: [cat]\nworkspace: {}\n",
      "a.yaml": `config: t.yaml\ncases:\n  - { id: a, task: t, ${files} }\n`,
      "b.yaml": `config: w.yaml\ncases: [{ id: a, task: t, checks: { files: { must_exist: a } } }]`,
    });
    const { stdout } = await p.eb(["suite", "validate", "a.yaml"]);
    const pattern = "is a pattern: expected the name of a file, or of a directory for all that is in it";
    expect(stdout).toBe(`not valid:
  a.yaml:3: a: checks.files: there is no workspace, so that no files can be looked at: give one to the suite, target or case
  a.yaml:3:56: a: checks.files.must_change[0]: ${pattern}
  a.yaml:3:79: a: checks.files.contains.a?.txt: ${pattern}
  3 problems in 1 file
`);
    expect((await p.eb(["suite", "validate", "b.yaml"])).code).toBe(0);
  });

  it("looks at what is right beside what is wrong", async () => {
    const p = project({
      "t.yaml": "type: command\ncommand: 1\n",
      "a.yaml": `config: t.yaml
runs: 0
judge: { agent: cluade, votes: 2 }
cases:
  - { id: a, task: t, expect_regex: "[z-a]", max_turns: -1, checks: { script_path: gone.py, max_word: 3 } }
  - { id: b, task_file: gone.md, nonsense: 1, checks: { rubric: Is it? } }
  - { id: c, task: t, config: own.yaml, checks: { rubric: Is it? } }
`,
      "broken.yaml": "cases: [",
    });
    const { stdout } = await p.eb(["suite", "validate", "a.yaml"]);
    for (const words of [
      "a.yaml:2:7: runs: expected",
      "a.yaml:3:32: judge.votes: must be odd",
      "a.yaml: judge.agent: unknown agent 'cluade'",
      "a: expect_regex: not a valid regular expression",
      "a: max_turns: expected",
      "a: checks.script_path: the script cannot be read",
      "a: checks.max_word: unknown field (did you mean 'max_words'?)",
      "b: task_file: cannot be read",
      "b: nonsense: unknown field",
      "c: config: the target 'own.yaml' does not exist",
      "t.yaml:2:10: command: expected",
    ])
      expect(stdout).toContain(words);
    expect(stdout).not.toContain("asserts nothing");
    expect(stdout).toMatch(/problems in 2 files\n {2}more is looked at when these are mended\n$/);
    const { stdout: broken } = await p.eb(["suite", "validate", "broken.yaml"]);
    expect(broken).toContain("more is looked at when these are mended");
  });

  it("warns of a program of the project that is not in the workspace, and a run says what to write", async () => {
    const p = project({
      "bot.yaml": "type: command\ncommand: [node, app/bot.cjs]\nworkspace: {}\n",
      "right.yaml": 'type: command\ncommand: [node, "{project_root}/app/bot.cjs"]\nworkspace: {}\n',
      "copied.yaml": "type: command\ncommand: [node, app/bot.cjs]\nworkspace: { template: copy }\n",
      "app/bot.cjs": "console.log('k')",
      "copy/app/bot.cjs": "console.log('k')",
      "s.yaml": `cases: [${CASE}]`,
    });
    const { code, stderr } = await p.eb(["suite", "validate", "s.yaml", "-c", "bot.yaml"]);
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr:
        "warning: bot.yaml: command: 'app/bot.cjs' is a file of the project and not in the workspace, where it is run: write {project_root}/app/bot.cjs\n",
    });
    await p.eb(["suite", "run", "s.yaml", "-c", "bot.yaml"]);
    expect(JSON.stringify(caseOf(p, "a"))).toContain(
      "; app/bot.cjs is not in the workspace: write {project_root}/app/bot.cjs",
    );
    for (const target of ["right.yaml", "copied.yaml"]) {
      expect(await p.eb(["suite", "validate", "s.yaml", "-c", target])).toMatchObject({ code: 0, stderr: "" });
      expect((await p.eb(["suite", "run", "s.yaml", "-c", target, "--ci"])).code).toBe(0);
    }
  });

  it("says how the command of a target is written", async () => {
    const p = project({
      "t.yaml": 'type: command\ncommand: python3 app/bot.py --name "a b" {task}\n',
      "a.yaml": `config: t.yaml\ncases: [${CASE}]`,
    });
    const { stdout } = await p.eb(["suite", "validate", "a.yaml"]);
    expect(stdout).toContain(
      't.yaml:2:10: command: expected a list of strings: the program and its arguments, as [python3, app/bot.py, --name, "a b", "{task}"], found',
    );
  });

  it("names the suite in which it looked for a case", async () => {
    const p = project({ ...TARGET, "a.yaml": `config: t.yaml\ncases: [${CASE}]` });
    const { code, stderr } = await p.eb(["suite", "run", "a.yaml", "--case", "nothing"]);
    expect(code).toBe(2);
    expect(stderr).toContain("hint: eb suite list a.yaml prints the cases there are\n");
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
