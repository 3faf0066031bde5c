import { describe, expect, it } from "vitest";
import { INTERRUPTED } from "../../../../src/report/schema.js";
import { teamPrompt } from "../../../../src/suites/targets/team/team-prompt.js";
import { callTarget } from "../../../../src/suites/targets/types.js";
import { until } from "../../../helpers/processes.js";
import { project } from "../../../helpers/project.js";
import { type Handler, serve } from "../../../helpers/server.js";
import { type CallOptions, callOnce, targetCall, targetIn } from "../../../helpers/target-call.js";

/** A member that says what a shell script prints; `prompt` is a variable in it. */
const says = (name: string, script: string, more: Record<string, unknown> = {}) => ({
  name,
  command: ["/bin/sh", "-c", `prompt=$(cat); ${script}`],
  ...more,
});

const team = (agents: unknown[], more: Record<string, unknown> = {}, options: CallOptions = {}) =>
  callOnce({ type: "team", agents, ...more }, options);

describe("in sequence", () => {
  it("each gets the task and what was said before, once", async () => {
    const echo = 'echo "$prompt"';
    const { session } = await team(
      [says("a", "echo plan"), says("b", echo), says("c", "echo end")],
      {},
      { input: "Build it." },
    );
    expect(session).toMatchObject({ output: "end", error: null, turns: 3 });
    expect(session.messages).toEqual([
      { role: "user", content: "Build it." },
      { role: "assistant", name: "a", content: "plan" },
      {
        role: "assistant",
        name: "b",
        content:
          "Task:\nBuild it.\n\nConversation so far, oldest message first:\n\n[a]\nplan\n\nYou are 'b'. Write your next message, and nothing else.",
      },
      { role: "assistant", name: "c", content: "end" },
    ]);
  });

  it("fewer turns than agents cut it short, more do not begin again", async () => {
    const agents = [says("a", "echo 1"), says("b", "echo 2")];
    expect((await team(agents, { max_turns: 1 })).session).toMatchObject({ output: "1", turns: 1 });
    expect((await team(agents, { max_turns: 9 })).session).toMatchObject({ output: "2", turns: 2 });
  });
});

describe("in rounds", () => {
  const count = says("a", `echo "a$(echo "$prompt" | grep -c '^\\[')"`);

  it("they go on until the turns are used up", async () => {
    const { session } = await team([count, says("b", "echo b")], { strategy: "round_robin", max_turns: 5 });
    expect(session.messages.slice(1).map(({ content }) => content)).toEqual(["a0", "b", "a2", "b", "a4"]);
    expect(session).toMatchObject({ output: "a4", turns: 5, error: null });
  });

  it.each([
    [{ keyword: "A2" }, ["a0", "b", "a2"]],
    [{ regex: "^a[1-9]$" }, ["a0", "b", "a2"]],
    [{ regex: "/^B$/i" }, ["a0", "b"]],
    [{ regex: "(?i)^B\\Z" }, ["a0", "b"]],
    [{ regex: "^B$" }, ["a0", "b", "a2", "b"]],
    [{ keyword: "a", agents: ["b"] }, ["a0", "b", "a2", "b"]],
    [{ keyword: "b", agents: ["b"] }, ["a0", "b"]],
    [{ keyword: "no", regex: "2" }, ["a0", "b", "a2"]],
  ])("or %j stops them", async (stop, said) => {
    const more = { strategy: "round_robin", max_turns: 4, stop };
    const { session } = await team([count, says("b", "echo b")], more);
    expect(session.messages.slice(1).map(({ content }) => content)).toEqual(said);
    expect(session).toMatchObject({ error: null, turns: said.length });
  });

  it("the output is the last message of one that may stop them, else the last one", async () => {
    const agents = [says("a", "echo from a"), says("b", "echo from b")];
    const outputOf = async (stop: object) => (await team(agents, { stop })).session.output;
    expect(await outputOf({ agents: ["a"] })).toBe("from a");
    expect(await outputOf({ agents: ["a", "b"] })).toBe("from b");
    expect(await outputOf({})).toBe("from b");
    expect((await team(agents, { max_turns: 1, stop: { agents: ["b"] } })).session.output).toBe("from a");
  });

  it("a pattern that backtracks without end is stopped", async () => {
    const script = `printf 'a%.0s' $(seq 60); echo '!'`;
    const { session } = await team([says("a", script)], { stop: { regex: "^(a+)+$" } });
    expect(session.error).toContain(
      "the stop regex /^(a+)+$/ can't be used on a message of a: it was stopped after 1000 ms",
    );
    expect(session.turns).toBe(1);
  });
});

it("instructions stand before what each is asked", async () => {
  const p = project({ "rules.md": "Rule.\n" });
  const { session } = await callOnce(
    { type: "team", agents: [says("a", 'echo "$prompt"', { instructions: { file: "rules.md" } })] },
    { files: { "rules.md": p.read("rules.md") } },
  );
  expect(session.output).toMatch(/^Rule\.\n\nTask:\ndo it\n\nYou are 'a'\./);
});

describe("one that fails ends the session", () => {
  it("and what was said before is kept", async () => {
    const { session, evidence } = await team([
      says("a", "echo plan"),
      says("b", "echo half; exit 3"),
      says("c", "echo c"),
    ]);
    expect(session).toMatchObject({ error: "b: exit code 3", output: "half", turns: 2 });
    expect(session.messages.map(({ content }) => content)).toEqual(["do it", "plan", "half"]);
    expect(evidence("turn-1.stdout")).toBe("plan\n");
    expect(evidence("turn-2.stdout")).toBe("half\n");
  });

  it("also one that has no time left", async () => {
    const { session } = await team([says("a", "echo plan"), says("b", "sleep 60")], {}, { timeoutMs: 700 });
    expect(session).toMatchObject({ error: "b: timed out after 0.7 s", output: "plan" });
  });

  it("the run was stopped", async () => {
    const stop = new AbortController();
    const p = project({
      "target.yaml": JSON.stringify({ type: "team", agents: [says("a", "echo 1"), says("b", "touch on; sleep 60")] }),
    });
    const running = callTarget(targetIn(p), targetCall(p, { signal: stop.signal }));
    await until("the second one works", () => p.has("on"));
    stop.abort();
    const session = await running;
    expect(session.error).toBe(INTERRUPTED);
    expect(session.messages.at(-1)).toEqual({ role: "assistant", name: "a", content: "1" });
  });
});

it("tokens, cost, tools and retries of models are summed", async () => {
  const handler: Handler = (_, response, number) => {
    if (number === 1) return void response.writeHead(429, { "retry-after": "0" }).end("{}");
    const tool_calls = [{ id: "1", type: "function", function: { name: `tool${number}`, arguments: "{}" } }];
    const body = {
      model: "m",
      choices: [{ message: { content: `said ${number}`, tool_calls } }],
      usage: { prompt_tokens: 100, completion_tokens: 10 },
    };
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(body));
  };
  const server = await serve(handler);
  const models = { fast: { url: server.url, model: "m", price: { input: 1000, output: 1000 } } };
  const agents = [
    { name: "a", model: "fast", instructions: "Be brief." },
    { name: "b", model: "fast" },
  ];
  const { session } = await callOnce({ type: "team", agents }, { sources: { models } });
  expect(session).toMatchObject({
    output: "said 3",
    error: null,
    turns: 2,
    inputTokens: 200,
    outputTokens: 20,
    retries: 1,
    model: "m",
    toolCalls: [{ name: "tool2" }, { name: "tool3" }],
  });
  expect(session.costUsd).toBeCloseTo(0.22, 9);
  const sent = server.requests.map(({ text }) => JSON.parse(text).messages);
  expect(sent[1][0]).toEqual({ role: "system", content: "Be brief." });
  expect(sent[2][0].content).toContain("[a]\nsaid 2");
});

it("the cost is known only where that of every reply is", async () => {
  const says = (text: string, cost?: number) => [
    "node",
    "-e",
    `console.log(JSON.stringify(${JSON.stringify({ output: text, cost_usd: cost })}))`,
  ];
  const team = (second?: number) => ({
    type: "team",
    agents: [
      { name: "a", command: says("x", 0.25), output: "json" },
      { name: "b", command: says("y", second), output: "json" },
    ],
  });
  expect((await callOnce(team(0.5))).session.costUsd).toBe(0.75);
  expect((await callOnce(team())).session.costUsd).toBeUndefined();
});

it("the prompt holds the task byte for byte", () => {
  const task = "{{x}} $HOME {name}\n---\t `'\"\\ ";
  expect(teamPrompt({ task, said: [], name: "a" })).toBe(
    `Task:\n${task}\n\nYou are 'a'. Write your next message, and nothing else.`,
  );
});
