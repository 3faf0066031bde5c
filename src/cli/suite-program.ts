import type { Command } from "commander";
import { exit } from "./exit.js";
import { collectNotBlank, positive, single } from "./option-values.js";

/** The commands of `eb suite` and their options. */
export function addSuiteCommands(suite: Command): void {
  suite
    .command("init")
    .description("write a suite with a target that runs offline; asks questions on a terminal")
    .argument("[output]", `where the suite is written (default: ${DEFAULT_SUITE})`)
    .option("-n, --name <name>", "the name of the suite (default: that of the project's directory)", single)
    .option("-c, --config <path>", `the target file: written unless it exists (default: ${DEFAULT_TARGET})`, single)
    .option("--no-interactive", "ask nothing (default: asks on a terminal)")
    .option("--force", "overwrite files that exist (default: off)")
    .option("--cwd <path>", CWD, single)
    .action(async (output, options) => exit(await (await import("./commands/suite/init.js")).init(output, options)));

  withCaseSelection(suite.command("list").description("print the cases that a run would run, without running any"))
    .argument("[suite]", `the suite file (default: ${DEFAULT_SUITE})`)
    .option("--cwd <path>", CWD, single)
    .option("--json", "print one JSON document (default: off)")
    .action(async (file, options) => exit((await import("./commands/suite/list.js")).list(file, options)));

  suite
    .command("validate")
    .description("read suites with all that they name and print what is wrong")
    .argument("[suite...]", `suite files (default: ${DEFAULT_SUITE})`)
    .option(
      "-c, --config <path>",
      "the target of cases that name none, in place of the suite's (default: unset)",
      single,
    )
    .option("--cwd <path>", CWD, single)
    .option("--no-project-config", "read no config.toml; the working directory is the project root (default: off)")
    .option("--json", "print one JSON document (default: off)")
    .action(async (files, options) => exit((await import("./commands/suite/validate.js")).validate(files, options)));
}

const DEFAULT_SUITE = ".eval-banana/evals/suite.yaml";
const DEFAULT_TARGET = ".eval-banana/targets/default.yaml";
const CWD = "where the search for the project begins (default: .)";

/** Options that select cases. */
function withCaseSelection(command: Command): Command {
  return command
    .option("--filter <text>", "only cases with this text in the id or a tag, whatever its case (default: all)", single)
    .option("--tag <tag>", "only cases with this tag; repeatable, any of them (default: all)", collectNotBlank)
    .option("--case <id>", "only the case with this id; repeatable (default: all)", collectNotBlank)
    .option("--sample <n>", "only this many, drawn the same way each time (default: all)", positive)
    .option("--seed <text>", "draw others for --sample (default: unset)", single);
}
