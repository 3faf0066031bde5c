import { symlinkSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { findTarget } from "../../../../src/suites/targets/find-target.js";
import { loadTarget, type TargetSources } from "../../../../src/suites/targets/load-target.js";
import { type Project, project } from "../../../helpers/project.js";

function load(text: string, files: Record<string, string> = {}, sources: Partial<TargetSources> = {}) {
  const p = project({ "t/target.yaml": text, ...files });
  return loadTarget(p.path("t/target.yaml"), { projectRoot: p.root, ...sources });
}

/** `line:column field: message` of each problem. */
function problems(...args: Parameters<typeof load>): string[] {
  const loaded = load(...args);
  expect(loaded.target === undefined).toBe(loaded.problems.length > 0);
  for (const { file } of loaded.problems) expect(file).toMatch(/t\/target\.yaml$/);
  return loaded.problems.map(({ line, column, field, message }) => `${line}:${column} ${field ?? ""}: ${message}`);
}

describe("a target file", () => {
  it("of type command", () => {
    const { target, problems: none } = load("type: command\ncommand: [node, app.mjs, '{task}']\n");
    expect(none).toEqual([]);
    expect(target).toMatchObject({
      type: "command",
      name: "target",
      command: ["node", "app.mjs", "{task}"],
      input: "arg",
      output: "text",
      cwd: ".",
      env: {},
      digest: expect.stringMatching(/^sha256:[0-9a-f]{64}$/),
    });
    expect(target?.path).toMatch(/^\/.*\/t\/target\.yaml$/);
    expect(load("type: command\ncommand: [cat]").target).toMatchObject({ input: "stdin" });
  });

  it("in JSON, with a name and a workspace", () => {
    const { target } = load('{"type": "command", "command": ["cat"], "name": "Cat", "workspace": {"template": "x"}}');
    expect(target).toMatchObject({ name: "Cat", workspace: { from: { template: expect.stringMatching(/\/t\/x$/) } } });
  });

  it("of an agent: its template, and what is told to it", () => {
    const text = "type: agent\nagent: codex\nreasoning_effort: low\ninstructions: {file: rules.md}\nenv: {A: '1'}\n";
    expect(load(text, { "t/rules.md": "\nBe brief.\n" }).target).toMatchObject({
      type: "agent",
      agent: { name: "codex", env: { A: "1" } },
      model: "gpt-5.6-sol",
      effort: "low",
      instructions: "Be brief.",
    });
    const own = { agents: { mine: { command: ["mine"], model_flag: "-m" } } };
    expect(load("type: agent\nagent: mine\nmodel: m\n", {}, own).target).toMatchObject({ model: "m" });
  });

  it("of a team: a round may go on, a sequence has as many turns as agents", () => {
    const agents =
      "agents: [{name: a, command: [cat]}, {name: b, agent: claude, model: m}, {name: c, model: 'ollama:x'}]";
    expect(load(`type: team\n${agents}\nstop: {keyword: DONE, regex: /^ok/im, agents: [b]}\n`).target).toMatchObject({
      strategy: "sequential",
      maxTurns: 3,
      members: [{ type: "command" }, { type: "agent", model: "m" }, { type: "model", settings: { model: "x" } }],
      stop: { keyword: "DONE", regex: { source: "^ok", flags: "im" }, agents: ["b"] },
    });
    expect(load(`type: team\n${agents}\nstrategy: round_robin\n`).target).toMatchObject({ maxTurns: 10 });
  });

  it("of a service and of a model", () => {
    expect(load("type: http\nurl: http://127.0.0.1:1/x\n").target).toMatchObject({
      method: "POST",
      body: { input: "{input}" },
    });
    expect(load("type: http\nurl: '{env:BASE}/x'\nmethod: get\n").target).toMatchObject({ method: "GET" });
    const sources = { models: { fast: { url: "http://127.0.0.1:1/v1", model: "f" } } };
    expect(load("type: model\nmodel: fast\nparams: {seed: 1}\n", {}, sources).target).toMatchObject({
      settings: { model: "f", params: { seed: 1 } },
    });
  });
});

describe("what is wrong is told with its place, all at once", () => {
  it.each([
    ["", ["1:1 : is empty; a target has a type, and the fields of that"]],
    ["- a", ["1:1 : expected a mapping with the fields of a target, found a list"]],
    ["command: [a]", ["1:1 type: is required: one of command, http, module, agent, team, model, replay"]],
    [
      "type: comand",
      [
        "1:7 type: expected one of command, http, module, agent, team, model, replay, found \"comand\" (did you mean 'command'?)",
      ],
    ],
    [
      "type: command\ncomand: [a]\noutput: xml\nenv: {A: 1}\n",
      [
        "1:1 command: is required: a list of strings: the program and its arguments",
        "2:1 comand: unknown field (did you mean 'command'?)",
        "3:9 output: expected 'text' or 'json', found \"xml\"",
        "4:10 env.A: expected a string, found 1 (a number)",
      ],
    ],
    ["type: command\ncommand: ['']", ["2:11 command[0]: is the program to run: it can't be blank"]],
    [
      "type: command\ncommand: []",
      ["2:10 command: expected a list of at least one string: the program and its arguments, found a list"],
    ],
    [
      "type: http\nurl: ftp://x\noutput: choices\n",
      ['3:9 output: expected a JSON pointer, e.g. /choices/0/text, found "choices"'],
    ],
    ["type: http\nurl: ftp://x\n", ["2:6 url: expected an http or https URL, found 'ftp://x'"]],
    ["type: http\nurl: http://x\nmethod: GET\nbody: {}\n", ["4:7 body: a request with GET has no body"]],
    [
      "type: module\npath: nowhere.mjs\n",
      ["2:7 path: there is no such file: 'nowhere.mjs' (relative to this file, or to the project root)"],
    ],
    [
      "type: agent\nagent: gemini\nreasoning_effort: high\n",
      ["2:8 agent: cannot inject reasoning effort 'high': agent 'gemini' has no {effort} in its reasoning_effort_flag"],
    ],
    [
      "type: team\nagents:\n- {name: a, command: [x], model: m}\n- {name: a}\n- {name: c, model: 'ollama:x', reasoning_effort: low}\nstop: {agents: [zzz], regex: '('}\n",
      [
        "3:22 agents[0].command: exactly one of 'agent' (which may have a 'model'), 'command' and 'model' is required, found two",
        "4:3 agents[1]: exactly one of 'agent' (which may have a 'model'), 'command' and 'model' is required",
        "4:10 agents[1].name: 'a' is the name of agents[0] too",
        "5:50 agents[2].reasoning_effort: belongs to an 'agent'; for a model set it in its params",
        "6:17 stop.agents[0]: no agent of this team is called 'zzz'",
        "6:30 stop.regex: not a valid regular expression: Unterminated group",
      ],
    ],
    [
      "type: model\nmodel: m\nprice: {input: 1, ouput: 2}\n",
      [
        "3:8 price.output: is required: a number of at least 0",
        "3:19 price.ouput: unknown field (did you mean 'output'?)",
      ],
    ],
    [
      "type: [",
      ["1:8 : not valid YAML: Flow sequence in block collection must be sufficiently indented and end with a ]"],
    ],
  ])("%j", (text, expected) => {
    expect(problems(text)).toEqual(expected);
  });

  it("an agent that is not known, with those that are", () => {
    const [problem] = problems("type: agent\nagent: cluade\n");
    expect(problem).toMatch(
      /^2:8 agent: unknown agent 'cluade' \(did you mean 'claude'\?\): the known ones are claude, /,
    );
  });

  it("a model that is not known", () => {
    expect(problems("type: model\nmodel: gpt-5\n")[0]).toMatch(/^2:8 model: unknown model 'gpt-5': give a url/);
  });

  it("a file that can't be read", () => {
    const p = project();
    const { problems: all } = loadTarget(p.path("nowhere.yaml"), { projectRoot: p.root });
    expect(all[0]?.message).toMatch(/^cannot be read: no such file or directory \(ENOENT\)/);
    symlinkSync("/dev/zero", p.path("zero.yaml"));
    expect(loadTarget(p.path("zero.yaml"), { projectRoot: p.root }).problems[0]?.message).toContain(
      "not a regular file",
    );
  });
});

it("recordings with bad lines can be used; the first one is told", () => {
  const { target, warnings } = load("type: replay\npath: r.jsonl\n", {
    "t/r.jsonl": '{"case_id": "a", "output": 1}\n{\n[]\n',
  });
  expect(target).toBeDefined();
  expect(warnings).toMatchObject([{ line: 2, column: 7, field: "path" }]);
  expect(warnings[0]?.message).toMatch(/^line 2 of r\.jsonl is no JSON: .*; and 1 more such lines$/);
});

describe("the digest changes with", () => {
  const digestOf = (p: Project, sources: Partial<TargetSources> = {}) => {
    const { target, problems: all } = loadTarget(p.path("target.yaml"), { projectRoot: p.root, ...sources });
    expect(all).toEqual([]);
    return target?.digest;
  };
  const named: [string, string, string][] = [
    ["a module", "type: module\npath: app.mjs\n", "app.mjs"],
    ["instructions", "type: agent\nagent: claude\ninstructions: {file: sub/rules.md}\n", "sub/rules.md"],
    ["a program of the project", "type: command\ncommand: [node, ./bin/app.mjs, --fast]\n", "bin/app.mjs"],
    ["a program of a team", "type: team\nagents: [{name: a, command: [python3, app.py]}]\n", "app.py"],
    ["recordings", "type: replay\npath: r.jsonl\n", "r.jsonl"],
  ];

  it.each(named)("the content of %s", (_, text, file) => {
    const p = project({ "target.yaml": text, [file]: "{}" });
    const before = digestOf(p);
    expect(digestOf(p)).toBe(before);
    expect(digestOf(p.write({ [file]: "{ }" }))).not.toBe(before);
    expect(digestOf(p.write({ [file]: "{}" }))).toBe(before);
    expect(digestOf(p.write({ "target.yaml": `${text}# more\n` }))).not.toBe(before);
  });

  it("what the configuration says of its agent or model, and of no other", () => {
    const agent = project({ "target.yaml": "type: agent\nagent: claude\n" });
    const before = digestOf(agent);
    expect(digestOf(agent, { agents: { claude: { default_model: "m" } } })).not.toBe(before);
    expect(digestOf(agent, { agents: { codex: { default_model: "m" } } })).toBe(before);
    const model = project({ "target.yaml": "type: model\nmodel: fast\n" });
    const table = { url: "http://127.0.0.1:1/v1", model: "f" };
    expect(digestOf(model, { models: { fast: table } })).not.toBe(
      digestOf(model, { models: { fast: { ...table, model: "g" } } }),
    );
  });

  it("not with a file outside the project, nor with where the project lies", () => {
    const outside = project({ x: "1" });
    const text = `type: command\ncommand: [cat, ${outside.path("x")}]\n`;
    const p = project({ "target.yaml": text });
    const before = digestOf(p);
    outside.write({ x: "2" });
    expect(digestOf(p)).toBe(before);
    expect(digestOf(project({ "target.yaml": text }))).toBe(before);
  });
});

describe("findTarget", () => {
  const p = () => project({ "evals/a.yaml": "", "evals/t/x.yaml": "", "t/x.yaml": "", "t/y.yaml": "" });

  it("looks beside the file that names it, then in the project", () => {
    const q = p();
    const options = { directory: q.path("evals"), root: q.root };
    expect(findTarget("t/x.yaml", options)).toEqual({ path: q.path("evals/t/x.yaml") });
    expect(findTarget("t/y.yaml", options)).toEqual({ path: q.path("t/y.yaml") });
    expect(findTarget("t/x.yaml", { directory: q.root, root: q.root })).toEqual({ path: q.path("t/x.yaml") });
    expect(findTarget("no.yaml", options)).toEqual({
      problem: `the target 'no.yaml' does not exist: looked at ${q.path("evals/no.yaml")} and at ${q.path("no.yaml")} and at ${q.path(".eval-banana/no.yaml")}`,
    });
    expect(findTarget("t", options)).toHaveProperty("problem");
  });

  it("takes the default one where none is named", () => {
    const q = p();
    const options = { directory: q.path("evals"), root: q.root };
    expect(findTarget(undefined, options)).toEqual({ problem: expect.stringContaining("there is no target: ") });
    q.write({ ".eval-banana/targets/default.yaml": "" });
    expect(findTarget(undefined, options)).toEqual({ path: q.path(".eval-banana/targets/default.yaml") });
  });
});
