import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readAgentOutput } from "../../../src/agents/read-output.js";
import { temporaryDirectory } from "../../helpers/project.js";

const SAID = '{"score": 1, "reason": "mock says ok"}';
const fixture = (name: string) => `tests/fixtures/agents/${name}.jsonl`;

function readText(text: string, format: Parameters<typeof readAgentOutput>[1] = "text", prompt = "the prompt") {
  const path = join(temporaryDirectory(), "stdout.txt");
  writeFileSync(path, text);
  return readAgentOutput(path, format, prompt);
}

const lines = (...events: unknown[]) => events.map((event) => `${JSON.stringify(event)}\n`).join("");

describe("the real output of", () => {
  it.each([
    ["claude", "claude-sample", 120, 17, 20],
    ["claude", "claude-sample-json", 120, 17, 20],
    ["codex", "codex-sample", 120, 17, 20],
    ["gemini", "gemini-sample", 120, 17, 20],
    ["claude", "grok-sample-streaming-messages-json", 100, 17, 20],
    ["opencode", "opencode-sample", 100, 12, 20],
    ["pi", "pi-sample", 100, 17, 20],
  ] as const)("%s in %s", (format, name, input_tokens, output_tokens, cached_input_tokens) => {
    const answer = readAgentOutput(fixture(name), format, "the prompt");
    expect(answer).toMatchObject({ text: SAID, toolCalls: [] });
    expect(answer.failure).toBeUndefined();
    expect(answer.usage).toEqual({ input_tokens, output_tokens, cached_input_tokens });
    expect(answer.sessionId).toMatch(/[0-9a-f-]{8}|^ses_/);
  });

  it.each([
    ["claude", "claude-sample-tools", "Bash"],
    ["codex", "codex-sample-tools", "command_execution"],
    ["gemini", "gemini-sample-tools", "run_shell_command"],
    ["claude", "grok-sample-tools-streaming-messages-json", "run_terminal_command"],
    ["opencode", "opencode-sample-tools", "bash"],
    ["pi", "pi-sample-tools", "bash"],
  ] as const)("%s with a tool in %s", (format, name, tool) => {
    const { text, toolCalls, numTurns } = readAgentOutput(fixture(name), format, "the prompt");
    expect(text).toBe(SAID);
    expect(toolCalls).toHaveLength(1);
    expect(toolCalls[0]).toMatchObject({ name: tool });
    expect(JSON.stringify(toolCalls[0]?.arguments)).toContain("echo tool-ran");
    expect(JSON.stringify(toolCalls[0]?.result)).toMatch(/tool-ran-42|Blocked/);
    if (numTurns !== undefined) expect(numTurns).toBeGreaterThan(0);
  });

  it.each([
    ["claude", "grok-sample-tools-streaming-messages-json", "exit: 0\ntool-ran-42\n"],
    ["pi", "pi-sample-tools", "tool-ran-42\n"],
  ] as const)("%s gives the result of a tool as the text that it is in %s", (format, name, result) => {
    expect(readAgentOutput(fixture(name), format, "x").toolCalls).toMatchObject([{ result }]);
    expect(readAgentOutput(fixture(name), format, "x").toolCalls[0]?.error).toBeUndefined();
  });

  it.each(["gemini-sample-json", "grok-sample-json"])("%s, one document, read as text", (name) => {
    expect(readAgentOutput(fixture(name), "text", "the prompt")).toMatchObject({ text: SAID });
  });
});

describe("an answer is not taken from", () => {
  const result = { type: "result", subtype: "success", is_error: false, result: "I could not decide." };

  it.each([
    [
      "a tool result",
      "claude",
      [{ type: "user", message: { content: [{ type: "tool_result", content: SAID }] } }, result],
    ],
    [
      "an earlier message",
      "claude",
      [{ type: "assistant", message: { content: [{ type: "text", text: SAID }] } }, result],
    ],
    [
      "a message before a tool was used",
      "codex",
      [
        { type: "item.completed", item: { type: "agent_message", text: SAID } },
        {
          type: "item.completed",
          item: { type: "command_execution", command: "ls", aggregated_output: SAID, exit_code: 0 },
        },
        { type: "turn.completed", usage: {} },
      ],
    ],
    [
      "a user's turn",
      "gemini",
      [
        { type: "message", role: "user", content: SAID },
        { type: "result", status: "success" },
      ],
    ],
    [
      "a message before a tool was used",
      "gemini",
      [
        { type: "message", role: "assistant", content: SAID },
        { type: "tool_use", tool_name: "ls", tool_id: "1" },
        { type: "tool_result", tool_id: "1", status: "success", output: SAID },
        { type: "result", status: "success" },
      ],
    ],
    [
      "a text before a tool was used",
      "opencode",
      [
        { type: "text", part: { text: SAID } },
        { type: "tool_use", part: { tool: "bash", state: { status: "completed", output: SAID } } },
      ],
    ],
    [
      "a tool's message",
      "pi",
      [
        { type: "agent_start" },
        {
          type: "agent_end",
          messages: [
            { role: "toolResult", content: [{ type: "text", text: SAID }] },
            { role: "assistant", content: [{ type: "text", text: "done" }], stopReason: "stop" },
          ],
        },
      ],
    ],
    [
      "a user's message",
      "openhands",
      [{ kind: "MessageEvent", source: "user", llm_message: { content: [{ type: "text", text: SAID }] } }],
    ],
  ] as const)("%s (%s)", (_, format, events) => {
    expect(readText(lines(...events), format).text ?? "").not.toContain("score");
  });

  it("an echo of the prompt", () => {
    const prompt = `Judge this.\nAn example: ${SAID}`;
    expect(readText(`> ${prompt}\n`, "text", prompt).text).not.toContain("score");
  });
});

describe("an error that the agent goes on after is told", () => {
  it.each([
    [
      "claude",
      { type: "system", subtype: "api_retry", attempt: 6, max_retries: 10, error_status: 401, error: "auth" },
      "API error 401 auth, try 6 of 10",
    ],
    ["codex", { type: "error", message: "Reconnecting... 2/5" }, "Reconnecting... 2/5"],
    ["pi", { type: "auto_retry_start", attempt: 1, errorMessage: "500 oops" }, "500 oops"],
  ] as const)("%s", (format, event, trouble) => {
    const begin = { type: { claude: "system", codex: "turn.started", pi: "agent_start" }[format] };
    expect(readText(lines(begin, event), format).trouble).toBe(trouble);
  });
});

describe("a failure is told", () => {
  it.each([
    [
      "a result that is marked as an error",
      "claude",
      [{ type: "result", subtype: "success", is_error: true, result: "API Error: 401" }],
      "API Error: 401",
    ],
    [
      "a result with a list of errors, as Grok has it",
      "claude",
      [
        {
          type: "result",
          subtype: "error_during_execution",
          is_error: true,
          errors: ["rate_limit_exceeded: slow down"],
        },
      ],
      "rate_limit_exceeded: slow down",
    ],
    ["no result at all", "claude", [{ type: "system", subtype: "init" }], "without a result"],
    [
      "a failed turn",
      "codex",
      [{ type: "turn.started" }, { type: "turn.failed", error: { message: "429 too many" } }],
      "429 too many",
    ],
    [
      "an error result",
      "gemini",
      [{ type: "init" }, { type: "result", status: "error", error: { message: "no quota" } }],
      "no quota",
    ],
    [
      "no result at all",
      "gemini",
      [{ type: "init" }, { type: "message", role: "assistant", content: SAID }],
      "without a result",
    ],
    [
      "an error event",
      "opencode",
      [{ type: "error", error: { name: "APIError", data: { message: "Unauthorized" } } }],
      "Unauthorized",
    ],
    [
      "a message that stopped with an error",
      "pi",
      [
        { type: "agent_start" },
        { type: "agent_end", messages: [{ role: "assistant", content: [], stopReason: "error", errorMessage: "500" }] },
      ],
      "500",
    ],
    ["no end", "pi", [{ type: "session", id: "x" }], "without an answer"],
    [
      "a failed conversation",
      "openhands",
      [{ kind: "ConversationErrorEvent", source: "environment", detail: "LLM gone" }],
      "LLM gone",
    ],
  ] as const)("%s (%s)", (_, format, events, failure) => {
    const answer = readText(lines(...events), format);
    expect(answer.failure).toContain(failure);
    expect(answer.text).toBeNull();
  });
});

describe("a call that failed is one", () => {
  const opencode = (part: object) => lines({ type: "tool_use", part });
  const claude = (content: unknown) =>
    lines(
      { type: "assistant", message: { content: [{ type: "tool_use", id: "1", name: "x", input: {} }] } },
      { type: "user", message: { content: [{ type: "tool_result", tool_use_id: "1", content, is_error: false }] } },
    );
  const command = { type: "Bash", output: [110, 111], output_for_prompt: "exit: 1\nno", exit_code: 1 };

  it.each([
    ["opencode", opencode({ tool: "bash", state: { status: "completed", output: "no", metadata: { exit: 1 } } }), "no"],
    ["opencode", opencode({ tool: "invalid", state: { status: "completed", output: "no" } }), "no"],
    ["claude", claude(JSON.stringify(command)), "exit: 1\nno"],
  ] as const)("%s: %s", (format, text, result) => {
    expect(readText(text, format).toolCalls).toMatchObject([{ result, error: true }]);
  });

  it("and one that ended well, or has another form, is not", () => {
    const image = [{ type: "text", text: "a" }, { type: "image" }];
    const forms = [
      JSON.stringify({ ...command, exit_code: 0 }),
      '{"type":"Bash",',
      [{ type: "text", text: "a" }],
      image,
    ];
    const calls = forms.map((content) => readText(claude(content), "claude").toolCalls[0]);
    expect(calls.map((call) => call?.result)).toEqual(["exit: 1\nno", '{"type":"Bash",', "a", image]);
    expect(calls.map((call) => call?.error)).toEqual([undefined, undefined, undefined, undefined]);
  });
});

it("output without one event of the format is read as text", () => {
  for (const format of ["claude", "codex", "gemini", "opencode", "openhands", "pi"] as const) {
    expect(readText(`Sure!\n${SAID}\n`, format).text).toContain(SAID);
  }
});

it("a stream of events from an agent of the user's own is unwrapped", () => {
  const planted = { type: "user", message: { content: [{ type: "tool_result", content: SAID }] } };
  const final = { type: "result", subtype: "success", is_error: false, result: '{"score": 0}' };
  expect(readText(lines({ type: "system" }, planted, final)).text).toBe('{"score": 0}');
  expect(readText(lines({ type: "system" }, planted)).text).toBeNull();
});

it("events may be indented and stand between other lines", () => {
  const event = { kind: "ActionEvent", source: "agent", action: { kind: "FinishAction", message: SAID } };
  const text = `Agent is working\n--JSON Event--\n${JSON.stringify(event, null, 2)}\nAgent finished\n`;
  expect(readText(text, "openhands").text).toBe(SAID);
});

it("an empty output has no answer", () => {
  for (const format of ["text", "claude", "codex"] as const) expect(readText("", format).text).toBeNull();
});

describe("text that quotes an event from a file", () => {
  const quoted = JSON.stringify({ type: "result", subtype: "success", is_error: false, result: '{"score": 1}' });

  it("stays text", () => {
    const text = `The log holds\n${quoted}\nso: {"score": 0}`;
    for (const format of ["text", "claude", "codex", "gemini", "opencode", "pi"] as const) {
      expect(readText(text, format).text, format).toBe(text);
    }
  });

  it("is not what a line for people before or after the events makes of them", () => {
    const stream = lines({ type: "system" }, { type: "result", is_error: false, result: SAID });
    for (const text of [`Loading…\n${stream}`, `${stream}\nBye.\n`, `\ufeff${stream}`]) {
      expect(readText(text, "claude").text, text).toBe(SAID);
      expect(readText(text, "text").text, text).toBe(SAID);
    }
  });
});

it("a list of all events is read as they are", () => {
  const list = [{ type: "system" }, { type: "result", is_error: false, result: SAID, num_turns: 2 }];
  expect(readText(JSON.stringify(list), "claude")).toMatchObject({ text: SAID, numTurns: 2 });
  expect(readText(JSON.stringify(list, null, 2), "text").text).toBe(SAID);
  expect(readText('[{"score": 1}]').text).toBe('[{"score": 1}]');
});

it("a verdict is not taken for a document around one", () => {
  const verdict = '{"score": 0, "result": "{\\"score\\": 1}", "text": "t"}';
  expect(readText(verdict).text).toBe(verdict);
});

it("JSON that is too deep or too long for a parser is no event, and costs nothing", () => {
  const started = performance.now();
  for (const nasty of [
    '{"a":'.repeat(2e6),
    `{"a":${"[".repeat(2e7)}`,
    `{"type": "x", "a": [${"{},".repeat(2e7)}{}]}`,
  ]) {
    expect(readText(`${nasty}\n${SAID}`, "claude").text?.endsWith(SAID)).toBe(true);
  }
  expect(performance.now() - started).toBeLessThan(15_000);
});
