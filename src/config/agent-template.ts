import * as z from "zod/mini";
import { described } from "../core/described.js";

const OUTPUT_FORMATS = ["text", "claude", "codex", "gemini", "opencode", "pi", "openhands"] as const;
export type OutputFormat = (typeof OUTPUT_FORMATS)[number];

/** The fields of `[agents.<name>]`: how one agent's program is called and how its output is read. */
export function agentTemplateSchema() {
  const text = (description: string) => described(z.string("a string"), description);
  const tokens = (description: string) => described(strings(), description);
  const strings = () => z.array(z.string("a string"), "a list of strings");
  return z.partial(
    z.strictObject(
      {
        command: described(
          strings().check(z.minLength(1, "a list of at least one string")),
          "The program and its subcommand.",
        ),
        shared_flags: tokens("Flags that every call gets."),
        prompt_flag: text("The flag before the prompt, e.g. `-p`; one that ends in `=` is joined with it."),
        prompt_position: described(
          z.enum(["tail", "after_command"], "'tail' or 'after_command'"),
          "Where the prompt stands among the arguments.",
        ),
        prompt_via: described(
          z.enum(["arg", "stdin", "file"], "'arg', 'stdin' or 'file'"),
          "How the prompt is handed over.",
        ),
        prompt_file_flag: text('With `prompt_via = "file"`: the flag before the path of the prompt file.'),
        prompt_stdin_args: tokens(
          'With `prompt_via = "stdin"`: arguments in place of the prompt. Else: set, a prompt that is too long for an argument goes to standard input.',
        ),
        model_flag: text("The flag before the model."),
        model_env_vars: tokens("Environment variables that are set to the model."),
        default_model: text("The model when none is asked for."),
        reasoning_effort: text("The effort when none is asked for."),
        reasoning_effort_flag: tokens("Arguments that set the effort; `{effort}` stands for it."),
        provider_env: described(
          z.record(z.string(), z.string("a string"), "a table of strings"),
          "Environment variables for the agent; `{env:NAME}` takes a value from the environment.",
        ),
        output_format: described(
          z.enum(OUTPUT_FORMATS, `one of ${OUTPUT_FORMATS.join(", ")}`),
          "How the final answer is read from the output.",
        ),
      },
      "a table",
    ),
  );
}

/** What a user may write for an agent; every field is optional. */
export type AgentOverrides = z.infer<ReturnType<typeof agentTemplateSchema>>;
