import { oneLine } from "../core/text.js";
import type { Suites } from "../report/kind.js";
import type { TrialResult } from "../report/suite-schema.js";
import { suiteView } from "../report/suite-view.js";
import type { RunContext } from "../run/context.js";
import type { Harness } from "../run/harness.js";
import { type RunOptions, type RunOutcome, startRun } from "../run/start-run.js";
import type { BaselineFile } from "./results/baseline.js";
import { caseResult } from "./results/case-result.js";
import type { FinishedTrials } from "./results/resume.js";
import { summarizeSuite } from "./results/summarize.js";
import type { Suite } from "./suite.js";
import type { CaseTarget } from "./targets/suite-targets.js";
import { targetSecrets } from "./targets/target-variables.js";
import type { TestCase } from "./test-case.js";
import { cacheDirectory, openCache } from "./trials/cache.js";
import { judgeContent } from "./trials/judge-harness.js";
import { needsProject, type PlannedCase, planTrials } from "./trials/plan-trials.js";
import { NO_STATE, type ProjectState, projectState } from "./trials/project-state.js";
import { type PlannedTrial, runTrial } from "./trials/run-trial.js";
import { withPython } from "./trials/with-python.js";

export interface CasesRequest extends RunOptions<Suites> {
  suite: Suite;
  /** Those that are selected, in the order of the report. */
  cases: readonly TestCase[];
  /** The target of each. */
  targetOf: (testCase: TestCase) => CaseTarget;
  maxParallel: number;
  /** Whether answers are taken from the cache; they are kept there in any case. */
  useCache: boolean;
  /** Whether services are called anew, but for those whose target says what is cached. */
  askServices: boolean;
  /** The agent for rubrics; undefined where there are none. */
  harness: Harness | undefined;
  /** What to compare with. */
  baseline?: BaselineFile | undefined;
  /** Runs of cases that need not be run again. */
  finished?: FinishedTrials | undefined;
  /** Files that reporters write; absolute. */
  written: readonly string[];
  /** Told before the first case runs how many runs there are, and how many of them are taken over. */
  onPlan: (runs: { total: number; takenOver: number }) => void;
}

/**
 * Runs the cases of a suite and tells the reporters.
 * @throws UserError when the run can't begin, or results can't be written; in the latter case after the report
 */
export function runCases(request: CasesRequest): Promise<RunOutcome<Suites>> {
  const { suite, cases, harness, targetOf, askServices } = request;
  return startRun<Suites, Task>(
    {
      view: suiteView,
      total: cases.length,
      start: { suite: suite.name, suite_path: suite.path, case_ids: cases.map(({ id }) => id) },
      harness,
      secrets: [...new Set(cases.map(targetOf))].flatMap(secretsOf),
      prepare: async (run, recorder) => {
        const warn = (text: string) => void recorder.warn(text);
        const cache = openCache({ directory: cacheDirectory(run.projectRoot), warn, anew: !request.useCache });
        const ready = await withPython(run, cases, recorder.warn);
        const project = await stateFor(request, { run, warn });
        const judge = judgeContent(run, project);
        const planned = await planTrials({ ...request, project, judge }, ready);
        request.onPlan(countRuns(planned.cases, request.finished));
        for (const warning of planned.warnings) await recorder.warn(warning);
        const open = new Map<number, TrialResult[]>();
        const end = async (index: number, result: TrialResult) => {
          const { identity } = planned.cases[index] as PlannedCase;
          const trials = [...(open.get(index) ?? []), result];
          open.set(index, trials);
          if (trials.length < identity.runs) {
            recorder.note({ type: "trial.end", case_id: identity.id, trial: result });
            return;
          }
          open.delete(index);
          await recorder.record(index, caseResult(identity, trials));
        };
        const started = new Set<number>();
        return {
          total: cases.length,
          tasks: tasksOf(planned.cases, request.finished),
          concurrency: request.maxParallel,
          async runTask({ index, trial }) {
            if (!started.has(index)) {
              started.add(index);
              await recorder.itemStart(trial.testCase.id, new Date());
            }
            const before = takeOver(trial, request.finished);
            const result = before
              ? { ...before, taken_over: true }
              : await runTrial(trial, { run: ready, suite, cache, project, askServices, judge, warn });
            if (result !== undefined) await end(index, { ...result, run: trial.number });
          },
          itemOf: ({ index }) => index,
          async close() {
            await ready.launcher?.close();
            const changes = cache.newEntries() > 0 ? await project.changes() : [];
            if (changes.length === 0) return;
            cache.forgetNew();
            await recorder.warn(changedMeanwhile(changes));
          },
          unfinished(index, why) {
            return caseResult((planned.cases[index] as PlannedCase).identity, open.get(index) ?? [], why);
          },
        };
      },
      summarize: (recorded) => summarizeSuite(recorded, suite, request.baseline),
    },
    request,
  );
}

/** The state of the project, where it matters to any of the cases. */
async function stateFor(
  { suite, cases, targetOf, written, baseline, harness }: CasesRequest,
  { run, warn }: { run: RunContext; warn: (text: string) => void },
): Promise<ProjectState> {
  const isNeeded = cases.some((testCase) => needsProject(testCase, targetOf(testCase).target));
  if (harness === undefined && !isNeeded) return NO_STATE;
  const files = [...written, ...(baseline ? [baseline.path] : [])];
  return projectState(run, { suite, targetOf, written: files, warn });
}

function changedMeanwhile(paths: readonly string[]): string {
  const more = paths.length > 3 ? ` and ${paths.length - 3} more` : "";
  const named = paths.slice(0, 3).map((path) => oneLine(path));
  return `files of the project changed while the suite ran, so that no answer and no verdict is kept in the cache: ${named.join(", ")}${more}; where the target writes them, let git ignore them, or say what counts with 'cache: {files: [...]}' in the target`;
}

function secretsOf({ target }: CaseTarget): string[] {
  return target === undefined ? [] : targetSecrets(target);
}

interface Task {
  index: number;
  trial: PlannedTrial;
}

function isFinished({ key, lateKey }: PlannedTrial, finished?: FinishedTrials): boolean {
  return finished !== undefined && (finished.has(key) || finished.has(lateKey));
}

function takeOver({ key, lateKey }: PlannedTrial, finished?: FinishedTrials): TrialResult | undefined {
  return finished?.get(key) ?? finished?.get(lateKey);
}

function countRuns(cases: readonly PlannedCase[], finished?: FinishedTrials) {
  const trials = cases.flatMap((each) => each.trials);
  return { total: trials.length, takenOver: trials.filter((trial) => isFinished(trial, finished)).length };
}

/**
 * Case by case, so that cases end early; first what is only taken over from an earlier run, since this one may be
 * killed, too.
 */
function* tasksOf(cases: readonly PlannedCase[], finished?: FinishedTrials): Generator<Task> {
  for (const over of [true, false]) {
    for (const [index, { trials }] of cases.entries()) {
      for (const trial of trials) if (isFinished(trial, finished) === over) yield { index, trial };
    }
  }
}
