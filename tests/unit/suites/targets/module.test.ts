import { describe, expect, it } from "vitest";
import { INTERRUPTED } from "../../../../src/report/schema.js";
import { loadTarget } from "../../../../src/suites/targets/load-target.js";
import { cannotLoad } from "../../../../src/suites/targets/module/typescript.js";
import { callTarget } from "../../../../src/suites/targets/types.js";
import { processMark, until } from "../../../helpers/processes.js";
import { project } from "../../../helpers/project.js";
import { type CallOptions, callOnce, targetCall, targetIn } from "../../../helpers/target-call.js";

const call = (source: string, options: CallOptions = {}, more: Record<string, unknown> = {}) =>
  callOnce({ type: "module", path: "app.mjs", ...more }, { ...options, files: { "app.mjs": source } });

describe("the function gets the input and where it is", () => {
  it("and what it returns is the output", async () => {
    const source =
      "export default async (input, ctx) => [JSON.stringify(input), ctx.case_id, ctx.run, ctx.cwd].join(' ')";
    const { session, p } = await call(source, { input: { a: 1 }, caseId: "c", run: 3 });
    expect(session).toMatchObject({ output: `{"a":1} c 3 ${p.root}`, error: null, turns: 1 });
    expect(session.messages).toHaveLength(2);
  });

  it("under another name, and from CommonJS of any make", async () => {
    expect((await call("export const ask = () => 'named'", {}, { export: "ask" })).session.output).toBe("named");
    const files = {
      "a.cjs": "module.exports = () => 'a'",
      "b.cjs": "exports.ask = () => 'b'",
      "c.cjs": "exports.__esModule = true; exports.default = () => 'c'",
      "d.cjs": "module.exports = { ['as' + 'k']: () => 'd' }",
    };
    const outputs = Object.keys(files).map(async (path) => {
      const target = { type: "module", path, ...(/[bd]/.test(path) && { export: "ask" }) };
      return (await callOnce(target, { files })).session.output;
    });
    expect(await Promise.all(outputs)).toEqual(["a", "b", "c", "d"]);
  });

  it("in the environment of the run", async () => {
    const source = "export default () => [process.env.A, process.env.EVAL_BANANA_RUN_ID]";
    expect((await call(source, { env: { A: "1" } })).session.output).toBe('["1","20260101_000000_00000000"]');
    expect(process.env["A"]).toBeUndefined();
  });
});

it.each([
  ["0", "0"],
  ["false", "false"],
  ["''", ""],
  ["null", ""],
  ["({ a: 1 })", '{"a":1}'],
  ["({ output: 0, usage: { input_tokens: 7 } })", "0"],
])("what returns %s", async (value, output) => {
  expect((await call(`export default () => ${value}`)).session).toMatchObject({ output, error: null });
});

describe("what it does wrong is the session's error", () => {
  it.each([
    ["export default () => { throw new TypeError('bad key') }", "the module threw TypeError: bad key"],
    ["export default async () => { throw 'text' }", "the module threw what is no error: text"],
    ["export default () => undefined", "the module returned undefined: an output is a text or another JSON value"],
    ["export default () => () => 1", "the module returned a function: an output is a text or another JSON value"],
    ["export default () => { throw Object.create(null) }", "the module threw what is no error: a value that can't be"],
    ["export default () => 1n", "the module threw TypeError: Do not know how to serialize a BigInt"],
    ["export const other = 1", "the module has no function 'default': it exports other"],
    ["throw new Error('at import')", "the module could not be loaded: Error: at import"],
    ["import './nowhere.mjs'", "the module could not be loaded: Error: Cannot find module"],
    ["export default (", "the module could not be loaded: SyntaxError: "],
    ["export default () => process.exit(3)", "the module called process.exit(3), or could not go on"],
    ["export default () => new Promise(() => {})", "the module ended before it answered: its promise is never settled"],
    [
      "export default () => new Promise(() => setTimeout(() => { throw new Error('later') }, 1))",
      "the module threw Error: later",
    ],
    [
      "export default () => { Promise.reject(new Error('loose')); return new Promise((r) => setTimeout(r, 5000)) }",
      "the module threw Error: loose",
    ],
    [
      "export default () => ({ output: 1, tool_calls: 'none' })",
      "malformed answer: tool_calls: expected a list of calls",
    ],
    ["export default () => ({ error: 'refused' })", "refused"],
  ])("%s", async (source, error) => {
    const { session } = await call(source);
    expect(session.error?.slice(0, error.length)).toBe(error);
    expect(session.output).toBe("");
  });

  it.each([
    ["a loop", "export default () => { for (;;); }"],
    ["a wait", "export default () => new Promise((resolve) => setTimeout(resolve, 60_000))"],
    ["a loop at import", "for (;;);"],
  ])("taking too long: %s", async (_, source) => {
    const { session } = await call(source, { timeoutMs: 300 });
    expect(session.error).toBe("timed out after 0.3 s");
  });

  it("the run was stopped", async () => {
    const stop = new AbortController();
    const p = project({
      "target.yaml": '{"type": "module", "path": "app.mjs"}',
      "app.mjs":
        "import fs from 'node:fs'; export default (i, c) => { fs.writeFileSync(c.cwd + '/on', ''); for (;;); }",
    });
    const running = callTarget(targetIn(p), targetCall(p, { signal: stop.signal }));
    await until("it runs", () => p.has("on"));
    stop.abort();
    expect((await running).error).toBe(INTERRUPTED);
  });
});

it("what it prints goes into files, all of it, and not to our own output", async () => {
  const source = `export default () => {
    for (let i = 0; i < 20000; i++) console.log("line " + i);
    console.error("warning");
    return "done";
  }`;
  const { session, evidence } = await call(source);
  expect(session.output).toBe("done");
  expect(evidence("stdout").split("\n")).toHaveLength(20_001);
  expect(evidence("stderr")).toBe("warning\n");
});

it("the stack of what it throws is kept for whoever looks for the line", async () => {
  const { evidence } = await call("export default () => {\n  throw new Error('here') }");
  expect(evidence("stderr")).toMatch(/Error: here\n.*app\.mjs:2/s);
});

it("no call sees the state of another", async () => {
  const p = project({
    "target.yaml": '{"type": "module", "path": "app.mjs"}',
    "app.mjs":
      "let calls = 0; export default () => { process.env.X = (process.env.X ?? '') + 'x'; return [++calls, process.env.X] }",
  });
  const target = targetIn(p);
  const outputs = [1, 2].map((run) => callTarget(target, targetCall(p, { run })));
  expect((await Promise.all(outputs)).map(({ output }) => output)).toEqual(['[1,"x"]', '[1,"x"]']);
});

it("programs that it started and left are ended", async () => {
  const mark = processMark();
  const source = `import { spawn } from "node:child_process";
    export default () => { spawn("sleep", ["60"], { detached: true, stdio: "ignore" }).unref(); return "left" }`;
  expect((await call(source, { env: mark.env })).session.output).toBe("left");
  expect(mark.survivors()).toEqual([]);
});

describe("TypeScript", () => {
  it("is loaded where Node does it, and else refused in words", () => {
    expect(cannotLoad("/x/app.ts", false, "v20.19.0")).toBe(
      "a module in TypeScript needs Node 22.18 or newer, this is v20.19.0: use that, or name the JavaScript it is compiled to",
    );
    expect(cannotLoad("/x/app.mts", true)).toBeUndefined();
    expect(cannotLoad("/x/app.mjs", false)).toBeUndefined();
    expect(cannotLoad("/x/app.py", true)).toContain("expected a module that ends in .js");
  });

  it("as this Node has it", async () => {
    const files = {
      "app.ts": "export default (input: string): string => input as string",
      "target.yaml": '{"type": "module", "path": "app.ts"}',
    };
    const p = project(files);
    const { target, problems } = loadTarget(p.path("target.yaml"), { projectRoot: p.root });
    if (target) expect((await callTarget(target, targetCall(p))).output).toBe("do it");
    else expect(problems).toMatchObject([{ line: 1, field: "path" }]);
    expect(target === undefined).toBe(Number(process.versions.node.split(".")[0]) < 22);
  });
});
