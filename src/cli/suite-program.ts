import { type Command, Option } from "commander";
import { DEFAULT_SUITE, DEFAULT_TARGET } from "../suites/default-paths.js";
import { MAX_RUNS } from "../suites/format/fields.js";
import { exit } from "./exit.js";
import { atLeastZero, collectNotBlank, positive, share, single, wholeUpTo } from "./option-values.js";
import { watchOutput } from "./print.js";
import { addReports, addSettings } from "./setting-options.js";

const CWD = ["--cwd <path>", "where the search for the project begins (default: .)"] as const;
const JSON_DOCUMENT = ["--json", "print one JSON document (default: off)"] as const;
const SUITE = ["[suite]", `the suite file (default: ${DEFAULT_SUITE})`] as const;
const CASE = ["--case <id>", "the case (required)"] as const;
const RUN = ["<run>", "a run directory, a run id, or latest"] as const;

/** The commands of `eb suite` and their options. */
export function addSuiteCommands(suite: Command): void {
  suite.hook("preAction", watchOutput);
  suite
    .command("init")
    .description("write a suite with a target that runs offline; asks questions on a terminal")
    .argument("[output]", `where the suite is written (default: ${DEFAULT_SUITE})`)
    .option("-n, --name <name>", "the name of the suite (default: that of the project's directory)", single)
    .option("-c, --config <path>", `the target file: written unless it exists (default: ${DEFAULT_TARGET})`, single)
    .option("--no-interactive", "ask nothing (default: asks on a terminal)")
    .option("--force", "overwrite files that exist (default: off)")
    .option(...CWD, single)
    .action(async (output, options) => exit(await (await import("./commands/suite/init.js")).init(output, options)));

  addRun(suite.command("run").description("run the cases of a suite and report the score"));

  withProject(
    withCaseSelection(suite.command("list").description("print the cases that a run would run, without running any")),
  )
    .argument(...SUITE)
    .option(...JSON_DOCUMENT)
    .action(async (file, options) => exit((await import("./commands/suite/list.js")).list(file, options)));

  withProject(
    withTarget(suite.command("validate").description("read suites with all that they name and print what is wrong")),
  )
    .argument("[suite...]", `suite files (default: ${DEFAULT_SUITE})`)
    .option(...JSON_DOCUMENT)
    .action(async (files, options) =>
      exit(await (await import("./commands/suite/validate.js")).validate(files, options)),
    );

  addBaseline(suite.command("baseline").description("what later runs are compared with: update, show, diff"));
  addByHand(suite);
}

/** `run`: what is run, how, what it needs to pass, and where it is reported. */
function addRun(run: Command): void {
  withTarget(withCaseSelection(run))
    .argument(...SUITE)
    .option("--last-failed", "only cases that did not pass when they last ran (default: off)")
    .option(
      "--resume <run>",
      "take over what this run (a directory, an id, or latest: of this suite) has finished (default: none)",
      single,
    )
    .option(
      "--runs <n>",
      "how often a case is run that does not say it itself (default: as the suite says)",
      wholeUpTo(MAX_RUNS),
    )
    .option(
      "--timeout <seconds>",
      "time limit of one run of a case that has none; 0 = none (default: as the suite says)",
      atLeastZero,
    )
    .option("--max-parallel <n>", "how many runs go on at the same time (default: core.max_parallel_checks)", positive)
    .option(
      "--no-cache",
      "call every target and judge, and keep these answers (default: takes unchanged answers from the cache)",
    )
    .addOption(
      new Option("--judge <when>", "when rubrics are judged (default: as the suite says)").choices([
        "always",
        "deterministic-pass",
        "deterministic-fail",
        "never",
      ]),
    )
    .option("--ci", "exit with 1 when a gate is missed (default: exits with 0 once the suite has run)")
    .option("--min-pass-rate <share>", "gate: least score, 0 to 1 (default: as the suite says, or every case)", share)
    .option(
      "--max-drop <share>",
      "gate: most that the score may be below the baseline's (default: as the suite says)",
      share,
    )
    .option(
      "--baseline <path>",
      "the baseline to compare with (default: beside the suite, SUITE.baseline.json)",
      single,
    )
    .option(
      "-o, --output <path>",
      "a file with one JSON line for each case as it ends, and its status file (default: none)",
      single,
    );
  addReports(run).option("--no-banner", "print no line before the run (default: prints one on standard error)");
  addSettings(withProject(run), "suite run").action(async (file, options) =>
    exit(await (await import("./commands/suite/run.js")).run(file, options)),
  );
}

/** `prepare` and `score`, for what a person or another agent does. */
function addByHand(suite: Command): void {
  withProject(withTarget(suite.command("prepare")))
    .description("lay out the workspace and the task of a case for a person or another agent")
    .argument(...SUITE)
    .requiredOption(...CASE, single)
    .requiredOption("--out <dir>", "where to, a directory that is absent or empty (required)", single)
    .action(async (file, options) => exit(await (await import("./commands/suite/prepare.js")).prepare(file, options)));
  withProject(withTarget(suite.command("score")))
    .description("score what came out of a case that was laid out")
    .argument(...SUITE)
    .requiredOption(...CASE, single)
    .requiredOption("--workspace <dir>", "the workspace as it was left (required)", single)
    .option("--output <file>", "a file with the final answer (default: the answer is empty)", single)
    .option(...JSON_DOCUMENT)
    .action(async (file, options) => exit(await (await import("./commands/suite/score.js")).score(file, options)));
}

function addBaseline(baseline: Command): void {
  withProject(baseline.command("update"))
    .description("accept the cases of a finished run as the baseline of its suite, and keep the others")
    .argument(...RUN)
    .option("--baseline <path>", "the file to write (default: beside the suite, SUITE.baseline.json)", single)
    .action(async (named, options) => exit((await import("./commands/suite/baseline.js")).update(named, options)));
  withProject(baseline.command("show"))
    .description("print a baseline")
    .argument("[file]", "a baseline file (default: that of the default suite)")
    .option(...JSON_DOCUMENT)
    .action(async (path, options) => exit((await import("./commands/suite/baseline.js")).show(path, options)));
  withProject(baseline.command("diff"))
    .description("print what a finished run does better and worse than the baseline")
    .argument(...RUN)
    .option("--baseline <path>", "the baseline (default: beside the suite, SUITE.baseline.json)", single)
    .option(...JSON_DOCUMENT)
    .action(async (named, options) => exit((await import("./commands/suite/baseline.js")).diff(named, options)));
}

/** Options of all that read the configuration. */
function withProject(command: Command): Command {
  return command
    .option(...CWD, single)
    .option("--no-project-config", "read no config.toml; the working directory is the project root (default: off)")
    .option("--verbose", "log what is done on standard error (default: off)");
}

function withTarget(command: Command): Command {
  return command.option(
    "-c, --config <path>",
    "the target of cases that name none, in place of the suite's (default: unset)",
    single,
  );
}

/** Options that select cases. */
function withCaseSelection(command: Command): Command {
  return command
    .option("--filter <text>", "only cases with this text in the id or a tag, whatever its case (default: all)", single)
    .option("--tag <tag>", "only cases with this tag; repeatable, any of them (default: all)", collectNotBlank)
    .option("--case <id>", "only the case with this id; repeatable (default: all)", collectNotBlank)
    .option("--sample <n>", "only this many, drawn the same way each time (default: all)", positive)
    .option("--seed <text>", "draw others for --sample (default: unset)", single);
}
