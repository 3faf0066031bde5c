import { describe, expect, it } from "vitest";
import { loadSuite } from "../../../../src/suites/load/load-suite.js";
import { caseOf, loaded, problemsOf, suiteOf } from "../../../helpers/loaded-suite.js";
import { project, temporaryDirectory } from "../../../helpers/project.js";

const ONE = "cases: [{id: a, task: x, expect_keywords: [y]}]";

describe("a suite", () => {
  it("has its defaults", () => {
    expect(suiteOf(ONE)).toEqual({
      name: "suite",
      path: expect.stringMatching(/\/suite\.yaml$/),
      isInFile: true,
      config: undefined,
      runs: 1,
      timeoutSeconds: 600,
      gates: {},
      judge: { when: "deterministic-pass", votes: 1 },
      digest: expect.stringMatching(/^sha256:[0-9a-f]{64}$/),
      cases: [
        {
          id: "a",
          input: "x",
          tags: [],
          mustSucceed: true,
          assertions: [{ type: "contains", text: "y" }],
          source: { file: expect.stringMatching(/suite\.yaml$/), line: 1 },
          digest: expect.stringMatching(/^sha256:[0-9a-f]{64}$/),
        },
      ],
    });
  });

  it("says what it says", () => {
    const suite = suiteOf(`
name: Mine
config: targets/team.yaml
runs: 3
timeout_seconds: 0
gates: { min_pass_rate: 0.9, max_drop: 0.03, max_cost_increase: 0.5, max_latency_increase: 1.0 }
judge: { agent: claude, model: m, reasoning_effort: high, when: always, votes: 3 }
${ONE}`);
    expect(suite).toMatchObject({
      name: "Mine",
      config: "targets/team.yaml",
      runs: 3,
      timeoutSeconds: 0,
      gates: { min_pass_rate: 0.9, max_drop: 0.03, max_cost_increase: 0.5, max_latency_increase: 1 },
      judge: { agent: "claude", model: "m", reasoning_effort: "high", when: "always", votes: 3 },
    });
  });

  it("that is a list is named after its file", () => {
    const suite = suiteOf("- id: a\n  input: x\n  checks: { must_contain: [y] }\n", {}, "evals/answers.yml");
    expect(suite).toMatchObject({ name: "answers", cases: [{ id: "a", source: { line: 1 } }] });
  });

  it("takes the target of -c in place of its own, which is no other suite", () => {
    const p = project({ "s.yaml": `config: own.yaml\n${ONE}` });
    const own = loadSuite(p.path("s.yaml"), { projectRoot: p.root });
    const other = loadSuite(p.path("s.yaml"), { projectRoot: p.root, config: "/other.yaml" });
    expect([own.suite?.config, other.suite?.config]).toEqual(["own.yaml", "/other.yaml"]);
    expect(other.suite?.digest).toBe(own.suite?.digest);
  });

  it.each<[string, string[]]>([
    ["", ["suite.yaml:1:1 expected a suite (a mapping with cases, or a list of cases), found nothing"]],
    ["hello", ['suite.yaml:1:1 expected a suite (a mapping with cases, or a list of cases), found "hello"']],
    ["[]", ["suite.yaml:1:1 has no cases"]],
    ["cases: []", ["suite.yaml:1:8 has no cases"]],
    ["name: x", ["suite.yaml:1:1 cases: is required: a list of cases, or cases_file"]],
    ["cases: {id: a}", ["suite.yaml:1:8 cases: expected a list of cases, found a mapping"]],
    ["- 3", ["suite.yaml:1:3 expected a case (a mapping with id, task and what is expected), found 3 (a number)"]],
    [`case: []\n${ONE}`, ["suite.yaml:1:1 case: unknown field (did you mean 'cases'?)"]],
    [`gates: {min_pass: 1}\n${ONE}`, ["suite.yaml:1:9 gates.min_pass: unknown field (did you mean 'min_pass_rate'?)"]],
    [
      `name: 1.10\nruns: true\ntimeout_seconds: soon\n${ONE}`,
      [
        "suite.yaml:1:7 name: expected a string, found 1.1 (a number)",
        "suite.yaml:2:7 runs: expected a whole number from 1 to 10000, found true (a boolean)",
        'suite.yaml:3:18 timeout_seconds: expected a number of at least 0, found "soon"',
      ],
    ],
    [`judge: {votes: 2}\n${ONE}`, ["suite.yaml:1:16 judge.votes: must be odd, so that there is always a majority"]],
    [
      "a: [",
      [
        "suite.yaml:1:5 not valid YAML: Flow sequence in block collection must be sufficiently indented and end with a ]",
      ],
    ],
  ])("%j is told what is wrong", (text, problems) => {
    expect(problemsOf(text)).toEqual(problems);
  });

  it("is told all that is wrong at once, in the order of the file", () => {
    const text = `nme: x
cases:
  - id: a
    task: x
    must_contain: [y]
    checks:
      expect_regex: y
      must_contian: [y]
      trajectory: { must_call: [{ nme: a }, 3] }
  - id: 7
    tags: [1.10, no, on]
    input: .nan
  - id: a
    task: 0
  - {}
`;
    expect(problemsOf(text)).toEqual([
      "suite.yaml:1:1 nme: unknown field (did you mean 'name'?)",
      "suite.yaml:5:5 a: must_contain: belongs into checks: write it as checks.must_contain",
      "suite.yaml:7:7 a: checks.expect_regex: belongs to the case itself, beside checks",
      "suite.yaml:8:7 a: checks.must_contian: unknown field (did you mean 'must_contain'?)",
      "suite.yaml:9:33 a: checks.trajectory.must_call[0].name: is required: a name",
      "suite.yaml:9:35 a: checks.trajectory.must_call[0].nme: unknown field (did you mean 'name'?)",
      "suite.yaml:9:45 a: checks.trajectory.must_call[1]: expected a name, or a mapping with one, found 3 (a number)",
      "suite.yaml:10:9 id: expected a string, found 7 (a number)",
      "suite.yaml:11:12 tags[0]: expected a string, found 1.1 (a number)",
      "suite.yaml:12:12 input: must be a JSON value, without NaN, infinity, or an alias of what it is in",
      "suite.yaml:13:9 id: 'a' is the id of another case too: line 3",
      "suite.yaml:14:11 a: task: expected a string, found 0 (a number)",
      "suite.yaml:15:5 id: is required: a string",
      "suite.yaml:15:5 one of task, input and task_file is required",
    ]);
  });

  it("tells of a hundred problems, and how many more there are", () => {
    const problems = problemsOf("- {}\n".repeat(200));
    expect(problems).toHaveLength(101);
    expect(problems[100]).toMatch(/; and 299 more problems$/);
  });

  it("can be JSON, with the places of what is wrong", () => {
    const text =
      '\ufeff{\r\n  "$schema": "suite.json",\r\n  "cases": [\r\n    {"id": "a", "input": 0, "checks": {"equals": 0}}\r\n  ]\r\n}';
    expect(problemsOf(text, {}, "s.json")).toEqual([
      "s.json:4:50 a: checks.equals: expected a string, found 0 (a number)",
    ]);
    expect(problemsOf('{"cases": [],}', {}, "s.json")).toEqual([expect.stringMatching(/^s\.json:1:14 not valid JSON/)]);
    expect(problemsOf(Buffer.from([0xff, 0x22]), {}, "s.json")).toEqual(["s.json is not valid UTF-8"]);
  });

  it("can be JSON of any size; YAML has a limit, and then a hint", () => {
    const cases = Array.from({ length: 20_000 }, (_, n) => ({ id: `c${n}`, input: n, checks: { equals: "x" } }));
    const text = JSON.stringify(cases, null, 1);
    const { suite } = loaded(text, {}, "s.json");
    expect(suite?.cases.at(-1)).toMatchObject({ id: "c19999", input: 19999, source: { line: 2 + 7 * 19_999 } });
    expect(loaded(text).problems).toEqual([
      expect.objectContaining({
        message: expect.stringMatching(/^is too large/),
        hint: expect.stringContaining("cases_file"),
      }),
    ]);
  });

  it("that cannot be read has one problem", () => {
    const root = temporaryDirectory();
    const { suite, problems } = loadSuite(`${root}/gone.yaml`, { projectRoot: root });
    expect(suite).toBeUndefined();
    expect(problems).toEqual([
      { file: `${root}/gone.yaml`, message: expect.stringMatching(/^cannot be read: no such file/) },
    ]);
  });

  it("warns where the judge of its rubrics is never asked", () => {
    const { warnings } = loaded("judge: {when: never}\ncases: [{id: a, task: x, checks: {rubric: Is it?}}]");
    expect(warnings).toEqual(["1 case with a rubric, and judge.when is never: nobody is asked"]);
  });
});

describe("a case", () => {
  it("means the same in both vocabularies, but for the case of regular expressions", () => {
    const { assertions } = caseOf(`
task: x
input: x
expect_keywords: [a, b]
expect_regex: ["c", "(?s)d"]
forbidden_keywords: [e]
checks:
  must_contain: [a, f]
  must_match: c
  must_not_contain: [g]
max_turns: 4`);
    expect(assertions).toEqual([
      { type: "contains", text: "a" },
      { type: "contains", text: "b" },
      { type: "matches", source: "c", flags: "i", written: "c" },
      { type: "matches", source: "d", flags: "is", written: "(?s)d" },
      { type: "not_contains", text: "e" },
      { type: "contains", text: "a" },
      { type: "contains", text: "f" },
      { type: "matches", source: "c", flags: "", written: "c" },
      { type: "not_contains", text: "g" },
      { type: "max_turns", limit: 4 },
    ]);
  });

  it("asserts all else, in the order in which it stands there", () => {
    const { assertions } = caseOf(
      `
input: { deep: [1, null, false] }
must_succeed: false
max_turns: 0
tags: [t]
runs: 2
timeout_seconds: 1.5
config: c.yaml
checks:
  max_tokens: 5
  valid_json: { type: object }
  strip_fences: true
  equals: |
    0
  starts_with: "  a"
  ends_with: "b "
  min_words: 1
  max_words: 2
  max_chars: 3
  script: |
    print("{{x}}")
  script_path: s.py
  trajectory:
    must_call: [a, { name: b, arguments: { x: 1 }, times: 2 }]
    must_not_call: [c]
    order: [a, b]
    exact: []
    max_calls: 3
    no_errors: true
  retrieval: { expect_ids: [d1], k: 3, min_recall: 1, min_precision: 0.5, min_mrr: 0.1, min_ndcg: 0 }
  files:
    must_exist: [a.txt]
    must_not_exist: [b]
    must_change: [c/d]
    must_not_change: [e]
    contains: { a.txt: "\\t" }
  max_cost_usd: 0.5
  max_duration_ms: 100`,
      { "s.py": "pass" },
    );
    expect(assertions).toEqual([
      { type: "max_tokens", limit: 5 },
      { type: "valid_json", schema: { type: "object" }, stripFences: true },
      { type: "equals", text: "0" },
      { type: "starts_with", text: "a" },
      { type: "ends_with", text: "b" },
      { type: "min_words", limit: 1 },
      { type: "max_words", limit: 2 },
      { type: "max_chars", limit: 3 },
      { type: "script", script: 'print("{{x}}")\n' },
      { type: "script_path", path: expect.stringMatching(/^\/.*\/s\.py$/) },
      {
        type: "trajectory",
        mustCall: [{ name: "a" }, { name: "b", arguments: { x: 1 }, times: 2 }],
        mustNotCall: ["c"],
        order: ["a", "b"],
        exact: [],
        maxCalls: 3,
        noErrors: true,
      },
      { type: "retrieval", expectIds: ["d1"], k: 3, minRecall: 1, minPrecision: 0.5, minMrr: 0.1, minNdcg: 0 },
      {
        type: "files",
        mustExist: ["a.txt"],
        mustNotExist: ["b"],
        mustChange: ["c/d"],
        mustNotChange: ["e"],
        contains: { "a.txt": "\t" },
      },
      { type: "max_cost_usd", limit: 0.5 },
      { type: "max_duration_ms", limit: 100 },
    ]);
  });

  it("keeps a rubric byte for byte, a question on each line that is not blank", () => {
    const odd = `Is {{x}} {% y %} \${HOME} \\n "q"\tfine?  `;
    const quotedLines = JSON.stringify(`${odd}\n\n \t\n---\n  - also?`);
    expect(caseOf(`task: x\nchecks: { rubric: ${quotedLines} }`).assertions).toEqual([
      { type: "rubric", questions: [odd, "---", "  - also?"] },
    ]);
    expect(caseOf(`task: x\nchecks: { tone: warm, rubric: ["a\\nb"] }`).assertions).toEqual([
      { type: "rubric", questions: ["a\nb", "Is the tone of the answer warm?"] },
    ]);
    expect(caseOf("task: x\nchecks: { tone: warm }").assertions).toEqual([
      { type: "rubric", questions: ["Is the tone of the answer warm?"] },
    ]);
  });

  it.each<[string, unknown]>([
    ["0", 0],
    ["false", false],
    ["[]", []],
    ["{}", {}],
    ["'0'", "0"],
    ["no", "no"],
  ])("takes the input %s", (written, input) => {
    expect(caseOf(`input: ${written}\nchecks: { equals: "" }`)).toMatchObject({
      input,
      assertions: [{ type: "equals", text: "" }],
    });
  });

  const asserts = "expect_keywords: [k]";
  it.each<[string, string[]]>([
    ["", ["1:3 it: asserts nothing, so it could never fail: give it e.g. expect_keywords, expect_regex or checks"]],
    ["must_succeed: true", ["1:3 it: asserts nothing, so"]],
    ["max_turns: 0", ["1:3 it: asserts nothing, so"]],
    ["expect_keywords: []\nchecks: {}", ["1:3 it: asserts nothing, so"]],
    ["checks: { retrieval: { expect_ids: [a], k: 1 } }", []],
    [
      "checks: { trajectory: { no_errors: false, order: [] } }",
      ["3:25 it: checks.trajectory: asserts nothing of the calls"],
    ],
    ["checks: { files: {} }", ["3:20 it: checks.files: asserts nothing of the files"]],
    [
      "checks: { files: { must_not_change: [src, .git/config] } }",
      ["3:45 it: checks.files.must_not_change[1]: changes there are never recorded: it can never fail"],
    ],
    [
      `${asserts}\nchecks: { strip_fences: true }`,
      ["4:27 it: checks.strip_fences: says how 'valid_json' is checked, which is missing"],
    ],
    [
      "checks: { valid_json: false }",
      ["3:25 it: checks.valid_json: expected true, or a JSON Schema, found false (a boolean)"],
    ],
    ["checks: { min_words: 5, max_words: 4 }", ["3:24 it: checks.min_words: is more than max_words (4)"]],
    [
      "expect_keywords: [Apple pie]\nchecks: { must_not_contain: [x, apple] }",
      ['4:35 it: checks.must_not_contain[1]: forbids what the keyword "Apple pie" holds'],
    ],
    [
      "checks: { trajectory: { must_call: [a], must_not_call: [a] } }",
      ["3:58 it: checks.trajectory.must_not_call: forbids 'a', which is expected too"],
    ],
    [
      "expect_keywords: ['']",
      ["3:21 it: expect_keywords[0]: expected a string that is not empty, found a blank string"],
    ],
    ["expect_keywords: 7", ["3:20 it: expect_keywords: expected a string, or a list of strings, found 7"]],
    ["expect_regex: [a, 1]", ["3:21 it: expect_regex[1]: expected a regular expression, found 1 (a number)"]],
    [
      "checks: { files: { must_exist: [/etc/passwd, ../x, 'C:\\x'] } }",
      [
        "3:35 it: checks.files.must_exist[0]: must be a path in the workspace",
        "3:48 it: checks.files.must_exist[1]: must be a path in the workspace",
        "3:54 it: checks.files.must_exist[2]: must be a path in the workspace",
      ],
    ],
  ])("is told what is wrong with %j", (fields, problems) => {
    const found = problemsOf(`- id: it\n  task: x\n${fields.replaceAll(/^/gm, "  ")}\n`);
    expect(found).toEqual(problems.map((text) => expect.stringContaining(`suite.yaml:${text}`)));
  });

  it.each<[string, string]>([
    ["task: x\n  input: y", "3:10 it: input: differs from 'task', which means the same"],
    ["task: x\n  task_file: t", "3:14 it: task_file: stands beside 'task': the task is given by one of them"],
    ['task: " \\n"', "2:9 it: task: expected a task that is not blank, found nothing"],
    ['input: ""', "2:10 it: input: expected a task that is not blank, found nothing"],
    ["input:", "2:9 it: input: expected a task that is not blank, found nothing"],
    ["tags: [x]", "1:3 it: one of task, input and task_file is required"],
    ["task_file: gone.md", "2:14 it: task_file: cannot be read: no such file or directory (ENOENT): evals/gone.md"],
    ["task_file: blank.md", "2:14 it: task_file: is blank: it holds no task"],
    ["task_file: latin.md", "2:14 it: task_file: is not valid UTF-8"],
  ])("has one task, or is told: %j", (task, problem) => {
    const files = { "evals/blank.md": " \n", "latin.md": Buffer.from([0xe9]) };
    expect(problemsOf(`- id: it\n  ${task}\n  expect_keywords: [k]\n`, files, "evals/s.yaml")).toEqual([
      `evals/s.yaml:${problem}`,
    ]);
  });

  it("reads its task from a file beside the suite, or else in the root", () => {
    const suite = "[{id: a, task_file: t.md, expect_keywords: [k]}, {id: b, task_file: u.md, expect_keywords: [k]}]";
    const files = { "evals/t.md": "\ufeff\n near {{x}} \n\n", "t.md": "far", "u.md": "far\r\n" };
    expect(suiteOf(suite, files, "evals/s.yaml").cases.map(({ input }) => input)).toEqual(["near {{x}}", "far"]);
  });

  it("with a regular expression that is none, or a file that is missing, can be run, and fails", () => {
    const text = `
- id: it
  task: x
  expect_regex: [a, "("]
  checks: { script_path: gone.py }
  workspace: { template: gone, files: { a: { from: gone.txt } } }
`;
    const { suite, problems } = loaded(text);
    expect(suite?.cases[0]?.assertions).toEqual([
      { type: "matches", source: "a", flags: "i", written: "a" },
      {
        type: "matches",
        source: "(",
        flags: "i",
        written: "(",
        problem: expect.stringContaining("Unterminated group"),
      },
      { type: "script_path", path: expect.stringMatching(/gone\.py$/) },
    ]);
    expect(problems.map(({ line, column, field }) => `${line}:${column} ${field}`)).toEqual([
      "4:21 it: expect_regex[1]",
      "5:26 it: checks.script_path",
      "6:26 it: workspace.template",
      "6:52 it: workspace.files.a.from",
    ]);
  });

  it("is not taken in circles by an alias", () => {
    expect(problemsOf("- id: it\n  input: &a [*a, *a]\n  expect_keywords: [k]")).toEqual([
      expect.stringContaining("2:13 it: input: must be a JSON value"),
    ]);
  });
});

it("takes one string for a list of one", () => {
  const fields = (value: (text: string) => unknown) => ({
    id: "a",
    task: "t",
    expect_keywords: value("x"),
    expect_regex: value("y"),
    forbidden_keywords: value("z"),
    tags: value("t"),
    checks: {
      must_contain: value("1"),
      must_match: value("2"),
      must_not_contain: value("3"),
      trajectory: { must_call: value("f"), must_not_call: value("g"), order: value("f"), exact: value("f") },
      retrieval: { expect_ids: value("d") },
      files: {
        must_exist: value("p"),
        must_not_exist: value("q"),
        must_change: value("p"),
        must_not_change: value("r"),
      },
    },
  });
  const load = (value: (text: string) => unknown) => suiteOf(JSON.stringify([fields(value)]));
  const [one, list] = [load((text) => text), load((text) => [text])];
  expect(one.cases[0]?.assertions).toEqual(list.cases[0]?.assertions);
  expect(one.digest).toBe(list.digest);
});

it("names one string without an index", () => {
  expect(problemsOf("[{ id: a, task: t, expect_keywords: ab, forbidden_keywords: b }]")).toEqual([
    `suite.yaml:1:61 a: forbidden_keywords: forbids what the keyword "ab" holds: the case can never pass`,
  ]);
});
