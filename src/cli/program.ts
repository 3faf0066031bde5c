import { fstatSync } from "node:fs";
import { Command, CommanderError, InvalidArgumentError } from "commander";
import { type Command as CommandName, settingKeys, settingOf } from "../config/settings.js";
import { print } from "./print.js";

/** Ends with the exit code of the command that `args` name. Never throws. */
export async function main(args: readonly string[]): Promise<void> {
  try {
    await createProgram().parseAsync(args, { from: "user" });
  } catch (error) {
    if (error instanceof CommanderError) {
      process.exitCode = error.exitCode === 0 ? 0 : 2;
      return;
    }
    const { showError } = await import("./show-error.js");
    process.exitCode = showError(error, { verbose: args.includes("--verbose"), json: args.includes("--json") });
  }
}

/** Only a terminal has one; asking `process.stdout` would load all of Node's streams, and for a pipe its network. */
function terminalWidth(): number {
  return (fstatSync(1).isCharacterDevice() && process.stdout.columns) || 80;
}

/** The commands and their options. Whatever a command needs is loaded when it runs. */
function createProgram(): Command {
  const program = new Command("eb")
    .description("Scores what an AI made, or an AI feature itself, with small YAML checks.")
    .version(__VERSION__, "-V, --version", "print the version")
    .helpOption("-h, --help", "print this help")
    .helpCommand("help [command]", "print the help of a command")
    .showHelpAfterError("(eb --help lists the commands, eb COMMAND --help the options)")
    .exitOverride()
    .configureOutput({ writeOut: print, getOutHelpWidth: terminalWidth, getOutHasColors: () => false })
    .addHelpText("after", EXIT_CODES);

  program
    .command("init")
    .description("write .eval-banana/config.toml with every setting explained")
    .option("--force", "overwrite the file if it exists (default: off)")
    .option("--cwd <path>", "the directory of the project (default: .)", single)
    .action(async (options) => exit((await import("./commands/init.js")).init(options)));

  addSettings(withSelection(program.command("run").description("run the checks and report the score")), "run")
    .option("--flat-output", "write into --output-dir itself, which must be absent or empty (default: off)")
    .option(
      "--reporter <name[:path]>",
      `one more report: ${REPORTERS}; repeatable; "-" as the path is stdout (default: none)`,
      collect,
    )
    .option("--json", "print the report as JSON instead of lines for people (default: off)")
    .action(async (options) => exit(await (await import("./commands/run.js")).run(options)));

  withSelection(program.command("list").description("print the checks that a run would run, without running any"))
    .option("--json", "print one JSON document (default: off)")
    .action(async (options) => exit((await import("./commands/list.js")).list(options)));

  addSettings(
    withSelection(program.command("validate").description("read all checks and print what is wrong")),
    "validate",
  )
    .option("--json", "print one JSON document (default: off)")
    .action(async (options) => exit((await import("./commands/validate.js")).validate(options)));

  program
    .command("agents")
    .description("print which agents are installed, where, in which version")
    .option("--probe <name>", "ask this agent for one verdict; a real call that may cost money (default: none)", single)
    .option("--json", "print one JSON document (default: off)")
    .option("--cwd <path>", "where the search for the project begins (default: .)", single)
    .option("--no-project-config", "read no config.toml (default: off)")
    .action(async (options) => exit(await (await import("./commands/agents.js")).agents(options)));

  program
    .command("digest")
    .description("print the check_definition_sha256 of check files")
    .argument("<file...>", "check files")
    .action(async (files) => exit((await import("./commands/digest.js")).digest(files)));

  return program;
}

const REPORTERS = "console, json, junit, markdown";

const EXIT_CODES = `
Exit codes:
  0    the run passed
  1    it ran and did not pass; validate: something is invalid
  2    it could not run: usage, configuration, no checks, invalid checks, no judge
  130  interrupted (143: by SIGTERM)`;

function exit(code: number): void {
  process.exitCode ??= code;
}

function collect(value: string, before: string[] = []): string[] {
  return [...before, value];
}

function collectNotBlank(value: string, before?: string[]): string[] {
  return collect(notBlank(value), before);
}

/** Of two values the first would be dropped without a word: `--check-id a --check-id b` would not check a. */
function single(value: string, before?: string): string {
  if (before !== undefined) throw new InvalidArgumentError(`It was given '${before}' before, and takes one value.`);
  return notBlank(value);
}

/** A blank value comes from a variable that is not set; what it would select is not what was meant. */
function notBlank(value: string): string {
  if (value.trim() === "") throw new InvalidArgumentError("It must not be blank.");
  return value;
}

function withSelection(command: Command): Command {
  return command
    .option(
      "--check-dir <path>",
      "scan only this directory; relative to the project root (default: every eval_checks/)",
      single,
    )
    .option("--check-id <id>", "only the check with this id (default: all)", single)
    .option("--tag <tag>", "only checks with this tag; repeatable, any of them (default: all)", collectNotBlank)
    .option("--cwd <path>", "where the search for the project begins (default: .)", single)
    .option("--no-project-config", "read no config.toml; the working directory is the project root (default: off)")
    .option("--verbose", "log what is done on standard error (default: off)");
}

/** Options for the settings that have a flag on this command. No defaults: "not given" falls through to the other layers. */
function addSettings(command: Command, name: CommandName): Command {
  for (const key of settingKeys) {
    const setting = settingOf(key);
    if (setting.flag === undefined || !setting.on?.includes(name)) continue;
    const fallback = setting.default === undefined ? "unset" : String(setting.default);
    command.option(setting.flag, `${setting.help} (default: ${fallback}; env: ${setting.env})`);
  }
  return command;
}
