import { describe, expect, it } from "vitest";
import { createRedactor } from "../../../../src/core/redact.js";
import { INTERRUPTED } from "../../../../src/report/schema.js";
import { callTarget } from "../../../../src/suites/targets/types.js";
import { processMark, until } from "../../../helpers/processes.js";
import { project } from "../../../helpers/project.js";
import { callOnce, targetCall, targetIn } from "../../../helpers/target-call.js";

const node = (script: string, more: Record<string, unknown> = {}) => ({
  type: "command",
  command: [process.execPath, "-e", script],
  ...more,
});
const shell = (script: string, more: Record<string, unknown> = {}) => ({
  type: "command",
  command: ["/bin/sh", "-c", script],
  ...more,
});

describe("the input comes", () => {
  it("on standard input, which is then closed", async () => {
    const { session } = await callOnce(shell("cat; echo; echo end"), { input: "what\n 你 \t" });
    expect(session).toMatchObject({ output: "what\n 你 \t\nend", error: null, turns: 1, retries: 0 });
    expect(session.messages).toEqual([
      { role: "user", content: "what\n 你 \t" },
      { role: "assistant", content: "what\n 你 \t\nend" },
    ]);
  });

  it("as the last argument, whatever it begins with", async () => {
    const print = { type: "command", command: ["/usr/bin/printf", "[%s]"], input: "arg" };
    expect((await callOnce(print, { input: '-x "$HOME" {case_id}' })).session.output).toBe('[-x "$HOME" {case_id}]');
  });

  it("where {task} stands, and is not looked through for placeholders", async () => {
    const command = ["/usr/bin/printf", "%s|", "a{task}b", "{case_id}", "{config}", "{other}"];
    const { session, p } = await callOnce({ type: "command", command }, { input: "{case_id}", caseId: "c 1" });
    expect(session.output).toBe(`a{case_id}b|c 1|${p.path("target.yaml")}|{other}|`);
  });

  it("as JSON with the case and the run", async () => {
    const { session } = await callOnce(shell("cat", { input: "json-stdin" }), { input: { a: [0] }, run: 2 });
    expect(JSON.parse(session.output)).toEqual({
      input: { a: [0] },
      case_id: "it",
      run: 2,
      task: '{\n  "a": [\n    0\n  ]\n}',
    });
  });

  it("is too long for an argument: an error in words", async () => {
    const { session } = await callOnce(
      { type: "command", command: ["/bin/echo", "{task}"] },
      { input: "x".repeat(200_000) },
    );
    expect(session.error).toBe("'/bin/echo' could not be run: the command line or environment is too long (E2BIG)");
  });
});

it("runs in the working directory of the call, or below it, with its variables", async () => {
  const p = project({
    "work/sub/x": "",
    "target.yaml": JSON.stringify(shell('pwd; echo "$A-$EVAL_BANANA_RUN_ID"', { cwd: "sub", env: { A: "1{env:B}" } })),
  });
  const session = await callTarget(targetIn(p), targetCall(p, { cwd: p.path("work"), env: { B: "2" } }));
  expect(session.output).toBe(`${p.path("work/sub")}\n12-20260101_000000_00000000`);
  const unset = await callTarget(targetIn(p), targetCall(p, { cwd: p.path("work") }));
  expect(unset.error).toBe("the variable B is not set: the target's env names it");
});

describe("what it does wrong is the session's error", () => {
  it.each([
    ["echo out; echo 'no such model' >&2; exit 3", "exit code 3: no such model", "out"],
    ["echo out; kill -9 $$", "killed by SIGKILL", "out"],
    ["exit 7", "exit code 7", ""],
  ])("%s", async (script, error, output) => {
    expect((await callOnce(shell(script))).session).toMatchObject({ error, output });
  });

  it("a program that is not there", async () => {
    const { session } = await callOnce({ type: "command", command: ["./nowhere"] });
    expect(session.error).toBe("'./nowhere' could not be run: no such file or directory (ENOENT)");
  });

  it("more output than can be meant", async () => {
    const { session } = await callOnce(shell("head -c 20000000 /dev/zero"));
    expect(session).toMatchObject({
      output: "",
      error: "it printed 20000000 bytes, more than the 16777216 that are read",
    });
  });

  it("taking too long: nothing of it is left, and what it said is kept", async () => {
    const mark = processMark();
    const script = "trap '' TERM; echo so far; setsid sleep 60 & sleep 60";
    const { session } = await callOnce(shell(script, { env: mark.env }), { timeoutMs: 300 });
    expect(session).toMatchObject({ output: "so far", error: "timed out after 0.3 s" });
    expect(mark.survivors()).toEqual([]);
  });

  it("the run was stopped", async () => {
    const stop = new AbortController();
    const p = project({ "target.yaml": JSON.stringify(shell("touch on; sleep 60")) });
    const running = callTarget(targetIn(p), targetCall(p, { signal: stop.signal }));
    await until("it runs", () => p.has("on"));
    stop.abort();
    expect((await running).error).toBe(INTERRUPTED);
    expect((await callTarget(targetIn(p), targetCall(p, { signal: stop.signal }))).error).toBe(INTERRUPTED);
  });
});

it("what it printed is kept in files, masked; the session has what was said", async () => {
  const env = { API_KEY: "very-secret" };
  const redactor = createRedactor({ env, names: [] });
  const { session, evidence } = await callOnce(shell('echo "$API_KEY"; echo warning >&2'), { env, redactor });
  expect(evidence("stdout")).toBe("***API_KEY***\n");
  expect(evidence("stderr")).toBe("warning\n");
  expect(session.output).toBe("very-secret");
});

describe("output: json", () => {
  const say = async (value: unknown, end = "") => {
    const script = `process.stdout.write(${JSON.stringify(JSON.stringify(value))});${end}`;
    return (await callOnce(node(script, { output: "json" }))).session;
  };

  it("has all that a session is made of", async () => {
    const answer = {
      output: "done",
      messages: [
        { role: "user", content: "q" },
        { role: "assistant", content: null, more: 1 },
        { role: "assistant", name: "b", content: "done" },
      ],
      tool_calls: [
        { name: "search", arguments: { q: 1 }, result: [1] },
        { name: "x", error: "no" },
      ],
      retrieved: [
        { id: "d1", score: 0.5 },
        { id: 2, text: "t" },
      ],
      usage: { input_tokens: 3, output_tokens: 4 },
      cost_usd: 0.25,
      model: "m",
      unknown: {},
    };
    expect(await say(answer)).toMatchObject({
      output: "done",
      messages: [
        { role: "user", content: "q" },
        { role: "assistant", content: "" },
        { role: "assistant", name: "b", content: "done" },
      ],
      toolCalls: [
        { name: "search", arguments: { q: 1 }, result: [1] },
        { name: "x", arguments: {}, error: "no" },
      ],
      retrieved: [
        { id: "d1", score: 0.5 },
        { id: "2", text: "t" },
      ],
      turns: 2,
      inputTokens: 3,
      outputTokens: 4,
      costUsd: 0.25,
      model: "m",
      error: null,
    });
  });

  it.each([
    [0, "0"],
    [false, "false"],
    ["", ""],
    [null, ""],
    [{ a: [1] }, '{"a":[1]}'],
    [[], "[]"],
  ])("an output of %j is no missing one", async (output, text) => {
    expect(await say({ output })).toMatchObject({ output: text, error: null, turns: 1 });
  });

  it("its own error, and that of a program that also failed", async () => {
    expect(await say({ error: "no money" })).toMatchObject({ output: "", error: "no money" });
    expect(await say({ output: "half", error: "no money" }, "process.exitCode = 2")).toMatchObject({
      output: "half",
      error: "exit code 2; no money",
    });
    expect(await say({ output: "x", error: "" })).toMatchObject({ error: null });
  });

  it.each([
    [{}, "malformed answer: it has no `output`, no message of an assistant and no `error`"],
    [{ output: 1, turns: "2" }, "malformed answer: turns: expected a whole number of at least 0, found a string"],
    [
      { output: 1, turns: `${"x".repeat(55)} sk-secret` },
      "malformed answer: turns: expected a whole number of at least 0, found a string",
    ],
    [{ output: 1, tool_calls: [{}] }, "malformed answer: tool_calls[0].name: is required: a string"],
    [[1], "malformed answer: it: expected a mapping, found a list"],
    [
      { output: 1, usage: { input_tokens: -1 }, cost_usd: "1" },
      "malformed answer: usage.input_tokens: expected a whole number of at least 0, found -1 (a number); and 1 more",
    ],
  ])("%j is an error", async (value, error) => {
    expect((await say(value)).error).toBe(error);
  });

  it("no JSON is an error that shows what was there", async () => {
    const { session } = await callOnce(shell("echo Loading; echo '{}'", { output: "json" }));
    expect(session.error).toContain(
      "malformed answer: expected one JSON object on standard output, found Loading ⏎ {}",
    );
    expect((await callOnce(shell("true", { output: "json" }))).session.error).toContain("found nothing");
    expect((await callOnce(shell("exit 4", { output: "json" }))).session.error).toBe("exit code 4");
  });
});
