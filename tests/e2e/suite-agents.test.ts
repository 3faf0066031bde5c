import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, inject, it } from "vitest";
import { caseOf, suiteReport } from "../helpers/suite.js";
import { type RealAgent, realAgents } from "./agents.js";
import type { Script } from "./model-server.js";
import { TOKENS } from "./protocols/protocol.js";
import { afterTool, always, said } from "./scripts.js";
import { seen } from "./seen.js";
import { stage } from "./stage.js";

const installed = inject("agents");
const TARGET = ".eval-banana/targets/default.yaml";
const SUITE = ".eval-banana/evals/suite.yaml";
const TASK = "Add a line to notes.txt.\n- and say {what} was there before";
const COMMAND = "cat notes.txt && echo more >> notes.txt";
const ANSWER = `{"result": "The task was: ${TASK.replace("\n", "\\n")}", "score": 1}`;

afterAll(() => seen.print(installed));

/** A suite with one case of the id `it`. */
function suite(fields: Record<string, unknown>, more: Record<string, unknown> = {}): Record<string, string> {
  return { [SUITE]: JSON.stringify({ ...more, cases: [{ id: "it", task: TASK, ...fields }] }) };
}

const target = (name: string, { model }: RealAgent) => ({ type: "agent", agent: name, model });
const nameOf = (agent: RealAgent) => agent.reportsShell ?? agent.shell("").name;

describe.concurrent.each(Object.entries(realAgents))("%s as a target", (name, agent) => {
  const found = installed[name] ?? { missing: "it was not looked for" };
  if ("missing" in found) {
    it.skip(`NOT TESTED: ${found.missing}`, () => {});
    return;
  }
  const { bin } = found;

  it("works twice at once: its answer, calls, tokens and edits are scored; then from the cache", async (context) => {
    const files = { must_change: ["notes.txt"], must_not_change: ["other.txt"], contains: { "notes.txt": "more" } };
    const scored = (trajectory: object) =>
      suite({ checks: { equals: ANSWER, trajectory, files } }, { runs: 2, workspace: { template: "../../template" } });
    const script = afterTool(agent, COMMAND, always({ text: ANSWER }));
    const { project, eb, turns, left } = await stage({
      agents: { [name]: { bin, script } },
      files: {
        [TARGET]: JSON.stringify({ ...target(name, agent), instructions: "Be brief." }),
        "template/notes.txt": "what was there\n",
        "template/other.txt": "x\n",
        ...scored({ must_call: [nameOf(agent)], max_calls: 1, no_errors: true }),
      },
      onTestFinished: context.onTestFinished,
    });
    const first = await eb(["suite", "run", "--ci"]);
    const result = caseOf(project, "it");
    expect(result.failure_reasons).toEqual([]);
    expect(first.code).toBe(0);
    const [trial, other] = result.trials;
    expect(other).toMatchObject({ output: ANSWER, status: "passed" });
    expect(trial).toMatchObject({ output: ANSWER, error_message: null, cached: false });
    expect(trial?.tool_calls).toMatchObject([{ name: nameOf(agent) }]);
    expect(JSON.stringify(trial?.tool_calls[0]?.arguments)).toContain(COMMAND);
    expect(trial?.tool_calls[0]?.result).toContain("what was there");
    // All of the input, whatever the protocol counts as such.
    const cached = turns(name)[0]?.protocol === "anthropic-messages" ? TOKENS.cached : 0;
    expect(trial).toMatchObject({
      input_tokens: 2 * (TOKENS.input + cached),
      output_tokens: 2 * TOKENS.output,
    });
    expect(trial?.turns).toBe(agent.turnsOfTwo);
    expect(typeof trial?.cost_usd).toBe(agent.reports.includes("cost_usd") ? "number" : "object");
    expect(trial?.changes).toMatchObject([{ path: "notes.txt", status: "modified", added: 1, removed: 0 }]);
    const evidence = (key: string) =>
      readFileSync(join(project.runDirs().at(-1) ?? "", String(trial?.evidence[key])), "utf8");
    expect(evidence("changes")).toContain("+more");
    expect(evidence("prompt")).toBe(`Be brief.\n\n${TASK}`);
    expect(said(turns(name))).toContain(`Be brief.\n\n${TASK}`);
    expect(project.read("template/notes.txt")).toBe("what was there\n");
    expect(left()).toEqual([]);

    const before = turns(name).length;
    expect(before).toBe(4);
    expect((await eb(["suite", "run", "--ci"])).code).toBe(0);
    expect(caseOf(project, "it")).toMatchObject({ passed: true, cached: 2 });
    project.write(scored({ must_not_call: [nameOf(agent)] }));
    expect((await eb(["suite", "run", "--ci"])).code).toBe(1);
    expect(caseOf(project, "it").failure_reasons.join()).toContain("must not be called");
    expect(suiteReport(project)).toMatchObject({ cached_runs: 2 });
    expect(turns(name)).toHaveLength(before);
    seen.note(name, "as a target", "answer, calls with results, tokens, edits");
    seen.note(name, "reports its shell as", nameOf(agent));
    seen.note(name, "turns of one call and an answer", String(trial?.turns));
  });

  it.for([401, 500] as const)("fails a case when the service says %s, and is called again", async (status, context) => {
    const givesUp = status === 401 || agent.givesUp[500];
    const timeout = givesUp ? 60 : agent.startSeconds;
    let down = true;
    const { project, eb, turns, left } = await stage({
      agents: { [name]: { bin, script: () => (down ? { status } : { text: "fine" }) } },
      files: {
        [TARGET]: JSON.stringify(target(name, agent)),
        ...suite({ expect_keywords: ["fine"], timeout_seconds: timeout }),
      },
      onTestFinished: context.onTestFinished,
    });
    expect((await eb(["suite", "run", "--ci"])).code).toBe(1);
    const { status: verdict, error_message: reason, failure_reasons: reasons } = caseOf(project, "it");
    expect(verdict).toBe("failed");
    expect(reasons.join()).toContain(reason);
    if (status === 401) expect(reason).toContain("it may have no valid credentials: set ");
    else expect(reason).toMatch(givesUp ? /^the agent (ended with exit code|failed).*: \S/ : /^timed out after/);
    expect(left()).toEqual([]);
    down = false;
    const before = turns(name).length;
    expect(before).toBeGreaterThan(0);
    await eb(["suite", "run"]);
    expect(caseOf(project, "it")).toMatchObject({ passed: true, cached: 0 });
    expect(turns(name).length).toBeGreaterThan(before);
    seen.note(name, `a case at HTTP ${status}`, givesUp ? "fails" : "fails at the limit");
  });

  const counts = agent.commandsFail ? "counts" : "does not count";
  it(`uses two tools, of which the one with a command that fails ${counts} as failed`, async (context) => {
    const script: Script = ({ toolResults: { length } }) => {
      return length < 2
        ? { tool: agent.shell(["echo went-well", "cat no-such-file"][length] ?? "") }
        : { text: "fine" };
    };
    const { project, eb } = await stage({
      agents: { [name]: { bin, script } },
      files: {
        [TARGET]: JSON.stringify(target(name, agent)),
        ...suite({ workspace: {}, checks: { trajectory: { no_errors: true, must_call: [nameOf(agent)] } } }),
      },
      onTestFinished: context.onTestFinished,
    });
    await eb(["suite", "run", "--ci"]);
    const [trial] = caseOf(project, "it").trials;
    expect(trial?.output).toBe("fine");
    expect(trial?.tool_calls.map(({ result }) => result)).toEqual([
      expect.stringContaining("went-well"),
      expect.stringContaining("no-such-file"),
    ]);
    expect(trial?.tool_calls.map(({ error }) => error !== undefined)).toEqual([false, agent.commandsFail]);
    expect(trial?.status).toBe(agent.commandsFail ? "failed" : "passed");
    seen.note(name, "a command that fails, for `no_errors`", counts);
  });

  it("passes a case when the service takes no more at first", async (context) => {
    let refused = false;
    const script: Script = ({ tools }) => {
      if (refused) return { text: "fine" };
      refused = tools.includes(agent.shell("").name);
      return { status: 429 };
    };
    const { project, eb } = await stage({
      agents: { [name]: { bin, script } },
      files: { [TARGET]: JSON.stringify(target(name, agent)), ...suite({ expect_keywords: ["fine"] }) },
      onTestFinished: context.onTestFinished,
    });
    await eb(["suite", "run", "--ci"]);
    const [trial] = caseOf(project, "it").trials;
    expect(trial).toMatchObject({ status: "passed", output: "fine", error_message: null });
    seen.note(name, "one HTTP 429", trial?.retries ? "is called again" : "tries again by itself");
    expect(trial?.retries).toBe(agent.givesUp[429] ? 1 : 0);
  });
});

/** Says the first of `lines` that the conversation does not hold yet; before the very first comes the command. */
function inTurn(agent: RealAgent, command: string, lines: readonly string[]): Script {
  return (request) => {
    const next = lines.findIndex((line) => !said([request]).includes(line));
    if (next === 0 && request.toolResults.length === 0) return { tool: agent.shell(command) };
    return { text: lines[next] ?? "nothing more to say" };
  };
}

/** Every agent is once a member. */
const TEAMS = [
  ["claude", "codex"],
  ["gemini", "grok"],
  ["pi", "opencode"],
] as const;

describe.concurrent.each(TEAMS)("a team of %s and %s", (writer, reviewer) => {
  const [first, second] = [installed[writer], installed[reviewer]];
  if (!first || !second || "missing" in first || "missing" in second) {
    const missing = [first, second].flatMap((found) => (found && "missing" in found ? [found.missing] : []));
    it.skip(`NOT TESTED: ${missing.join("; ")}`, () => {});
    return;
  }

  it("works for two rounds until the keyword, each hearing the other, on the same files", async (context) => {
    const [one, two] = [realAgents[writer], realAgents[reviewer]] as [RealAgent, RealAgent];
    const { project, eb, turns, left } = await stage({
      agents: {
        [writer]: {
          bin: first.bin,
          script: inTurn(one, "echo by-the-writer > draft.txt", ["FIRST DRAFT", "second draft"]),
        },
        [reviewer]: { bin: second.bin, script: inTurn(two, "cat draft.txt", ["write it anew", "It is APPROVED."]) },
      },
      files: {
        [TARGET]: JSON.stringify({
          type: "team",
          strategy: "round_robin",
          max_turns: 8,
          stop: { keyword: "approved", agents: ["reviewer"] },
          agents: [
            { name: "writer", agent: writer, model: one.model, instructions: "You write." },
            { name: "reviewer", agent: reviewer, model: two.model, instructions: "You review." },
          ],
        }),
        ...suite({
          expect_keywords: ["APPROVED"],
          max_turns: 4,
          workspace: {},
          checks: { files: { must_change: ["draft.txt"] }, trajectory: { order: [nameOf(one), nameOf(two)] } },
        }),
      },
      onTestFinished: context.onTestFinished,
    });
    await eb(["suite", "run", "--ci"]);
    const result = caseOf(project, "it");
    expect(result.failure_reasons).toEqual([]);
    const [trial] = result.trials;
    expect(trial?.messages).toEqual([
      { role: "user", content: TASK },
      { role: "assistant", name: "writer", content: "FIRST DRAFT" },
      { role: "assistant", name: "reviewer", content: "write it anew" },
      { role: "assistant", name: "writer", content: "second draft" },
      { role: "assistant", name: "reviewer", content: "It is APPROVED." },
    ]);
    expect(trial).toMatchObject({ output: "It is APPROVED.", turns: 4, output_tokens: 6 * TOKENS.output });
    expect(trial?.tool_calls[1]?.result).toContain("by-the-writer");
    expect(said(turns(writer).slice(-1))).toContain("write it anew");
    expect(said(turns(reviewer).slice(0, 1))).toContain("FIRST DRAFT");
    expect(turns(writer).length + turns(reviewer).length).toBe(6);
    expect(left()).toEqual([]);
    await eb(["suite", "run"]);
    expect(caseOf(project, "it")).toMatchObject({ passed: true, cached: 1 });
    expect(turns(writer).length + turns(reviewer).length).toBe(6);
    for (const name of [writer, reviewer]) seen.note(name, "as a member of a team", "two rounds");
  });
});
