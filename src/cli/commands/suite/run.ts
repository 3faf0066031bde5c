import { describeProblem, UserError } from "../../../core/errors.js";
import { count, oneLine, percent } from "../../../core/text.js";
import { suiteView } from "../../../report/suite-view.js";
import { planRun, type SuitePlan, type SuiteRunSettings } from "../../../suites/plan-run.js";
import { readSuite } from "../../../suites/read-suite.js";
import { runCases } from "../../../suites/run-cases.js";
import type { Suite } from "../../../suites/suite.js";
import { debugLog, debugReporter } from "../../debug.js";
import { watchInterrupts } from "../../interrupt.js";
import { loadProject, type ProjectOptions } from "../../options.js";
import { printJson, printLine } from "../../print-result.js";
import { chooseReporters } from "../../reporters.js";
import { showError, showWarnings } from "../../show-error.js";
import { type CaseSelectionOptions, caseSelection } from "./list.js";

export interface SuiteRunOptions extends ProjectOptions, CaseSelectionOptions {
  config?: string;
  output?: string;
  timeout?: number;
  runs?: number;
  maxParallel?: number;
  cache: boolean;
  banner: boolean;
  ci?: boolean;
  minPassRate?: number;
  maxDrop?: number;
  baseline?: string;
  judge?: Suite["judge"]["when"];
  lastFailed?: boolean;
  resume?: string;
  outputDir?: string;
  flatOutput?: boolean;
  reporter?: string[];
  json?: boolean;
}

/** Runs a suite; the exit code says whether it passed only with `--ci`. */
export async function run(suitePath: string | undefined, options: SuiteRunOptions): Promise<number> {
  if (options.flatOutput && options.outputDir === undefined) {
    throw new UserError("--flat-output needs --output-dir", { code: "usage", hint: "add --output-dir PATH" });
  }
  const { reporters, notice, files } = chooseReporters(suiteView, {
    asked: options.reporter ?? [],
    json: options.json ?? false,
  });
  const project = loadProject(options);
  const read = readSuite(suitePath, project, options);
  // What makes single cases fail is only told.
  showWarnings([...read.warnings, ...read.problems.map(describeProblem)]);
  const { warnings, lines, written, ...plan } = planRun(read.suite, project, settingsOf(options));
  showWarnings(warnings);
  if (plan.cases.length === 0) return nothingFailed(options);

  const interrupt = watchInterrupts(notice);
  try {
    const outcome = await runCases({
      ...plan,
      written: [...files, ...written],
      onPlan: (runs) => {
        if (options.banner && !options.json) notice(banner(plan, runs));
      },
      flat: options.flatOutput ?? false,
      reporters: (runDir) => [...reporters(runDir), ...lines, debugReporter(suiteView, debugLog(options.verbose))],
      signal: interrupt.signal,
    });
    outcome.close();
    const missed = options.ci && !outcome.end.summary.run_passed;
    return interrupt.exitCode() ?? (missed ? 1 : outcome.reporterFailures.length > 0 ? 2 : 0);
  } catch (error) {
    showError(error, { verbose: options.verbose ?? false });
    return interrupt.exitCode() ?? 2;
  } finally {
    interrupt.release();
  }
}

function settingsOf({ config: _, ...options }: SuiteRunOptions): SuiteRunSettings {
  return { ...options, cwd: process.cwd(), selection: caseSelection(options) };
}

function nothingFailed({ json }: SuiteRunOptions): number {
  const message = "nothing to run: all cases passed when they last ran";
  if (json) printJson({ message, cases: [] });
  else printLine(message);
  return 0;
}

function banner(
  { suite, cases, finished }: Pick<SuitePlan, "suite" | "cases" | "finished">,
  runs: { total: number; takenOver: number },
) {
  const { min_pass_rate: needed } = suite.gates;
  const parts = [
    oneLine(suite.name),
    count(cases.length, "case"),
    ...(suite.runs > 1 ? [count(suite.runs, "run")] : []),
    ...(needed === undefined ? [] : [`${percent(needed)} needed`]),
    ...(finished ? [`${runs.takenOver} of ${count(runs.total, "run")} taken over`] : []),
  ];
  return `${parts.join(" · ")}\n`;
}
