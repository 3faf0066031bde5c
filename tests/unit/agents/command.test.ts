import { describe, expect, it } from "vitest";
import { agentCommand, type CommandOptions, cannotInject } from "../../../src/agents/command.js";
import { type AgentTemplate, builtinAgents } from "../../../src/agents/templates.js";

const FILE = "/run/checks/it.prompt.txt";
const INSTRUCTION = `Read the file ${FILE} and do exactly what it says.`;

function template(name: string, more: Partial<AgentTemplate> = {}): AgentTemplate {
  const found = builtinAgents[name];
  if (!found) throw new Error(`there is no agent ${name}`);
  return { ...found, ...more };
}

const custom = (more: Partial<AgentTemplate> = {}): AgentTemplate => ({
  command: ["judge", "now"],
  output_format: "text",
  prompt_via: "arg",
  ...more,
});

function call(agent: AgentTemplate, options: Partial<CommandOptions> = {}) {
  return agentCommand(agent, { prompt: "P", promptFile: FILE, platform: "linux", ...options });
}

/** How each built-in agent is called. `*` is where its own flags are. */
const CALLS: Record<string, { plain: string[]; full: string[]; stdin: boolean; env: string[] }> = {
  claude: {
    plain: ["claude", "*"],
    full: ["claude", "*", "--model", "M", "--effort", "E"],
    stdin: true,
    env: ["ANTHROPIC_MODEL", "ANTHROPIC_DEFAULT_SONNET_MODEL", "ANTHROPIC_DEFAULT_OPUS_MODEL"],
  },
  codex: {
    plain: ["codex", "exec", "*", "-"],
    full: ["codex", "exec", "*", "--model", "M", "-c", "model_reasoning_effort=E", "-"],
    stdin: true,
    env: [],
  },
  gemini: { plain: ["gemini", "*"], full: ["gemini", "*", "--model", "M"], stdin: true, env: [] },
  grok: {
    plain: ["grok", "*", "--prompt-file", FILE],
    full: ["grok", "*", "-m", "M", "--reasoning-effort", "E", "--prompt-file", FILE],
    stdin: false,
    env: [],
  },
  opencode: {
    plain: ["opencode", "run", "*"],
    full: ["opencode", "run", "*", "--model", "M", "--variant", "E"],
    stdin: true,
    env: [],
  },
  openhands: {
    plain: ["openhands", "*", "-f", FILE],
    full: ["openhands", "*", "-f", FILE],
    stdin: false,
    env: ["LLM_MODEL"],
  },
  pi: { plain: ["pi", "*"], full: ["pi", "*", "--model", "M", "--thinking", "E"], stdin: true, env: [] },
};

const LONGEST = 131_071;
const PROMPTS: Record<string, string> = {
  "a short one": "P",
  "one that begins with -": "--help",
  "one that begins with /": "/clear",
  "one that begins with @": "@file",
  "a long one": "x".repeat(5e6),
};

describe.each(Object.keys(builtinAgents))("%s", (name) => {
  const { plain, full, stdin, env } = CALLS[name] ?? { plain: [], full: [], stdin: false, env: [] };
  const withFlags = (argv: string[]) =>
    argv.flatMap((arg) => (arg === "*" ? (template(name).shared_flags ?? []) : arg));
  const effort = template(name).reasoning_effort_flag ? "E" : undefined;

  it.each(Object.entries(PROMPTS))("gets %s past the arguments, so that it arrives as it is", (_, prompt) => {
    const command = call(template(name), { prompt });
    expect(command.argv).toEqual(withFlags(plain));
    expect(command.stdinFile).toBe(stdin ? FILE : undefined);
    expect(command.env).toEqual({});
  });

  it("gets model and effort", () => {
    const command = call(template(name), { model: "M", effort });
    expect(command.argv).toEqual(withFlags(full));
    expect(command.env).toEqual(Object.fromEntries(env.map((variable) => [variable, "M"])));
    expect(cannotInject(name, template(name), { model: "M", effort })).toBeUndefined();
  });

  it("can be asked for its default model and effort", () => {
    const { default_model: model, reasoning_effort } = template(name);
    expect(cannotInject(name, template(name), { model, effort: reasoning_effort })).toBeUndefined();
  });
});

describe("a prompt as an argument", () => {
  const SHORT = Object.values(PROMPTS).filter((prompt) => prompt.length < 100);

  it.each([
    ["claude", (P: string) => ["--", P]],
    ["codex", (P: string) => ["--", P]],
    ["gemini", (P: string) => [`--prompt=${P}`]],
    ["grok", (P: string) => [`--single=${P}`]],
    ["openhands", (P: string) => ["-t", P]],
    ["opencode", (P: string) => [P]],
    ["pi", (P: string) => [P]],
  ])("stands at the end of the call of %s, behind what keeps it from being a flag", (name, args) => {
    for (const prompt of SHORT) {
      const { argv, stdinFile } = call(template(name, { prompt_via: "arg" }), { prompt, model: "M" });
      expect(argv.slice(-args("").length), prompt).toEqual(args(prompt));
      expect(stdinFile).toBeUndefined();
    }
  });

  it.each<[string, Partial<AgentTemplate>, string[]]>([
    ["at the end by default", {}, ["judge", "now", "--flag", "-m", "M", "e=E", "P"]],
    ["at the end", { prompt_position: "tail" }, ["judge", "now", "--flag", "-m", "M", "e=E", "P"]],
    ["after the command", { prompt_position: "after_command" }, ["judge", "now", "P", "--flag", "-m", "M", "e=E"]],
    ["behind its flag", { prompt_flag: "-p" }, ["judge", "now", "--flag", "-m", "M", "e=E", "-p", "P"]],
    ["in its flag", { prompt_flag: "--p=" }, ["judge", "now", "--flag", "-m", "M", "e=E", "--p=P"]],
    [
      "behind its flag after the command",
      { prompt_flag: "-p", prompt_position: "after_command" },
      ["judge", "now", "-p", "P", "--flag", "-m", "M", "e=E"],
    ],
    ["with the model in its flag", { model_flag: "--model=" }, ["judge", "now", "--flag", "--model=M", "e=E", "P"]],
    ["without flags", { shared_flags: [], model_flag: "", reasoning_effort_flag: [] }, ["judge", "now", "P"]],
  ])("stands %s", (_, more, argv) => {
    const agent = custom({
      shared_flags: ["--flag"],
      model_flag: "-m",
      reasoning_effort_flag: ["e={effort}"],
      ...more,
    });
    expect(call(agent, { model: "M", effort: "E" })).toEqual({ argv, env: {} });
  });

  it("is one up to 131,071 bytes, with its flag", () => {
    const fits = "x".repeat(LONGEST);
    expect(call(custom(), { prompt: fits }).argv.at(-1)).toBe(fits);
    expect(call(custom(), { prompt: `${fits}x` }).argv.at(-1)).toBe(INSTRUCTION);
    expect(call(custom(), { prompt: "你".repeat(43_690) }).argv.at(-1)).toHaveLength(43_690);
    expect(call(custom(), { prompt: "你".repeat(43_691) }).argv.at(-1)).toBe(INSTRUCTION);
    const joined = custom({ prompt_flag: "--p=" });
    expect(call(joined, { prompt: "x".repeat(LONGEST - 4) }).argv.at(-1)).toHaveLength(LONGEST);
    expect(call(joined, { prompt: "x".repeat(LONGEST - 3) }).argv.at(-1)).toBe(`--p=${INSTRUCTION}`);
    expect(call(custom({ prompt_flag: "-p" }), { prompt: fits }).argv.slice(-2)).toEqual(["-p", fits]);
  });

  it("that is too long for Windows becomes an instruction sooner", () => {
    const prompt = "x".repeat(24_001);
    expect(call(custom(), { prompt, platform: "win32" }).argv.at(-1)).toBe(INSTRUCTION);
    expect(call(custom(), { prompt, platform: "linux" }).argv.at(-1)).toBe(prompt);
    expect(call(custom(), { prompt: "x".repeat(24_000), platform: "win32" }).argv.at(-1)).toHaveLength(24_000);
  });

  it.each([
    ["claude", []],
    ["codex", ["-"]],
    ["gemini", []],
    ["opencode", []],
    ["pi", []],
  ])("that is too long goes to the standard input of %s, which reads it", (name, args) => {
    const agent = template(name, { prompt_via: "arg" });
    const command = call(agent, { prompt: "x".repeat(LONGEST + 1) });
    expect(command).toEqual({
      argv: [...agent.command, ...(agent.shared_flags ?? []), ...args],
      stdinFile: FILE,
      env: {},
    });
  });

  it("that holds a NUL, which no argument can, is handed over in another way", () => {
    expect(call(custom(), { prompt: "a\0b" }).argv.at(-1)).toBe(INSTRUCTION);
    expect(call(template("claude", { prompt_via: "arg" }), { prompt: "a\0b" }).stdinFile).toBe(FILE);
  });
});

describe("a prompt that is no argument", () => {
  it("comes on standard input, with other arguments in its place", () => {
    const agent = custom({ prompt_via: "stdin", prompt_flag: "-p" });
    expect(call(agent)).toEqual({ argv: ["judge", "now"], stdinFile: FILE, env: {} });
    expect(call({ ...agent, prompt_stdin_args: ["-", "x"] }).argv).toEqual(["judge", "now", "-", "x"]);
  });

  it("comes as the path of a file, with or without a flag", () => {
    const agent = custom({ prompt_via: "file", prompt_flag: "-p" });
    expect(call(agent)).toEqual({ argv: ["judge", "now", FILE], env: {} });
    expect(call({ ...agent, prompt_file_flag: "--file" }).argv).toEqual(["judge", "now", "--file", FILE]);
    expect(call({ ...agent, prompt_file_flag: "--file=" }).argv).toEqual(["judge", "now", `--file=${FILE}`]);
    expect(call({ ...agent, prompt_position: "after_command", shared_flags: ["-x"] }).argv).toEqual([
      ...["judge", "now", FILE, "-x"],
    ]);
  });
});

describe("model and effort", () => {
  it("stand in the place of nothing else", () => {
    const agent = custom({ model_flag: "-m", reasoning_effort_flag: ["{effort}", "a={effort},{effort}", "plain"] });
    const { argv } = call(agent, { model: "$& {effort}", effort: "$& $1" });
    expect(argv).toEqual(["judge", "now", "-m", "$& {effort}", "$& $1", "a=$& $1,$& $1", "plain", "P"]);
  });

  it.each<[string, Partial<AgentTemplate>, string | undefined, string | undefined, RegExp]>([
    ["a model", {}, "m", undefined, /^cannot inject model 'm': agent 'x' has neither model_flag nor model_env_vars$/],
    ["a model, flag unset", { model_flag: "", model_env_vars: [] }, "m", undefined, /^cannot inject model 'm'/],
    ["an effort", {}, undefined, "high", /^cannot inject reasoning effort 'high': agent 'x' has no \{effort\}/],
    ["an effort without its place", { reasoning_effort_flag: ["-e"] }, undefined, "high", /reasoning effort 'high'/],
    ["both", {}, "m", "high", /model 'm'.*; cannot inject reasoning effort 'high'/],
  ])("that can't be handed over are named: %s", (_, more, model, effort, message) => {
    expect(cannotInject("x", custom(more), { model, effort })).toMatch(message);
  });

  it("can be handed over by variables alone, and need not be asked for", () => {
    expect(cannotInject("x", custom({ model_env_vars: ["A"] }), { model: "m", effort: undefined })).toBeUndefined();
    expect(cannotInject("x", custom(), { model: undefined, effort: undefined })).toBeUndefined();
  });
});
