import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { AgentOverrides } from "../../../../src/config/agent-template.js";
import { INTERRUPTED } from "../../../../src/report/schema.js";
import { callTarget } from "../../../../src/suites/targets/types.js";
import { processMark, until } from "../../../helpers/processes.js";
import { PYTHON, project } from "../../../helpers/project.js";
import { type CallOptions, targetCall, targetIn } from "../../../helpers/target-call.js";

const HEAD = `import json, os, sys, time
prompt = sys.argv[-1]
def say(*events):
    for event in events: print(json.dumps(event), flush=True)
`;

interface Options extends CallOptions {
  template?: AgentOverrides;
  fields?: Record<string, unknown>;
  files?: Record<string, string>;
}

/** Calls an agent that is a real process, in Python, and does what `body` says. */
async function call(body: string, { template = {}, fields = {}, files = {}, ...options }: Options = {}) {
  const p = project({
    "agent.py": HEAD + body,
    "target.yaml": JSON.stringify({ type: "agent", agent: "stand-in", ...fields }),
    ...files,
  });
  const agents = { "stand-in": { command: [PYTHON, "-S", p.path("agent.py")], ...template } };
  const session = await callTarget(targetIn(p, "target.yaml", { agents }), targetCall(p, options));
  const evidence = (name: string) => p.read(`run/${session.evidence[name]}`);
  return { p, session, evidence };
}

it("is asked with its instructions before the task, and works in the working directory", async () => {
  const body = "open('made.txt', 'w').write(prompt); print(os.getcwd())";
  const p = project({ "work/x": "" });
  const fields = { instructions: "Be brief." };
  const { session, evidence } = await call(body, { fields, input: "Do it.\n", cwd: p.path("work") });
  expect(session).toMatchObject({ output: p.path("work"), error: null, turns: 1, retries: 0 });
  expect(p.read("work/made.txt")).toBe("Be brief.\n\nDo it.\n");
  expect(evidence("prompt")).toBe("Be brief.\n\nDo it.\n");
  expect(evidence("stdout")).toBe(`${p.path("work")}\n`);
});

it("gets its model, effort and variables", async () => {
  const template = { model_flag: "-m", reasoning_effort_flag: ["-e", "{effort}"], provider_env: { A: "1{env:X}" } };
  const fields = { model: "big", reasoning_effort: "low", env: { B: "2" } };
  const body = "print(sys.argv[1:5], os.environ['A'], os.environ['B'])";
  const { session } = await call(body, { template, fields, env: { X: "x" } });
  expect(session).toMatchObject({ output: "['-m', 'big', '-e', 'low'] 1x 2", model: "big" });
  const unset = await call(body, { template });
  expect(unset.session.error).toBe("the variable X is not set: the target's env names it");
});

it("may repeat the task in its answer", async () => {
  expect((await call("print('2: 2 and 2')", { input: "2" })).session.output).toBe("2: 2 and 2");
});

it("may answer with JSON that looks like a wrapper", async () => {
  const text = '{"text": "a", "n": 1}';
  expect((await call(`print('${text}')`)).session.output).toBe(text);
});

describe("the events of its program tell", () => {
  const replayed = async (format: AgentOverrides["output_format"], name: string) => {
    const text = readFileSync(`tests/fixtures/agents/${name}.jsonl`, "utf8");
    const body = "sys.stdout.write(open('events').read())";
    return (await call(body, { template: { output_format: format }, files: { events: text } })).session;
  };

  const models: Record<string, string> = {
    "claude-sample-tools": "claude-sonnet-4-6",
    "gemini-sample-tools": "gemini-2.5-pro",
    "pi-sample-tools": "mock-model",
  };

  // Tokens as the fake service of the samples counted them: 120 of input in each call, 20 of them from a cache.
  it.each([
    ["claude", "claude-sample-tools", "Bash", 280, 34, 2],
    ["codex", "codex-sample-tools", "command_execution", 240, 34, 1],
    ["gemini", "gemini-sample-tools", "run_shell_command", 240, 34, 1],
    ["claude", "grok-sample-tools-streaming-messages-json", "run_terminal_command", 240, 34, 2],
    ["opencode", "opencode-sample-tools", "bash", 240, 24, 2],
    ["pi", "pi-sample-tools", "bash", 240, 34, 2],
  ] as const)("%s: tools, tokens and turns (%s)", async (format, name, tool, inputTokens, outputTokens, turns) => {
    const session = await replayed(format, name);
    expect(session).toMatchObject({
      output: '{"score": 1, "reason": "mock says ok"}',
      error: null,
      inputTokens,
      outputTokens,
      turns,
    });
    if (models[name] !== undefined) expect(session.model).toBe(models[name]);
    expect(session.toolCalls).toHaveLength(1);
    expect(session.toolCalls[0]?.name).toBe(tool);
    expect(JSON.stringify(session.toolCalls[0]?.arguments)).toContain("echo tool-ran");
    expect(JSON.stringify(session.toolCalls[0]?.result)).toMatch(/tool-ran-42|Blocked/);
  });

  it("what claude says that it cost", async () => {
    expect((await replayed("claude", "claude-sample-tools")).costUsd).toBeCloseTo(0.001242, 9);
  });

  it("all tokens of the input, also those that went into a cache", async () => {
    const usage = { input_tokens: 3, cache_creation_input_tokens: 1000, cache_read_input_tokens: 20, output_tokens: 5 };
    const body = `say({"type": "system"}, {"type": "result", "is_error": False, "result": "x", "usage": ${JSON.stringify(usage)}})`;
    const { session } = await call(body, { template: { output_format: "claude" } });
    expect(session).toMatchObject({ inputTokens: 1023, outputTokens: 5 });
  });

  it("a tool that failed", async () => {
    const body = `say({"type": "system"},
      {"type": "assistant", "message": {"content": [{"type": "tool_use", "id": "1", "name": "Bash", "input": {"command": "x"}}]}},
      {"type": "user", "message": {"content": [{"type": "tool_result", "tool_use_id": "1", "is_error": True, "content": "no such command"}]}},
      {"type": "result", "is_error": False, "result": "done"})`;
    const { session } = await call(body, { template: { output_format: "claude" } });
    expect(session.toolCalls).toEqual([
      { name: "Bash", arguments: { command: "x" }, result: "no such command", error: "no such command" },
    ]);
  });
});

describe("what it does wrong is the session's error", () => {
  it.each([
    [
      "print('half'); print('no key', file=sys.stderr); sys.exit(3)",
      "the agent ended with exit code 3: no key",
      "half",
    ],
    ["os.kill(os.getpid(), 9)", "the agent was killed by SIGKILL", ""],
    ["pass", "the agent gave no answer: it printed nothing", ""],
  ])("%s", async (body, error, output) => {
    expect((await call(body)).session).toMatchObject({ error, output, retries: 0 });
  });

  it("an error that it reports, with exit code 0", async () => {
    const body = `say({"type": "system"}, {"type": "result", "is_error": True, "result": "credit is used up", "num_turns": 1})`;
    const { session } = await call(body, { template: { output_format: "claude" } });
    expect(session).toMatchObject({ error: "the agent failed: credit is used up", output: "", turns: 1 });
  });

  it("events that end without an answer", async () => {
    const { session } = await call(`say({"type": "system"})`, { template: { output_format: "claude" } });
    expect(session.error).toBe("the agent failed: its output ends without a result");
  });

  it("a program that is not there", async () => {
    const { session } = await call("", { template: { command: ["no-such-agent"] } });
    expect(session.error).toMatch(/^the agent 'stand-in' could not be started: no such file or directory \(ENOENT\)/);
  });

  it("taking too long: nothing of it is left", async () => {
    const mark = processMark();
    const body =
      "import subprocess; subprocess.Popen(['sleep', '60'], start_new_session=True); print('busy', file=sys.stderr, flush=True); time.sleep(60)";
    const { session } = await call(body, { timeoutMs: 700, env: mark.env });
    expect(session.error).toBe("timed out after 0.7 s; the last it said on standard error: busy");
    expect(mark.survivors()).toEqual([]);
  });
});

describe("where its model's service refuses", () => {
  const REFUSE = `
n = len(open('tries').read()) if os.path.exists('tries') else 0
open('tries', 'a').write('x')
if n < LAST: print('API Error: 529 overloaded_error', file=sys.stderr); sys.exit(1)
print('done')
`;

  it("it is called again, and each try is kept", async () => {
    const { session, p } = await call(REFUSE.replace("LAST", "1"));
    expect(session).toMatchObject({ output: "done", error: null, retries: 1 });
    expect(p.read("tries")).toBe("xx");
    expect(session.evidence["stdout"]).toMatch(/run-1\.attempt-2\.stdout\.txt$/);
  });

  it("it is called again also where another one that starts is in its way", async () => {
    const locked = REFUSE.replace("API Error: 529 overloaded_error", "Error: Unexpected error\\n\\ndatabase is locked");
    const { session } = await call(locked.replace("LAST", "1"));
    expect(session).toMatchObject({ output: "done", error: null, retries: 1 });
  });

  it("it is not called again beyond the time limit", async () => {
    const { session } = await call(REFUSE.replace("LAST", "99"), { timeoutMs: 200 });
    expect(session.error).toMatch(
      /^(the agent ended with exit code 1: API Error: 529 overloaded_error \(the next try|timed out after 0\.2 s)/,
    );
    expect(session.retries).toBe(0);
  });

  it("it is not called again once it has used tools: they may have changed files", async () => {
    const body = `say({"type": "thread.started"},
      {"type": "item.completed", "item": {"type": "command_execution", "command": "rm x", "exit_code": 0}},
      {"type": "turn.failed", "error": {"message": "429 too many requests"}})`;
    const { session } = await call(body, { template: { output_format: "codex" } });
    expect(session.error).toMatch(/^the agent failed: 429 too many requests/);
    expect(session).toMatchObject({ retries: 0, toolCalls: [{ name: "command_execution" }] });
  });
});

it("is ended when the run is stopped", async () => {
  const stop = new AbortController();
  const p = project();
  const running = call("open('on', 'w'); time.sleep(60)", { signal: stop.signal, cwd: p.root });
  await until("it works", () => p.has("on"));
  stop.abort();
  expect((await running).session.error).toBe(INTERRUPTED);
});
