import { existsSync, statSync } from "node:fs";
import { resolve } from "node:path";
import type { LoadedConfig } from "../config/load.js";
import { UserError } from "../core/errors.js";
import { count, shortPath } from "../core/text.js";
import type { Reporter } from "../report/events.js";
import type { Suites } from "../report/kind.js";
import { caseLinesReporter } from "../report/reporters/case-lines.js";
import { statusFileReporter } from "../report/reporters/status-file.js";
import type { JudgeSettings } from "./format/schema.js";
import { type CaseSelection, selectCases } from "./load/select-cases.js";
import { type BaselineFile, baselinePath, readBaseline, unusableBaseline } from "./results/baseline.js";
import { caseLine } from "./results/case-result.js";
import { isInBaseline, NO_SHARED_CASE } from "./results/compare-with-baseline.js";
import { lastFailed } from "./results/last-failed.js";
import { type FinishedTrials, findRunDir, finishedTrials, suiteOfRun } from "./results/resume.js";
import type { CasesRequest } from "./run-cases.js";
import type { Suite } from "./suite.js";
import { type CaseTarget, suiteTargets } from "./targets/suite-targets.js";
import type { TestCase } from "./test-case.js";
import { harnessForSuite } from "./trials/judge-harness.js";

/** What is said of a run besides what the suite says. */
export interface SuiteRunSettings {
  /** Paths lead from here. Absolute. */
  cwd: string;
  selection: CaseSelection;
  runs?: number | undefined;
  /** Seconds; 0 = none. */
  timeout?: number | undefined;
  maxParallel?: number | undefined;
  cache: boolean;
  /** Whether it decides about a build: what a service said before counts for nothing then. */
  ci?: boolean | undefined;
  judge?: JudgeSettings["when"] | undefined;
  minPassRate?: number | undefined;
  maxDrop?: number | undefined;
  baseline?: string | undefined;
  lastFailed?: boolean | undefined;
  resume?: string | undefined;
  /** A file that gets a line for each case. */
  output?: string | undefined;
}

export type SuitePlan = Omit<CasesRequest, "flat" | "reporters" | "signal" | "warnings" | "onPlan"> & {
  /** What was noticed, for people. */
  warnings: readonly string[];
  /** What writes where the settings say. */
  lines: readonly Reporter<Suites>[];
};

/**
 * All that a run of a suite needs to begin. It has no cases only where those that failed are asked for, and none did.
 * @throws UserError when it can't: nothing is selected, what is named is not there, no case can be called, the agent that
 *   judges is unknown or there is none
 */
export function planRun(written: Suite, project: LoadedConfig, settings: SuiteRunSettings): SuitePlan {
  const suite = withSettings(written, project, settings);
  const cases = casesToRun(suite, project, settings);
  const targetOf = suiteTargets(suite, project);
  requireAnyTarget(cases, targetOf);
  const harness = harnessForSuite(project, suite, cases);
  const { baseline, warnings } = findBaseline(suite, cases, settings);
  const finished = finishedBefore(suite, project, settings);
  const unreadable = finished?.unreadable ?? 0;
  return {
    project,
    suite,
    cases,
    targetOf,
    maxParallel: settings.maxParallel ?? project.config["core.max_parallel_checks"],
    useCache: settings.cache,
    askServices: settings.ci ?? false,
    harness,
    baseline,
    finished,
    warnings: [
      ...warnings,
      ...(unreadable > 0 ? [`${count(unreadable, "line")} of the journal could not be read`] : []),
    ],
    lines: lineReporters(suite, settings),
    written: outputFiles(settings),
  };
}

/** The suite with what is said of the run in place of what is written in it. */
function withSettings(suite: Suite, project: LoadedConfig, settings: SuiteRunSettings): Suite {
  const { minPassRate, maxDrop } = settings;
  return {
    ...suite,
    runs: settings.runs ?? suite.runs,
    timeoutSeconds: settings.timeout ?? suite.timeoutSeconds,
    judge: { ...judgeFor(suite, project), ...(settings.judge !== undefined && { when: settings.judge }) },
    gates: {
      ...suite.gates,
      ...(minPassRate !== undefined && { min_pass_rate: minPassRate }),
      ...(maxDrop !== undefined && { max_drop: maxDrop }),
    },
  };
}

/** What is asked for this run wins over the suite, as that does over the environment and the configuration. */
function judgeFor({ judge }: Suite, { config, origins }: LoadedConfig): JudgeSettings {
  const asked = (key: "harness.agent" | "harness.model" | "harness.reasoning_effort") =>
    ["flag", "program"].includes(origins[key]) ? config[key] : undefined;
  return {
    ...judge,
    agent: asked("harness.agent") ?? judge.agent,
    model: asked("harness.model") ?? judge.model,
    reasoning_effort: asked("harness.reasoning_effort") ?? judge.reasoning_effort,
  };
}

/**
 * Empty only where there is nothing left that failed.
 * @throws UserError (`no_cases`) when nothing is selected: a gate of nothing would always be met
 */
function casesToRun(suite: Suite, { config, root }: LoadedConfig, settings: SuiteRunSettings): TestCase[] {
  const { sample, seed, ...selection } = settings.selection;
  // Last: a sample of those that failed, not those of a sample that failed.
  const draw = (cases: readonly TestCase[]) => selectCases(cases, { sample, seed });
  const selected = selectCases(suite.cases, selection, suite.isInFile ? suite.path : undefined);
  if (!settings.lastFailed) return draw(selected);
  const ids = selected.map(({ id }) => id);
  const failed = lastFailed(ids, { outputDir: resolve(root, config["core.output_dir"]), suitePath: suite.path });
  const left = selected.filter(({ id }) => failed.has(id));
  return left.length > 0 ? draw(left) : [];
}

/**
 * A case without a target fails alone; but of a run where all do there is nothing to learn.
 * @throws UserError (`invalid_suite`) with what is wrong with the targets
 */
function requireAnyTarget(cases: readonly TestCase[], targetOf: (testCase: TestCase) => CaseTarget): void {
  const targets = [...new Set(cases.map(targetOf))];
  if (targets.length === 0 || targets.some(({ target }) => target !== undefined)) return;
  throw new UserError("no case can be called", {
    code: "invalid_suite",
    problems: targets.flatMap(({ problems }) => problems),
    hint: "name a target file with 'config' in the suite or with --config; eb suite init writes one to begin with",
  });
}

/**
 * The baseline that is named, or the one beside the suite. Of that the run can do without, and tells when it should be
 * there.
 * @throws UserError (`usage`) when the one that is named can't be used: no gate would ever be missed
 */
function findBaseline(
  suite: Suite,
  cases: readonly TestCase[],
  { baseline, cwd }: SuiteRunSettings,
): { baseline: BaselineFile | undefined; warnings: string[] } {
  const nothing = (...warnings: string[]) => ({ baseline: undefined, warnings });
  const path = baseline === undefined ? baselinePath(suite.path) : resolve(cwd, baseline);
  const { max_drop, max_cost_increase, max_latency_increase } = suite.gates;
  const isNeeded = [max_drop, max_cost_increase, max_latency_increase].some((limit) => limit !== undefined);
  if (baseline === undefined && !existsSync(path)) {
    if (!isNeeded) return nothing();
    return nothing(
      `nothing is compared: there is no baseline yet; eb suite baseline update RUN writes ${shortPath(path)}`,
    );
  }
  const content = readBaseline(path);
  if (typeof content === "string") {
    if (baseline !== undefined) throw unusableBaseline(content, path);
    return nothing(`nothing is compared with a baseline: ${shortPath(path)}: ${content}`);
  }
  const found = { baseline: { path, content }, warnings: [] };
  if (cases.length === 0 || cases.some(({ id, digest }) => isInBaseline(content, id, digest))) return found;
  if (baseline !== undefined) throw unusableBaseline(NO_SHARED_CASE, path);
  return { ...found, warnings: [`nothing is compared: ${NO_SHARED_CASE}: ${shortPath(path)}`] };
}

function finishedBefore(
  suite: Suite,
  { root, config }: LoadedConfig,
  { resume, cwd }: SuiteRunSettings,
): (FinishedTrials & { unreadable: number }) | undefined {
  if (resume === undefined) return undefined;
  const runDir = findRunDir(resume, {
    outputDir: resolve(root, config["core.output_dir"]),
    cwd,
    isWanted: (path) => path === suite.path,
  });
  const other = suiteOfRun(runDir);
  if (other === suite.path) return finishedTrials(runDir);
  throw new UserError(`that run is of another suite: ${other === undefined ? "none" : shortPath(other)}`, {
    code: "usage",
    hint: "eb suite run SUITE --resume RUN names both",
  });
}

/** The file of `output`, and the one beside it that says how far the suite is. */
function outputFiles({ output, cwd }: SuiteRunSettings): string[] {
  if (output === undefined) return [];
  const path = resolve(cwd, output);
  return [path, `${path}.status.json`];
}

function lineReporters(suite: Suite, settings: SuiteRunSettings): Reporter<Suites>[] {
  const [path, status] = outputFiles(settings);
  if (path === undefined || status === undefined) return [];
  const { resume } = settings;
  const lines = caseLinesReporter({ path, keep: resume !== undefined, line: caseLine });
  // Beside a device or a pipe is no place for a file.
  const isFile = statSync(path, { throwIfNoEntry: false })?.isFile() ?? true;
  return isFile ? [lines, statusFileReporter(status, suite.name)] : [lines];
}
