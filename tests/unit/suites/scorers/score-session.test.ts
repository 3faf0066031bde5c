import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { INTERRUPTED } from "../../../../src/report/schema.js";
import type { JudgeRequest } from "../../../../src/run/judge.js";
import type { Outcome } from "../../../../src/run/outcome.js";
import type { Assertion } from "../../../../src/suites/format/assertion.js";
import type { JudgeSettings } from "../../../../src/suites/format/schema.js";
import { scoreSession } from "../../../../src/suites/scorers/score-session.js";
import { PYTHON, project } from "../../../helpers/project.js";
import { type EndedTrialOptions, endedTrial, scoreOne } from "../../../helpers/scored-trial.js";

const contains = (text: string): Assertion => ({ type: "contains", text });
const notContains = (text: string): Assertion => ({ type: "not_contains", text });
const rubric: Assertion = { type: "rubric", questions: ["Is it kind?"] };
const noTrajectory = { type: "trajectory", mustCall: [], mustNotCall: ["x"], noErrors: true } as const;
const noFiles = {
  type: "files",
  mustExist: [],
  mustNotExist: ["x"],
  mustChange: [],
  mustNotChange: [],
  contains: {},
} as const;

/** What came of a trial, shortly: `contains:passed`. */
async function summary(assertions: readonly Assertion[], options: EndedTrialOptions = {}): Promise<string[]> {
  return (await scoreSession(endedTrial(assertions, options))).map(({ type, status }) => `${type}:${status}`);
}

describe("scoreSession", () => {
  it("scores in the order of the case, success first", async () => {
    expect(await summary([contains("a"), { type: "max_words", limit: 0 }, contains("b")], { output: "ab" })).toEqual([
      "must_succeed:passed",
      "contains:passed",
      "max_words:failed",
      "contains:passed",
    ]);
  });

  it("looks at nothing else where the session had to succeed and did not", async () => {
    const session = { error: "exit code 3: boom" };
    expect(await scoreSession(endedTrial([contains("a"), rubric], { output: "a", session }))).toEqual([
      { type: "must_succeed", status: "failed", reason: "exit code 3: boom" },
    ]);
    const tolerant = { output: "a", session, testCase: { mustSucceed: false } };
    expect(await summary([contains("a")], tolerant)).toEqual(["contains:passed"]);
    expect(await summary([contains("b")], tolerant)).toEqual(["contains:failed"]);
  });

  it("takes a session that says nothing of why it failed for failed", async () => {
    expect((await scoreSession(endedTrial([contains("a")], { output: "a", session: { error: "" } })))[0]).toEqual({
      type: "must_succeed",
      status: "failed",
      reason: "the session ended with an error",
    });
  });

  it("gives a stopped run no verdict", async () => {
    const stopped = [{ type: "must_succeed", status: "error", reason: INTERRUPTED }];
    const testCase = { mustSucceed: false };
    expect(
      await scoreSession(endedTrial([contains("a")], { session: { error: INTERRUPTED, interrupted: true }, testCase })),
    ).toEqual(stopped);
    const controller = new AbortController();
    controller.abort();
    const options = { output: "a", run: { signal: controller.signal } };
    expect(await scoreSession(endedTrial([{ type: "script", script: "pass" }], options))).toEqual(stopped);
  });

  it.each([
    { costUsd: Number.NaN },
    { turns: Infinity },
    { inputTokens: -1 },
    { outputTokens: NaN },
    { durationMs: NaN },
  ])("takes a session with %j for an error", async (session) => {
    const [score, ...others] = await scoreSession(endedTrial([contains("a")], { output: "a", session }));
    expect(others).toEqual([]);
    expect(score).toMatchObject({
      type: "must_succeed",
      status: "error",
      reason: expect.stringContaining("no figure: "),
    });
  });
});

describe("a case that only says what must not be there", () => {
  const negative: Assertion[] = [
    notContains("sorry"),
    { type: "max_words", limit: 10 },
    { type: "max_chars", limit: 10 },
    { type: "max_turns", limit: 10 },
    { type: "max_duration_ms", limit: 10 },
    noTrajectory,
  ];

  it.each(["", " \n"])("fails with the output %j", async (output) => {
    for (const mustSucceed of [true, false]) {
      const [first, ...others] = await scoreSession(endedTrial(negative, { output, testCase: { mustSucceed } }));
      expect(first).toMatchObject({
        status: "failed",
        reason: expect.stringContaining("the output is empty, and the case"),
      });
      expect(others.map(({ type, status }) => [type, status])).toEqual(negative.map(({ type }) => [type, "passed"]));
    }
  });

  it("passes with one, be it 0 or false", async () => {
    for (const output of ["0", "false", "fine"])
      expect(await summary(negative, { output })).not.toContain("must_succeed:failed");
  });

  it("is another one than one that says what must be", async () => {
    expect(await summary([notContains("x"), { type: "equals", text: "" }])).toEqual([
      "must_succeed:passed",
      "not_contains:passed",
      "equals:passed",
    ]);
    const mustCall = { ...noTrajectory, mustCall: [{ name: "a" }] };
    expect(await summary([mustCall], { session: { toolCalls: [{ name: "a", arguments: {} }] } })).toEqual([
      "must_succeed:passed",
      "trajectory:passed",
    ]);
  });

  it("may be one of files", async () => {
    const workspace = { directory: project({ a: "x" }).root, changes: { files: [], patch: null, leftOut: [] } };
    expect(await summary([noFiles], { workspace })).toEqual(["must_succeed:failed", "files:passed"]);
    expect(await summary([{ ...noFiles, mustExist: ["a"] }], { workspace })).toEqual([
      "must_succeed:passed",
      "files:passed",
    ]);
  });

  it("or may say nothing but that the session must succeed", async () => {
    expect(await summary([])).toEqual(["must_succeed:passed"]);
  });
});

describe("the judge", () => {
  const judgeWhen = (when: JudgeSettings["when"]): JudgeSettings => ({ when, votes: 1 });
  const yes = async (): Promise<Outcome> => ({ status: "passed", reason: "kind" });

  it.each<[JudgeSettings["when"], output: string, expected: string[]]>([
    ["always", "a", ["contains:passed", "rubric:passed"]],
    ["always", "b", ["contains:failed", "rubric:passed"]],
    ["deterministic-pass", "a", ["contains:passed", "rubric:passed"]],
    ["deterministic-pass", "b", ["contains:failed"]],
    ["deterministic-fail", "a", ["contains:passed"]],
    ["deterministic-fail", "b", ["contains:failed", "rubric:passed"]],
    ["never", "a", ["contains:passed"]],
    ["never", "b", ["contains:failed"]],
  ])("%s, output %s: %j", async (when, output, expected) => {
    const options = { output, judge: judgeWhen(when), askJudge: yes };
    expect(await summary([rubric, contains("a")], options)).toEqual(["must_succeed:passed", ...expected]);
  });

  it("that is not asked has no score, and the last one says why", async () => {
    const scores = await scoreSession(
      endedTrial([rubric, contains("a")], { output: "b", judge: judgeWhen("deterministic-pass") }),
    );
    expect(scores.at(-1)?.details).toEqual({ judge: "the judge was not asked: the case had failed without it" });
  });

  it("decides alone where there is nothing else, or nothing was scored", async () => {
    for (const when of ["always", "deterministic-pass", "deterministic-fail"] as const) {
      const options = { judge: judgeWhen(when), askJudge: yes };
      expect(await summary([rubric], options)).toEqual(["must_succeed:passed", "rubric:passed"]);
    }
    const scores = await scoreSession(endedTrial([rubric], { output: "a", judge: judgeWhen("never") }));
    expect(scores[1]).toMatchObject({
      status: "error",
      reason: "not scored: the judge was not asked: judge.when is never",
    });
  });

  it("that was not asked saves no case that is silent", async () => {
    for (const when of ["never", "deterministic-fail"] as const) {
      expect((await summary([notContains("x"), rubric], { judge: judgeWhen(when) }))[0]).toBe("must_succeed:failed");
    }
    const options = { judge: judgeWhen("always"), askJudge: yes };
    expect(await summary([notContains("x"), rubric], options)).toEqual([
      "must_succeed:passed",
      "not_contains:passed",
      "rubric:passed",
    ]);
  });

  it("is not asked after a session that failed", async () => {
    const options = { session: { error: "boom" }, judge: judgeWhen("always"), askJudge: yes };
    expect(await summary([rubric], options)).toEqual(["must_succeed:failed"]);
  });

  it("that is not there is an error", async () => {
    const [, score] = await scoreSession(endedTrial([rubric], { output: "a" }));
    expect(score).toMatchObject({
      type: "rubric",
      status: "error",
      reason: expect.stringContaining("no agent is configured"),
    });
  });

  it("is asked once for each rubric, with what it needs; what it says is the score", async () => {
    const asked: { request: JudgeRequest; prefix: string }[] = [];
    const askJudge: EndedTrialOptions["askJudge"] = async (request, { prefix }) => {
      asked.push({ request, prefix });
      if (asked.length === 1) return { status: "failed", reason: "1. is no", exitCode: 0, details: { cost_usd: 0.1 } };
      return { status: "error", errorDetail: "no verdict" };
    };
    const judge = { when: "always", votes: 3, model: "m", reasoning_effort: "high" } as const;
    const options = { output: "O", judge, askJudge, config: { "core.llm_max_input_chars": 5 } };
    const scores = await scoreSession(endedTrial([rubric, { type: "rubric", questions: ["B?"] }], options));
    expect(scores.slice(1)).toEqual([
      { type: "rubric", status: "failed", reason: "1. is no", details: { exit_code: 0, cost_usd: 0.1 } },
      { type: "rubric", status: "error", reason: "no verdict", details: {} },
    ]);
    expect(asked[0]?.request).toMatchObject({ votes: 3, model: "m", reasoningEffort: "high" });
    expect(asked[0]?.request.prompt("T").endsWith("1. Is it[TRUNCATED]")).toBe(true);
    expect(asked.map(({ prefix }) => prefix.split("/").at(-1))).toEqual(["judge", "judge-2"]);
  });

  it("is the agent's own program where nothing stands before it; the majority decides", async () => {
    const p = project({
      "agent.py": `import json, re, sys, os
prompt = sys.argv[-1]
n = len([f for f in os.listdir(".") if f.startswith("vote")])
open(f"vote{n}", "w").close()
print(json.dumps({"score": 0 if n == 1 else 1, "reason": prompt.splitlines()[-1], "token": re.search('"token": "(.*?)"', prompt)[1]}))`,
    });
    const template = { command: [PYTHON, "-S", "agent.py"], output_format: "text", prompt_via: "arg" } as const;
    const harness = { name: "stand-in", template: { ...template, command: [...template.command] }, env: {} };
    const judge = { when: "always", votes: 3 } as const;
    const request = endedTrial([rubric], { output: "O", judge, run: { harness, projectRoot: p.root } });
    const [, score] = await scoreSession(request);
    expect(score).toMatchObject({
      status: "passed",
      reason: "1. Is it kind?",
      details: { agent_type: "stand-in", votes: { passed: 2, failed: 1, error: 0 } },
    });
    expect(readdirSync(request.context.evidenceDir).sort()).toEqual([
      "judge.attempt-2.stdout.txt",
      "judge.attempt-3.stdout.txt",
      "judge.prompt.txt",
      "judge.stdout.txt",
    ]);
  });
});

describe("a script", () => {
  const script = (source: string): Assertion => ({ type: "script", script: source });

  it("is told of the case, and of what came of it", async () => {
    const toolCalls = [{ name: "a", arguments: { b: [1] }, result: null }];
    const request = endedTrial(
      [
        script(
          "import json, sys\nc = json.load(open(sys.argv[1]))\nc['file'] = open(c['output_path'], newline='').read()\nprint(json.dumps(c))",
        ),
      ],
      { output: "✓ 你\r\n0", session: { toolCalls }, testCase: { input: { q: "x" } } },
    );
    const [, score] = await scoreSession(request);
    expect(score).toMatchObject({ status: "passed", reason: "", details: { exit_code: 0, stderr_path: null } });
    const told = JSON.parse(
      readFileSync(join(request.context.runDir, String(score?.details?.["stdout_path"])), "utf8"),
    );
    expect(told).toEqual({
      check_id: "the case",
      case_id: "the case",
      project_root: request.context.projectRoot,
      source_path: request.testCase.source.file,
      output_dir: join(request.context.evidenceDir, "script-1"),
      input: { q: "x" },
      output: "✓ 你\r\n0",
      output_path: expect.stringMatching(/output\.txt$/),
      trajectory: toolCalls,
      file: "✓ 你\r\n0",
    });
  });

  it("fails, and each has files of its own", async () => {
    const request = endedTrial([script("assert 1 == 2, 'no'"), script("import sys; print('two'); sys.exit(3)")], {
      output: "x",
    });
    const scores = await scoreSession(request);
    expect(scores.slice(1).map(({ status, reason }) => [status, reason])).toEqual([
      ["failed", "exit code 1: AssertionError: no"],
      ["failed", "exit code 3"],
    ]);
    expect(readdirSync(request.context.evidenceDir).sort()).toEqual(["script-1.stderr.txt", "script-2.stdout.txt"]);
  });

  it("of a file sees itself there, and runs in the workspace", async () => {
    const p = project({
      "checks/it.py":
        "import os, pathlib\nassert __file__.endswith('checks/it.py')\nassert pathlib.Path('made').read_text() == 'x'",
    });
    const workspace = { directory: project({ made: "x" }).root, changes: { files: [], patch: null, leftOut: [] } };
    const path = p.path("checks/it.py");
    const score = await scoreOne({ type: "script_path", path }, { output: "x", workspace });
    expect(score).toMatchObject({ status: "passed", details: { path } });
  });

  it("that is not there, takes too long, or has no Python is an error", async () => {
    const gone = await scoreOne({ type: "script_path", path: "/nowhere/it.py" }, { output: "x" });
    expect(gone).toMatchObject({ status: "error", reason: expect.stringContaining("no such file or directory") });
    const endless = await scoreOne(script("while True: pass"), {
      output: "x",
      config: { "deterministic.timeout_seconds": 1 },
    });
    expect(endless).toMatchObject({ status: "error", reason: "timed out after 1 s" });
    const none = await scoreOne(script("pass"), { output: "x", run: { python: "no Python was found" } });
    expect(none).toMatchObject({ status: "error", reason: "no Python was found" });
  });
});

describe("limits", () => {
  const session = { turns: 3, inputTokens: 70, outputTokens: 31, costUsd: 0.02, durationMs: 1500.4 };

  it.each<[type: "max_turns" | "max_tokens" | "max_cost_usd" | "max_duration_ms", limit: number, reason: string]>([
    ["max_turns", 3, ""],
    ["max_turns", 2, "it took 3 turns, expected at most 2"],
    ["max_tokens", 101, ""],
    ["max_tokens", 100, "it took 101 tokens (70 of input, 31 of output), expected at most 100"],
    ["max_cost_usd", 0.02, ""],
    ["max_cost_usd", 0.019, "it cost $0.02, expected at most $0.019"],
    ["max_duration_ms", 1501, ""],
    ["max_duration_ms", 1500, "it took 1501 ms (1.5 s), expected at most 1500 ms"],
  ])("%s %d: %j", async (type, limit, reason) => {
    const status = reason === "" ? "passed" : "failed";
    expect(await scoreOne({ type, limit }, { output: "x", session })).toEqual({ type, status, reason });
  });

  it("are errors where the target does not report what is limited", async () => {
    const score = (type: "max_cost_usd" | "max_tokens") => scoreOne({ type, limit: 5 }, { output: "x" });
    expect(await score("max_cost_usd")).toMatchObject({
      status: "error",
      reason: expect.stringContaining("does not report a cost"),
    });
    expect(await score("max_tokens")).toMatchObject({
      status: "error",
      reason: expect.stringContaining("does not report tokens"),
    });
    expect((await scoreOne({ type: "max_cost_usd", limit: 0 }, { output: "x", session: { costUsd: 0 } })).status).toBe(
      "passed",
    );
  });
});
