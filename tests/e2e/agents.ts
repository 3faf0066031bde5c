import type { Json, ToolUse } from "./protocols/protocol.js";

/** A real agent: where it comes from, how it is pointed at a server on loopback, and what is expected of it. */
export interface RealAgent {
  package: string;
  version: string;
  /** The model to ask for, and its name in the requests. */
  model: string;
  wireModel: string;
  /** An effort to ask for, and what the requests then hold; absent: the agent has none. */
  effort?: { ask: string; onWire: Json };
  /** The call of the tool that runs a command of the shell. */
  shell: (command: string) => ToolUse;
  /** The name that its events give that tool; absent: the same. */
  reportsShell?: string;
  /** Whether its events tell that a command ended with another exit code than 0. */
  commandsFail: boolean;
  /** How many turns it says that a call and an answer are; 1 where it says nothing. */
  turnsOfTwo: number;
  /** What makes it talk to a server: variables, and files of its home. */
  setUp: (server: ServerAccess) => { env?: Record<string, string>; home?: Record<string, string> };
  /** Whether the prompt can also be an argument. */
  takesArgument: boolean;
  /** Whether it sends the content of a file along with a prompt that names it as `@file`. */
  addsFiles?: boolean;
  /** How long it may take until it asks the model for the first time, in seconds, while another one is at work. */
  startSeconds: number;
  /** Whether it gives up by itself after HTTP 429 and 500; else it tries again for longer than a test may take. */
  givesUp: { 429: boolean; 500: boolean };
  /** The files of a hostile workspace that reach its model, whatever the template says. */
  readsFromWorkspace: readonly string[];
  /** The details that it reports besides usage. */
  reports: readonly ("cost_usd" | "num_turns" | "session_id")[];
}

interface ServerAccess {
  url: string;
  key: string;
  /** Whether it may try again after an error, as it does by itself; else it gives up as soon as it can be made to. */
  patient: boolean;
}

const MODEL = "test-model";

export const realAgents: Readonly<Record<string, RealAgent>> = {
  claude: {
    package: "@anthropic-ai/claude-code",
    version: "2.1.332",
    model: "claude-sonnet-4-6",
    wireModel: "claude-sonnet-4-6",
    effort: { ask: "low", onWire: { output_config: { effort: "low" } } },
    shell: (command) => ({ name: "Bash", input: { command, description: "as it was told to" } }),
    setUp: ({ url, key, patient }) => ({
      env: {
        ANTHROPIC_BASE_URL: url,
        ANTHROPIC_API_KEY: key,
        CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
        ...(!patient && { CLAUDE_CODE_MAX_RETRIES: "0" }),
        // It refuses to skip permissions as root otherwise.
        IS_SANDBOX: "1",
      },
    }),
    addsFiles: true,
    commandsFail: true,
    turnsOfTwo: 2,
    takesArgument: true,
    startSeconds: 15,
    givesUp: { 429: true, 500: true },
    readsFromWorkspace: [],
    reports: ["cost_usd", "num_turns", "session_id"],
  },
  codex: {
    package: "@openai/codex",
    version: "0.171.0",
    model: MODEL,
    wireModel: MODEL,
    effort: { ask: "low", onWire: { reasoning: { effort: "low" } } },
    shell: (command) => ({ name: "exec_command", input: { cmd: command } }),
    reportsShell: "command_execution",
    setUp: ({ url, key, patient }) => ({
      env: { TEST_KEY: key },
      home: {
        ".codex/config.toml": `model_provider = "test"
[model_providers.test]
name = "test"
base_url = "${url}/v1"
env_key = "TEST_KEY"
wire_api = "responses"
${patient ? "" : "request_max_retries = 0\nstream_max_retries = 0\n"}`,
      },
    }),
    commandsFail: true,
    turnsOfTwo: 1,
    takesArgument: true,
    startSeconds: 10,
    givesUp: { 429: true, 500: true },
    readsFromWorkspace: ["agents-skill", "codex-skill"],
    reports: ["num_turns", "session_id"],
  },
  gemini: {
    package: "@google/gemini-cli",
    version: "0.61.0",
    model: "gemini-2.5-pro",
    wireModel: "gemini-2.5-pro",
    shell: (command) => ({ name: "run_shell_command", input: { command, description: "as it was told to" } }),
    setUp: ({ url, key, patient }) => ({
      env: { GOOGLE_GEMINI_BASE_URL: url, GEMINI_API_KEY: key },
      home: {
        ".gemini/settings.json": JSON.stringify({
          security: { auth: { selectedType: "gemini-api-key" } },
          ...(!patient && { general: { maxAttempts: 1 } }),
        }),
      },
    }),
    addsFiles: true,
    commandsFail: false,
    turnsOfTwo: 1,
    takesArgument: true,
    startSeconds: 20,
    givesUp: { 429: true, 500: true },
    readsFromWorkspace: ["agents-skill", "gemini-md", "gemini-skill"],
    reports: ["session_id"],
  },
  grok: {
    package: "@xai-official/grok",
    version: "1.0.41",
    model: "grok-4.6",
    wireModel: "grok-4.6",
    effort: { ask: "low", onWire: { reasoning_effort: "low" } },
    shell: (command) => ({ name: "run_terminal_command", input: { command, description: "as it was told to" } }),
    setUp: ({ url, key, patient }) => ({
      env: {
        XAI_API_KEY: key,
        GROK_MODELS_BASE_URL: `${url}/v1`,
        GROK_TURN_SUMMARY: "0",
        ...(!patient && { GROK_MAX_RETRIES: "1" }),
      },
    }),
    addsFiles: true,
    commandsFail: true,
    turnsOfTwo: 2,
    takesArgument: true,
    startSeconds: 8,
    givesUp: { 429: true, 500: false },
    readsFromWorkspace: [],
    reports: ["cost_usd", "num_turns", "session_id"],
  },
  opencode: {
    package: "opencode-ai",
    version: "1.18.33",
    model: `test/${MODEL}`,
    wireModel: MODEL,
    effort: { ask: "low", onWire: { reasoning_effort: "low" } },
    shell: (command) => ({ name: "bash", input: { command, description: "as it was told to" } }),
    setUp: ({ url, key }) => ({
      env: {
        OPENCODE_DISABLE_MODELS_FETCH: "1",
        OPENCODE_DISABLE_AUTOUPDATE: "1",
        OPENCODE_CONFIG_CONTENT: JSON.stringify({
          provider: {
            test: {
              npm: "@ai-sdk/openai-compatible",
              options: { baseURL: `${url}/v1`, apiKey: key },
              models: { [MODEL]: { reasoning: true } },
            },
          },
        }),
      },
    }),
    commandsFail: true,
    turnsOfTwo: 2,
    takesArgument: false,
    startSeconds: 30,
    givesUp: { 429: false, 500: false },
    readsFromWorkspace: [],
    reports: ["cost_usd", "num_turns", "session_id"],
  },
  pi: {
    package: "@mariozechner/pi-coding-agent",
    version: "0.73.1",
    model: `test/${MODEL}`,
    wireModel: MODEL,
    effort: { ask: "low", onWire: { reasoning_effort: "low" } },
    shell: (command) => ({ name: "bash", input: { command } }),
    setUp: ({ url, key, patient }) => ({
      env: { PI_OFFLINE: "1" },
      home: {
        ...(!patient && {
          ".pi/agent/settings.json": JSON.stringify({ retry: { enabled: false, provider: { maxRetries: 0 } } }),
        }),
        ".pi/agent/models.json": JSON.stringify({
          providers: {
            test: {
              baseUrl: `${url}/v1`,
              api: "openai-completions",
              apiKey: key,
              models: [{ id: MODEL, reasoning: true }],
            },
          },
        }),
      },
    }),
    commandsFail: true,
    turnsOfTwo: 2,
    takesArgument: false,
    startSeconds: 20,
    givesUp: { 429: true, 500: true },
    readsFromWorkspace: [],
    reports: ["cost_usd", "num_turns", "session_id"],
  },
};
