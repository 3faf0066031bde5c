import { existsSync, statSync } from "node:fs";
import { resolve } from "node:path";
import type { LoadedConfig } from "../../../config/load.js";
import { describeProblem, UserError } from "../../../core/errors.js";
import { count, oneLine, percent, shortPath } from "../../../core/text.js";
import { caseLinesReporter } from "../../../report/reporters/case-lines.js";
import { statusFileReporter } from "../../../report/reporters/status-file.js";
import { suiteView } from "../../../report/suite-view.js";
import { selectCases } from "../../../suites/load/select-cases.js";
import { baselinePath, readBaseline } from "../../../suites/results/baseline.js";
import { caseLine } from "../../../suites/results/case-result.js";
import { lastFailed } from "../../../suites/results/last-failed.js";
import { type FinishedTrials, findRunDir, finishedTrials, suiteOfRun } from "../../../suites/results/resume.js";
import { runSuite } from "../../../suites/run-suite.js";
import type { Suite } from "../../../suites/suite.js";
import type { TestCase } from "../../../suites/test-case.js";
import { harnessForSuite } from "../../../suites/trials/judge-harness.js";
import { debugLog, debugReporter } from "../../debug.js";
import { watchInterrupts } from "../../interrupt.js";
import { loadProject, type ProjectOptions } from "../../options.js";
import { printJson, printLine } from "../../print-result.js";
import { chooseReporters } from "../../reporters.js";
import { showError, showWarnings } from "../../show-error.js";
import { readSuite } from "../../suite-options.js";
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
  const suite = withOptions(read.suite, options);
  const cases = casesToRun(suite, project, options);
  if (cases.length === 0) return nothingFailed(options);
  const harness = harnessForSuite(project, suite, cases);
  const baseline = findBaseline(suite, options);
  const finished = options.resume === undefined ? undefined : finishedBefore(options.resume, suite, project);

  const interrupt = watchInterrupts(notice);
  try {
    const outcome = await runSuite({
      project,
      suite,
      cases,
      maxParallel: options.maxParallel ?? project.config["core.max_parallel_checks"],
      useCache: options.cache,
      harness,
      baseline,
      finished,
      written: [...files, ...(options.output === undefined ? [] : outputFiles(options.output))],
      onPlan: (runs) => {
        if (options.banner && !options.json) notice(banner(suite, cases, finished && runs));
      },
      flat: options.flatOutput ?? false,
      reporters: (runDir) => [
        ...reporters(runDir),
        ...lineReporters(suite, options),
        debugReporter(suiteView, debugLog(options.verbose)),
      ],
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

/** The suite with what the command line says in place of what is written in it. */
function withOptions(suite: Suite, options: SuiteRunOptions): Suite {
  const { minPassRate, maxDrop } = options;
  return {
    ...suite,
    runs: options.runs ?? suite.runs,
    timeoutSeconds: options.timeout ?? suite.timeoutSeconds,
    judge: { ...suite.judge, ...(options.judge !== undefined && { when: options.judge }) },
    gates: {
      ...suite.gates,
      ...(minPassRate !== undefined && { min_pass_rate: minPassRate }),
      ...(maxDrop !== undefined && { max_drop: maxDrop }),
    },
  };
}

/**
 * Empty only where there is nothing left that failed.
 * @throws UserError (`no_cases`) when nothing is selected: a gate of nothing would always be met
 */
function casesToRun(suite: Suite, { config, root }: LoadedConfig, options: SuiteRunOptions): TestCase[] {
  const { sample, seed, ...selection } = caseSelection(options);
  // Last: a sample of those that failed, not those of a sample that failed.
  const draw = (cases: readonly TestCase[]) => selectCases(cases, { sample, seed });
  const selected = selectCases(suite.cases, selection);
  if (!options.lastFailed) return draw(selected);
  const ids = selected.map(({ id }) => id);
  const failed = lastFailed(ids, { outputDir: resolve(root, config["core.output_dir"]), suitePath: suite.path });
  const left = selected.filter(({ id }) => failed.has(id));
  return left.length > 0 ? draw(left) : [];
}

function nothingFailed({ json }: SuiteRunOptions): number {
  const message = "nothing to run: all cases passed when they last ran";
  if (json) printJson({ message, cases: [] });
  else printLine(message);
  return 0;
}

/**
 * The baseline that is named, or the one beside the suite. Of that the run can do without, and tells when it should be
 * there.
 * @throws UserError (`usage`) when the one that is named can't be used: no gate would ever be missed
 */
function findBaseline(suite: Suite, { baseline }: SuiteRunOptions) {
  const path = baseline === undefined ? baselinePath(suite.path) : resolve(baseline);
  const { max_drop, max_cost_increase, max_latency_increase } = suite.gates;
  const isNeeded = [max_drop, max_cost_increase, max_latency_increase].some((limit) => limit !== undefined);
  if (baseline === undefined && !isNeeded && !existsSync(path)) return undefined;
  if (baseline === undefined && !existsSync(path)) {
    showWarnings([
      `nothing is compared: there is no baseline yet; eb suite baseline update RUN writes ${shortPath(path)}`,
    ]);
    return undefined;
  }
  const content = readBaseline(path);
  if (typeof content !== "string") return { path, content };
  if (baseline !== undefined) {
    throw new UserError(`the baseline cannot be used: ${content}: ${shortPath(path)}`, {
      code: "usage",
      hint: "eb suite baseline update RUN writes one",
    });
  }
  showWarnings([`nothing is compared with a baseline: ${shortPath(path)}: ${content}`]);
  return undefined;
}

function finishedBefore(named: string, suite: Suite, { root, config }: LoadedConfig): FinishedTrials {
  const outputDir = resolve(root, config["core.output_dir"]);
  const runDir = findRunDir(named, { outputDir, cwd: process.cwd(), isWanted: (path) => path === suite.path });
  const other = suiteOfRun(runDir);
  if (other !== suite.path) {
    throw new UserError(`that run is of another suite: ${other ?? "none"}`, {
      code: "usage",
      hint: "eb suite run SUITE --resume RUN names both",
    });
  }
  const finished = finishedTrials(runDir);
  const { unreadable } = finished;
  if (unreadable > 0) showWarnings([`${count(unreadable, "line")} of the journal could not be read`]);
  return finished;
}

function lineReporters(suite: Suite, { output, resume }: SuiteRunOptions) {
  if (output === undefined) return [];
  const [path = "", status = ""] = outputFiles(output);
  const lines = caseLinesReporter({ path, keep: resume !== undefined, line: caseLine });
  // Beside a device or a pipe is no place for a file.
  const isFile = statSync(path, { throwIfNoEntry: false })?.isFile() ?? true;
  return isFile ? [lines, statusFileReporter(status, suite.name)] : [lines];
}

/** The file of `-o`, and the one beside it that says how far the suite is. */
function outputFiles(output: string): string[] {
  const path = resolve(output);
  return [path, `${path}.status.json`];
}

/** @param runs of the cases, where some may be taken over from an earlier run */
function banner(suite: Suite, cases: readonly TestCase[], runs?: { total: number; takenOver: number }) {
  const { min_pass_rate: needed } = suite.gates;
  const parts = [
    oneLine(suite.name),
    count(cases.length, "case"),
    ...(suite.runs > 1 ? [count(suite.runs, "run")] : []),
    ...(needed === undefined ? [] : [`${percent(needed)} needed`]),
    ...(runs ? [`${runs.takenOver} of ${count(runs.total, "run")} taken over`] : []),
  ];
  return `${parts.join(" · ")}\n`;
}
