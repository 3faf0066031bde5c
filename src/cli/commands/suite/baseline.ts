import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { UserError } from "../../../core/errors.js";
import { count, oneLine, percent, shortPath } from "../../../core/text.js";
import type { Comparison, SuiteReport } from "../../../report/suite-schema.js";
import { DEFAULT_SUITE } from "../../../suites/default-paths.js";
import { loadSuite } from "../../../suites/load/load-suite.js";
import {
  type Baseline,
  baselinePath,
  readBaseline,
  readSuiteReport,
  type UpdatedBaseline,
  unusableBaseline,
  updateBaseline,
  writeBaseline,
} from "../../../suites/results/baseline.js";
import { figuresOf } from "../../../suites/results/case-figures.js";
import { compareWithBaseline } from "../../../suites/results/compare-with-baseline.js";
import { findRunDir } from "../../../suites/results/resume.js";
import { loadProject, type ProjectOptions } from "../../options.js";
import { printJson, printLine } from "../../print-result.js";
import { showWarnings } from "../../show-error.js";

export interface BaselineOptions extends ProjectOptions {
  baseline?: string;
  json?: boolean;
}

/** Accepts a finished run as what later runs are compared with. */
export function update(named: string, options: BaselineOptions): number {
  const report = reportOf(named, options);
  if (report.interrupted_cases > 0) {
    throw new UserError(`the run did not end: ${report.interrupted_cases} cases are missing`, {
      code: "usage",
      hint: "complete it with eb suite run --resume, and take that run",
    });
  }
  if (report.cases.every(({ status }) => status === "error")) {
    throw new UserError("no case of the run has a verdict: there is nothing to compare with", {
      code: "usage",
      hint: "its report says why they ended in errors",
    });
  }
  const path = options.baseline === undefined ? baselinePath(report.suite_path) : resolve(options.baseline);
  const before = existsSync(path) ? readBaseline(path) : undefined;
  if (typeof before === "string") showWarnings([`the baseline there can't be used, and is replaced: ${before}`]);
  const known = typeof before === "object" ? before : undefined;
  const done = updateBaseline(report, { before: known, suiteIds: suiteIdsOf(report) });
  writeBaseline(path, done.baseline);
  printLine(`${shortPath(path)}: ${describe(done.baseline)}`);
  if (known) printLine(`before: ${describe(known)}`);
  printLine(changesOf(done, report));
  return 0;
}

/** The cases of the suite as it is now; undefined where it can't be read. */
function suiteIdsOf({ suite_path, project_root }: SuiteReport): string[] | undefined {
  return loadSuite(suite_path, { projectRoot: project_root }).suite?.cases.map(({ id }) => id);
}

/** `2 cases updated, 17 kept, 1 kept since it ended in an error, 1 removed that is no longer in the suite`. */
function changesOf({ updated, kept, removed }: UpdatedBaseline, { cases }: SuiteReport): string {
  const failed = new Set(cases.filter(({ status }) => status === "error").map(({ case_id }) => case_id));
  const unjudged = kept.filter((id) => failed.has(id)).length;
  const without = failed.size - unjudged;
  const others = kept.length - unjudged;
  return [
    `${count(updated.length, "case")} updated`,
    ...(others > 0 ? [`${others} kept`] : []),
    ...(unjudged > 0 ? [`${unjudged} kept since ${unjudged === 1 ? "it" : "they"} ended in an error`] : []),
    ...(without > 0 ? [`${without} left out that ended in an error`] : []),
    ...(removed.length > 0
      ? [`${removed.length} removed that ${removed.length === 1 ? "is" : "are"} no longer in the suite`]
      : []),
  ].join(", ");
}

/** Prints what later runs are compared with: the baseline in a file, or that of the default suite. */
export function show(given: string | undefined, options: BaselineOptions): number {
  const path = given === undefined ? baselinePath(join(loadProject(options).root, DEFAULT_SUITE)) : resolve(given);
  const baseline = baselineIn(path);
  if (options.json) printJson(baseline);
  else {
    printLine(describe(baseline));
    for (const [id, { passed, runs }] of Object.entries(baseline.cases)) printLine(`${passed}/${runs}\t${oneLine(id)}`);
  }
  return 0;
}

/** Prints what a run does better and worse than the baseline. */
export function diff(named: string, options: BaselineOptions): number {
  const report = reportOf(named, options);
  const path = options.baseline === undefined ? baselinePath(report.suite_path) : resolve(options.baseline);
  const comparison = compareWithBaseline(
    report.cases.map(figuresOf),
    { path, content: baselineIn(path) },
    suiteIdsOf(report),
  );
  if (options.json) printJson(comparison);
  else printComparison(comparison);
  return 0;
}

function printComparison(comparison: Comparison): void {
  const { compared, baseline_score: before, score: now, p_value: p } = comparison;
  const score = before === null || now === null ? "" : `, ${percent(before)} to ${percent(now)}`;
  const chance = p === null ? "" : `, p = ${p.toPrecision(2)}`;
  printLine(`${compared} compared${score}${chance}`);
  const { better, worse, changed, added, removed } = comparison;
  for (const [name, ids] of Object.entries({ better, worse, changed, new: added, removed })) {
    for (const id of ids) printLine(`${name}\t${oneLine(id)}`);
  }
}

function reportOf(named: string, options: BaselineOptions) {
  const { root, config } = loadProject(options);
  const outputDir = resolve(root, config["core.output_dir"]);
  const isWanted = (suitePath?: string) => suitePath !== undefined;
  const directory = findRunDir(named, { outputDir, cwd: process.cwd(), isWanted });
  const report = readSuiteReport(resolve(directory, "report.json"));
  if (typeof report !== "string") return report;
  throw new UserError(`the report of the run cannot be used: ${report}: ${shortPath(directory)}/report.json`, {
    code: "usage",
    hint: "take a finished run of a suite",
  });
}

function baselineIn(path: string): Baseline {
  const baseline = readBaseline(path);
  if (typeof baseline !== "string") return baseline;
  throw unusableBaseline(baseline, path);
}

function describe({ suite, score, cases, run_id, created_at }: Baseline): string {
  return `${oneLine(suite)}: score ${percent(score)} over ${count(Object.keys(cases).length, "case")}, run ${run_id}, ${created_at}`;
}
