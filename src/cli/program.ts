import { fstatSync } from "node:fs";
import { Command, CommanderError, Help } from "commander";
import { exit } from "./exit.js";
import { collectNotBlank, single } from "./option-values.js";
import { print, printError } from "./print.js";
import { addReports, addSettings } from "./setting-options.js";

/** Ends with the exit code of the command that `args` name. Never throws. */
export async function main(args: readonly string[]): Promise<void> {
  try {
    const program = createProgram(args[0]);
    // Its own commands are loaded only where they are asked for.
    const suite = args.slice(0, 2).includes("suite") && program.commands.find((command) => command.name() === "suite");
    if (suite) (await import("./suite-program.js")).addSuiteCommands(suite);
    await program.parseAsync(args, { from: "user" });
  } catch (error) {
    if (error instanceof CommanderError) {
      // Who names a file means the checks in it.
      if (error.code === "commander.excessArguments" && ["run", "list", "validate"].includes(args[0] ?? ""))
        printError("hint: --check-id ID and --check-dir DIR say which checks\n");
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

/** The least width of the column with what options mean. */
const LEAST_WIDTH = 28;

/** An option with what it means beside it; below it where there is no room. */
function formatHelpItem(this: Help, term: string, termWidth: number, description: string, helper: Help): string {
  const width = helper.helpWidth ?? 80;
  if (description === "" || width - termWidth - 4 >= LEAST_WIDTH)
    return Help.prototype.formatItem.call(helper, term, termWidth, description, helper);
  const wrapped = helper.boxWrap(description, width - 6).replaceAll("\n", "\n      ");
  return `  ${term}\n      ${wrapped}`;
}

/** The program with all commands, or with only the one that is `asked` for: to make them all takes a while. */
function createProgram(asked = ""): Command {
  const program = new Command("eb")
    .description("Scores what an AI made, or an AI feature itself, with small YAML checks.")
    .version(__VERSION__, "-V, --version", "print the version")
    .helpOption("-h, --help", "print this help")
    .helpCommand("help [command]", "print the help of a command")
    .showHelpAfterError("(eb --help lists the commands, eb COMMAND --help the options)")
    .exitOverride()
    .configureOutput({ writeOut: print, getOutHelpWidth: terminalWidth, getOutHasColors: () => false })
    .configureHelp({ minWidthToWrap: LEAST_WIDTH, formatItem: formatHelpItem })
    .addHelpText("after", EXIT_CODES);
  const names = Object.hasOwn(COMMANDS, asked) ? [asked] : Object.keys(COMMANDS);
  for (const name of names) COMMANDS[name]?.(program.command(name));
  return program;
}

/** The commands and their options. Whatever a command needs is loaded when it runs. */
const COMMANDS: Record<string, (command: Command) => void> = {
  init: (command) =>
    command
      .description("write .eval-banana/config.toml with every setting explained")
      .option("--force", "overwrite the file if it exists (default: off)")
      .option("--cwd <path>", "the directory of the project (default: .)", single)
      .action(async (options) => exit((await import("./commands/init.js")).init(options))),

  run: (command) =>
    addReports(addSettings(withSelection(command.description("run the checks and report the score")), "run")).action(
      async (options) => exit(await (await import("./commands/run.js")).run(options)),
    ),

  list: (command) =>
    withSelection(command.description("print the checks that a run would run, without running any"))
      .option("--json", "print one JSON document (default: off)")
      .action(async (options) => exit((await import("./commands/list.js")).list(options))),

  validate: (command) =>
    addSettings(withSelection(command.description("read all checks and print what is wrong")), "validate")
      .option("--json", "print one JSON document (default: off)")
      .action(async (options) => exit((await import("./commands/validate.js")).validate(options))),

  agents: (command) =>
    command
      .description("print which agents are installed, where, in which version")
      .option(
        "--probe <name>",
        "ask this agent for one verdict; a real call that may cost money (default: none)",
        single,
      )
      .option("--json", "print one JSON document (default: off)")
      .option("--cwd <path>", "where the search for the project begins (default: .)", single)
      .option("--no-project-config", "read no config.toml (default: off)")
      .action(async (options) => exit(await (await import("./commands/agents.js")).agents(options))),

  cache(command) {
    command.description("the answers that suites keep: stats, clear");
    for (const name of ["stats", "clear"] as const) {
      command
        .command(name)
        .description(name === "stats" ? "print what the cache of the project holds" : "empty the cache of the project")
        .option("--json", "print one JSON document (default: off)")
        .option("--cwd <path>", "where the search for the project begins (default: .)", single)
        .option("--no-project-config", "read no config.toml; the working directory is the project root (default: off)")
        .action(async (options) => exit((await import("./commands/cache.js"))[name](options)));
    }
  },

  digest: (command) =>
    command
      .description("print the check_definition_sha256 of check files")
      .argument("<file...>", "check files")
      .action(async (files) => exit((await import("./commands/digest.js")).digest(files))),

  suite: (command) =>
    command.description("regression tests of an AI feature: init, run, list, validate, baseline, prepare, score"),
};

const EXIT_CODES = `
Exit codes:
  0    the run passed
  1    it ran and did not pass; validate: something is invalid
  2    it could not run: usage, configuration, no checks or cases, invalid ones, no judge
  130  interrupted (143: by SIGTERM, 129: by SIGHUP)`;

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
