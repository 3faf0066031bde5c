import { runPlan } from "../../checks/run.js";
import { selectedChecks } from "../../checks/select.js";
import { UserError } from "../../core/errors.js";
import { checksView } from "../../report/checks-view.js";
import { debugLog, debugReporter } from "../debug.js";
import { watchInterrupts } from "../interrupt.js";
import { load, type SelectionOptions } from "../options.js";
import { chooseReporters } from "../reporters.js";
import { showError } from "../show-error.js";
import { keepHeapSmall } from "../small-heap.js";

export interface RunCommandOptions extends SelectionOptions {
  flatOutput?: boolean;
  outputDir?: string;
  reporter?: string[];
}

/** So many checks leave little garbage, and V8's flags take longer to set than a check to run. */
const FEW = 20;

export async function run(options: RunCommandOptions): Promise<number> {
  if (options.flatOutput && options.outputDir === undefined) {
    throw new UserError("--flat-output needs --output-dir", { code: "usage", hint: "add --output-dir PATH" });
  }
  const { reporters, notice } = chooseReporters(checksView, {
    asked: options.reporter ?? [],
    json: options.json ?? false,
  });
  const { project, plan, selection } = load(options, {
    onEntries(entries) {
      if (entries > FEW) keepHeapSmall();
    },
  });
  const checks = selectedChecks(plan, selection);

  const interrupt = watchInterrupts(notice);
  try {
    const outcome = await runPlan({
      project,
      checks,
      flat: options.flatOutput ?? false,
      reporters: (runDir) => [...reporters(runDir), debugReporter(checksView, debugLog(options.verbose))],
      signal: interrupt.signal,
    });
    outcome.close();
    return interrupt.exitCode() ?? exitCode(outcome.end.summary.run_passed, outcome.reporterFailures.length > 0);
  } catch (error) {
    showError(error, { verbose: options.verbose ?? false });
    return interrupt.exitCode() ?? 2;
  } finally {
    interrupt.release();
  }
}

/** A report that could not be written makes a passed run one that could not do its job. */
function exitCode(passed: boolean, reportersFailed: boolean): number {
  if (!passed) return 1;
  return reportersFailed ? 2 : 0;
}
