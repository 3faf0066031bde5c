import { resolve } from "node:path";
import { printable, shellQuote, shortPath } from "../../../core/text.js";
import { withLoneTrial } from "../../../suites/trials/lone-trial.js";
import { prepareCase } from "../../../suites/trials/prepare-case.js";
import { watchInterrupts } from "../../interrupt.js";
import { printError } from "../../print.js";
import { printLine } from "../../print-result.js";
import { showError, showWarnings } from "../../show-error.js";
import { type CaseOptions, findCase } from "./case.js";

export interface PrepareCommandOptions extends CaseOptions {
  out: string;
}

/** Lays out a case for a person or another agent, and says what comes next. Returns the exit code. */
export async function prepare(suite: string | undefined, options: PrepareCommandOptions): Promise<number> {
  const { project, testCase, suiteFolder } = findCase(suite, options);
  const interrupt = watchInterrupts(printError);
  const { signal } = interrupt;
  try {
    const prepared = await withLoneTrial({ project, caseId: testCase.id, signal }, (context) =>
      prepareCase(testCase, { out: resolve(options.out), context, suiteFolder }),
    );
    showWarnings(prepared.warnings);
    const { teardown = [] } = testCase.workspace ?? {};
    const words = ["eb", "suite", "score", ...(suite === undefined ? [] : [suite]), "--case", testCase.id];
    const same = [...option("--config", options.config), ...option("--cwd", options.cwd)];
    const command = [...words, ...same, "--workspace", shortPath(prepared.workspace), "--output", "FILE"];
    const lines = [
      `task:      ${shortPath(prepared.task)}`,
      `workspace: ${shortPath(prepared.workspace)}`,
      "next: do the task in the workspace, put the final answer into a file outside of it, and score both with",
      `  ${command.map(shellQuote).join(" ")}`,
      ...(teardown.length > 0 ? ["then end what its setup began; in the workspace:"] : []),
      ...teardown.map((line) => `  ${line}`),
    ];
    printLine(printable(lines.join("\n")));
    return 0;
  } catch (error) {
    return interrupt.exitCode() ?? showError(error, { verbose: options.verbose ?? false });
  } finally {
    interrupt.release();
  }
}

function option(name: string, value: string | undefined): string[] {
  return value === undefined ? [] : [name, value];
}
