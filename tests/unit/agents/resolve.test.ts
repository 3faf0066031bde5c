import { describe, expect, it } from "vitest";
import { agentNamed, resolveAgents } from "../../../src/agents/resolve.js";
import { builtinAgents } from "../../../src/agents/templates.js";

describe("resolveAgents", () => {
  it("overrides single fields of a built-in agent, and leaves the others alone", () => {
    const agents = resolveAgents({ claude: { default_model: "m", shared_flags: [] } });
    expect(agents["claude"]).toEqual({ ...builtinAgents["claude"], default_model: "m", shared_flags: [] });
    expect(agents["codex"]).toEqual(builtinAgents["codex"]);
  });

  it("takes an empty string as unset", () => {
    const { codex } = resolveAgents({ codex: { default_model: "", reasoning_effort: "" } });
    const { default_model, reasoning_effort, ...rest } = builtinAgents["codex"] ?? {};
    expect([default_model, reasoning_effort]).not.toContain(undefined);
    expect(codex).toEqual(rest);
  });

  it.each(["mine", "constructor", "toString"])("makes a new agent '%s' of a command", (name) => {
    const agents = resolveAgents({ [name]: { command: ["x"] } });
    expect(agentNamed(name, agents)).toEqual({ command: ["x"], output_format: "text", prompt_via: "arg" });
  });

  it("refuses new agents without a command, all at once", () => {
    expect(() => resolveAgents({ clode: {}, codex: { command: ["y"] }, other: { model_flag: "-m" } })).toThrow(
      expect.objectContaining({
        problems: [
          {
            field: "agents.clode.command",
            message: "is required for an agent that is not built in (did you mean 'claude'?): a list of strings",
          },
          {
            field: "agents.other.command",
            message: "is required for an agent that is not built in: a list of strings",
          },
        ],
      }),
    );
  });
});

describe("agentNamed", () => {
  it.each(["claud", "constructor", ""])("lists the known agents for '%s'", (name) => {
    expect(() => agentNamed(name, resolveAgents({}))).toThrow(
      expect.objectContaining({
        code: "harness",
        message: expect.stringContaining(`unknown agent '${name}'`),
        hint: expect.stringContaining("claude, codex, gemini, grok, opencode, openhands, pi"),
      }),
    );
  });
});
