import { statSync } from "node:fs";
import { resolve } from "node:path";
import type { LoadedConfig } from "../../../config/load.js";
import { describeProblem, UserError } from "../../../core/errors.js";
import { count, oneLine, percent, shortPath } from "../../../core/text.js";
import { caseLinesReporter } from "../../../report/reporters/case-lines.js";
import { statusFileReporter } from "../../../report/reporters/status-file.js";
import { suiteView } from "../../../report/suite-view.js";
import { baselinePath, readBaseline } from "../../../suites/baseline.js";
import { caseLine } from "../../../suites/case-result.js";
import type { GateLimits } from "../../../suites/gates.js";
import { harnessForSuite } from "../../../suites/judge-harness.js";
import { lastFailed } from "../../../suites/last-failed.js";
import { loadSuite } from "../../../suites/load-suite.js";
import { type FinishedTrials, findRunDir, finishedTrials } from "../../../suites/resume.js";
import { runSuite } from "../../../suites/run-suite.js";
import { selectCases } from "../../../suites/select-cases.js";
import type { Suite } from "../../../suites/suite.js";
import type { TestCase } from "../../../suites/test-case.js";
import { debugLog, debugReporter } from "../../debug.js";
import { watchInterrupts } from "../../interrupt.js";
import { loadProject, type ProjectOptions } from "../../options.js";
import { chooseReporters } from "../../reporters.js";
import { showError, showWarnings } from "../../show-error.js";
import { openSuites } from "../../suite-options.js";
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
  const { reporters, notice } = chooseReporters(suiteView, {
    asked: options.reporter ?? [],
    json: options.json ?? false,
  });
  const project = loadProject(options);
  const suite = withOptions(readSuite(suitePath, project, options), options);
  const cases = casesToRun(suite, project, options);
  const limits = limitsOf(suite, options);
  const finished = options.resume === undefined ? undefined : finishedBefore(options.resume, project);
  if (options.banner && !options.json) process.stderr.write(banner(suite, cases, finished));

  const interrupt = watchInterrupts(notice);
  try {
    const outcome = await runSuite({
      project,
      suite,
      cases,
      runs: options.runs,
      timeoutSeconds: options.timeout,
      maxParallel: options.maxParallel ?? project.config["core.max_parallel_checks"],
      useCache: options.cache,
      harness: harnessForSuite(project, suite, cases),
      limits,
      baseline: findBaseline(suite, limits, options),
      finished,
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

/** @throws UserError (`invalid_suite`) when it can't be run; what makes single cases fail is only told */
function readSuite(given: string | undefined, { root }: LoadedConfig, options: SuiteRunOptions): Suite {
  const { cwd = ".", projectConfig: useConfig } = options;
  const { files } = openSuites(given === undefined ? [] : [given], { cwd, useConfig });
  const config = options.config === undefined ? undefined : resolve(cwd, options.config);
  const { suite, problems, warnings } = loadSuite(files[0] ?? "", { projectRoot: root, config });
  if (!suite) throw new UserError("the suite is not valid", { code: "invalid_suite", problems });
  showWarnings([...warnings, ...problems.map(describeProblem)]);
  return suite;
}

function withOptions(suite: Suite, { judge }: SuiteRunOptions): Suite {
  return judge === undefined ? suite : { ...suite, judge: { ...suite.judge, when: judge } };
}

/** @throws UserError (`no_checks`) when nothing is selected: a gate of nothing would always be met */
function casesToRun(suite: Suite, { config, root }: LoadedConfig, options: SuiteRunOptions): TestCase[] {
  const { sample, seed, ...selection } = caseSelection(options);
  // Last: a sample of those that failed, not those of a sample that failed.
  const draw = (cases: readonly TestCase[]) => selectCases(cases, { sample, seed });
  const selected = selectCases(suite.cases, selection);
  if (selected.length === 0) {
    throw new UserError(`no cases found: none of the ${count(suite.cases.length, "case")} is selected`, {
      code: "no_cases",
      hint: "eb suite list prints the cases there are",
    });
  }
  if (!options.lastFailed) return draw(selected);
  const ids = selected.map(({ id }) => id);
  const failed = lastFailed(ids, { outputDir: resolve(root, config["core.output_dir"]), suitePath: suite.path });
  const left = selected.filter(({ id }) => failed.has(id));
  if (left.length > 0) return draw(left);
  throw new UserError("no cases found: all passed when they last ran", { code: "no_cases" });
}

function limitsOf({ gates }: Suite, { minPassRate, maxDrop }: SuiteRunOptions): GateLimits {
  return {
    ...gates,
    ...(minPassRate !== undefined && { min_pass_rate: minPassRate }),
    ...(maxDrop !== undefined && { max_drop: maxDrop }),
  };
}

/** The baseline beside the suite, or the one that is named. One that can't be read is told of, and the run goes on. */
function findBaseline(suite: Suite, limits: GateLimits, { baseline }: SuiteRunOptions) {
  const path = baseline === undefined ? baselinePath(suite.path) : resolve(baseline);
  const content = readBaseline(path);
  if (typeof content !== "string") return { path, content };
  const { max_drop, max_cost_increase, max_latency_increase } = limits;
  const wanted = [max_drop, max_cost_increase, max_latency_increase].some((limit) => limit !== undefined);
  if (baseline !== undefined || wanted || !content.includes("ENOENT")) {
    showWarnings([`nothing is compared with a baseline: ${shortPath(path)}: ${content}`]);
  }
  return undefined;
}

function finishedBefore(named: string, { root, config }: LoadedConfig): FinishedTrials {
  const outputDir = resolve(root, config["core.output_dir"]);
  const finished = finishedTrials(findRunDir(named, { outputDir, cwd: process.cwd() }));
  const { unreadable } = finished;
  if (unreadable > 0) showWarnings([`${count(unreadable, "line")} of the journal could not be read`]);
  return finished;
}

function lineReporters(suite: Suite, { output, resume }: SuiteRunOptions) {
  if (output === undefined) return [];
  const path = resolve(output);
  const lines = caseLinesReporter({ path, keep: resume !== undefined, line: caseLine });
  // Beside a device or a pipe is no place for a file.
  const isFile = statSync(path, { throwIfNoEntry: false })?.isFile() ?? true;
  return isFile ? [lines, statusFileReporter(`${path}.status.json`, suite.name)] : [lines];
}

function banner(suite: Suite, cases: readonly TestCase[], finished: FinishedTrials | undefined) {
  const { min_pass_rate: needed } = suite.gates;
  const parts = [
    oneLine(suite.name),
    count(cases.length, "case"),
    ...(suite.runs > 1 ? [count(suite.runs, "run")] : []),
    ...(needed === undefined ? [] : [`${percent(needed)} needed`]),
    ...(finished ? [`${finished.size} finished before`] : []),
  ];
  return `${parts.join(" · ")}\n`;
}
