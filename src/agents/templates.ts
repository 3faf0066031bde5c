import type { AgentOverrides, OutputFormat } from "../config/agent-template.js";

/** How an agent's program is called and how its answer is read; see `[agents.<name>]` in the configuration. */
export interface AgentTemplate extends AgentOverrides {
  command: string[];
  output_format: OutputFormat;
  prompt_via: "arg" | "stdin" | "file";
}

/**
 * The agents that are known out of the box. Flags that keep files of the judged workspace from steering the judge
 * are on; `[agents.<name>] shared_flags` replaces them.
 */
export const builtinAgents: Readonly<Record<string, AgentTemplate>> = {
  claude: {
    command: ["claude"],
    shared_flags: [
      "-p",
      "--dangerously-skip-permissions",
      "--output-format",
      "stream-json",
      "--verbose",
      "--setting-sources",
      "user",
    ],
    prompt_via: "stdin",
    prompt_stdin_args: [],
    prompt_flag: "--",
    model_flag: "--model",
    model_env_vars: ["ANTHROPIC_MODEL", "ANTHROPIC_DEFAULT_SONNET_MODEL", "ANTHROPIC_DEFAULT_OPUS_MODEL"],
    reasoning_effort_flag: ["--effort", "{effort}"],
    output_format: "claude",
  },
  codex: {
    command: ["codex", "exec"],
    shared_flags: [
      "--json",
      "--dangerously-bypass-approvals-and-sandbox",
      "--skip-git-repo-check",
      "-c",
      "analytics.enabled=false",
      "-c",
      "project_doc_max_bytes=0",
    ],
    prompt_via: "stdin",
    prompt_stdin_args: ["-"],
    prompt_flag: "--",
    model_flag: "--model",
    default_model: "gpt-5.6-sol",
    reasoning_effort: "high",
    reasoning_effort_flag: ["-c", "model_reasoning_effort={effort}"],
    output_format: "codex",
  },
  gemini: {
    command: ["gemini"],
    shared_flags: ["--approval-mode", "yolo", "--skip-trust", "--output-format", "stream-json"],
    prompt_via: "stdin",
    prompt_stdin_args: [],
    prompt_flag: "--prompt=",
    model_flag: "--model",
    output_format: "gemini",
  },
  grok: {
    command: ["grok"],
    shared_flags: ["--always-approve", "--verbatim", "--output-format", "streaming-messages-json"],
    prompt_via: "file",
    prompt_file_flag: "--prompt-file",
    prompt_flag: "--single=",
    model_flag: "-m",
    reasoning_effort_flag: ["--reasoning-effort", "{effort}"],
    output_format: "claude",
  },
  opencode: {
    command: ["opencode", "run"],
    shared_flags: ["--format", "json", "--auto", "--title", "eval-banana", "--pure"],
    prompt_via: "stdin",
    prompt_stdin_args: [],
    model_flag: "--model",
    reasoning_effort_flag: ["--variant", "{effort}"],
    provider_env: {
      OPENCODE_DISABLE_PROJECT_CONFIG: "1",
      OPENCODE_DISABLE_EXTERNAL_SKILLS: "1",
      // It is silent while it tries again after an error; so the cause of a timeout is at least in its log.
      OPENCODE_PRINT_LOGS: "1",
      OPENCODE_LOG_LEVEL: "ERROR",
    },
    output_format: "opencode",
  },
  openhands: {
    command: ["openhands"],
    shared_flags: ["--headless", "--json", "--override-with-envs"],
    prompt_via: "file",
    prompt_file_flag: "-f",
    prompt_flag: "-t",
    model_env_vars: ["LLM_MODEL"],
    output_format: "openhands",
  },
  pi: {
    command: ["pi"],
    shared_flags: [
      "--print",
      "--no-session",
      "--mode",
      "json",
      "--no-context-files",
      "--no-extensions",
      "--no-skills",
      "--no-prompt-templates",
      // Given but empty: the default is used, and not .pi/SYSTEM.md and .pi/APPEND_SYSTEM.md of the workspace.
      "--system-prompt",
      "",
      "--append-system-prompt",
      "",
    ],
    prompt_via: "stdin",
    prompt_stdin_args: [],
    model_flag: "--model",
    reasoning_effort_flag: ["--thinking", "{effort}"],
    output_format: "pi",
  },
};
