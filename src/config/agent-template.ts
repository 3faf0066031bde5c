import * as z from "zod";

const text = z.string("a string");
const tokens = z.array(z.string("a string"), "a list of strings");

const OUTPUT_FORMATS = ["text", "claude", "codex", "gemini", "opencode", "pi", "openhands"] as const;
export type OutputFormat = (typeof OUTPUT_FORMATS)[number];

/** The fields of `[agents.<name>]`: how one agent's program is called and how its output is read. */
export const agentTemplateSchema = z
  .strictObject(
    {
      command: tokens.min(1, "a list of at least one string").describe("The program and its subcommand."),
      shared_flags: tokens.describe("Flags that every call gets."),
      prompt_flag: text.describe("The flag before the prompt, e.g. `-p`; one that ends in `=` is joined with it."),
      prompt_position: z
        .enum(["tail", "after_command"], "'tail' or 'after_command'")
        .describe("Where the prompt stands among the arguments."),
      prompt_via: z
        .enum(["arg", "stdin", "file"], "'arg', 'stdin' or 'file'")
        .describe("How the prompt is handed over."),
      prompt_file_flag: text.describe('With `prompt_via = "file"`: the flag before the path of the prompt file.'),
      prompt_stdin_args: tokens.describe(
        'With `prompt_via = "stdin"`: arguments in place of the prompt. Else: set, a prompt that is too long for an argument goes to standard input.',
      ),
      model_flag: text.describe("The flag before the model."),
      model_env_vars: tokens.describe("Environment variables that are set to the model."),
      default_model: text.describe("The model when none is asked for."),
      reasoning_effort: text.describe("The effort when none is asked for."),
      reasoning_effort_flag: tokens.describe("Arguments that set the effort; `{effort}` stands for it."),
      provider_env: z
        .record(z.string(), text, "a table of strings")
        .describe("Environment variables for the agent; `{env:NAME}` takes a value from the environment."),
      output_format: z
        .enum(OUTPUT_FORMATS, `one of ${OUTPUT_FORMATS.join(", ")}`)
        .describe("How the final answer is read from the output."),
    },
    "a table",
  )
  .partial();

/** What a user may write for an agent; every field is optional. */
export type AgentOverrides = z.infer<typeof agentTemplateSchema>;
