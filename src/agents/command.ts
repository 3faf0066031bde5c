import type { AgentTemplate } from "./templates.js";

export interface CommandOptions {
  /** Undefined: none is asked for. */
  model?: string | undefined;
  effort?: string | undefined;
  prompt: string;
  /** Absolute path of a file that holds the prompt. */
  promptFile: string;
  platform?: NodeJS.Platform;
}

export interface AgentCommand {
  argv: [string, ...string[]];
  /** The file that is the standard input; undefined: it is closed. */
  stdinFile?: string;
  /** Variables that carry the model. */
  env: Record<string, string>;
}

/** Longest single argument on Linux, in bytes without its end; one more makes the start fail. */
const MAX_ARGUMENT = 131_071;
/** A whole command line on Windows has 32,767 characters; this leaves room for the other arguments. */
const MAX_ARGUMENT_WINDOWS = 24_000;

/** How an agent is called: arguments, standard input and variables, from its template. Touches nothing. */
export function agentCommand(template: AgentTemplate, options: CommandOptions): AgentCommand {
  const { model, effort, promptFile } = options;
  const prompt = promptArguments(template, options);
  const argv = [
    ...template.command,
    ...(template.prompt_position === "after_command" ? prompt.args : []),
    ...(template.shared_flags ?? []),
    ...(model !== undefined && template.model_flag ? withFlag(template.model_flag, model) : []),
    ...(effort === undefined
      ? []
      : (template.reasoning_effort_flag ?? []).map((token) => token.replaceAll("{effort}", () => effort))),
    ...(template.prompt_position === "after_command" ? [] : prompt.args),
  ] as [string, ...string[]];
  const variables = model === undefined ? [] : (template.model_env_vars ?? []);
  return {
    argv,
    ...(prompt.stdin && { stdinFile: promptFile }),
    env: Object.fromEntries(variables.map((name) => [name, model ?? ""])),
  };
}

function promptArguments(template: AgentTemplate, options: CommandOptions): { args: string[]; stdin: boolean } {
  const { prompt, promptFile, platform = process.platform } = options;
  if (template.prompt_via === "stdin") return { args: template.prompt_stdin_args ?? [], stdin: true };
  if (template.prompt_via === "file")
    return { args: withFlag(template.prompt_file_flag ?? "", promptFile), stdin: false };
  const args = withFlag(template.prompt_flag ?? "", prompt);
  const longest = platform === "win32" ? MAX_ARGUMENT_WINDOWS : MAX_ARGUMENT;
  const fits = (argument: string) => Buffer.byteLength(argument) <= longest && !argument.includes("\0");
  if (args.every(fits)) return { args, stdin: false };
  if (template.prompt_stdin_args) return { args: template.prompt_stdin_args, stdin: true };
  return {
    args: withFlag(template.prompt_flag ?? "", `Read the file ${promptFile} and do exactly what it says.`),
    stdin: false,
  };
}

/** A flag and its value as arguments: `--flag=` is joined with it, an empty flag is left out. */
function withFlag(flag: string, value: string): string[] {
  if (flag === "") return [value];
  return flag.endsWith("=") ? [flag + value] : [flag, value];
}

/**
 * Why a model or an effort that was asked for can't be handed to the agent; undefined when both can.
 * To be asked before the agent is started.
 */
export function cannotInject(
  name: string,
  template: AgentTemplate,
  { model, effort }: Pick<CommandOptions, "model" | "effort">,
): string | undefined {
  const reasons: string[] = [];
  if (model !== undefined && !template.model_flag && !template.model_env_vars?.length) {
    reasons.push(`cannot inject model '${model}': agent '${name}' has neither model_flag nor model_env_vars`);
  }
  if (effort !== undefined && !template.reasoning_effort_flag?.some((token) => token.includes("{effort}"))) {
    const why = `agent '${name}' has no {effort} in its reasoning_effort_flag`;
    reasons.push(`cannot inject reasoning effort '${effort}': ${why}`);
  }
  return reasons.length > 0 ? reasons.join("; ") : undefined;
}
