import type { Suites } from "../report/kind.js";
import type { TrialResult } from "../report/suite-schema.js";
import { suiteView } from "../report/suite-view.js";
import type { Harness } from "../run/harness.js";
import { type RunOptions, type RunOutcome, startRun } from "../run/start-run.js";
import type { BaselineFile } from "./results/baseline.js";
import { caseResult } from "./results/case-result.js";
import type { FinishedTrials } from "./results/resume.js";
import { summarizeSuite } from "./results/summarize.js";
import type { Suite } from "./suite.js";
import { type CaseTarget, suiteTargets } from "./targets/suite-targets.js";
import { targetSecrets } from "./targets/target-variables.js";
import type { TestCase } from "./test-case.js";
import { cacheDirectory, noCache, openCache } from "./trials/cache.js";
import { type PlannedCase, planTrials } from "./trials/plan-trials.js";
import { type PlannedTrial, runTrial } from "./trials/run-trial.js";
import { withPython } from "./trials/with-python.js";

export interface CasesRequest extends RunOptions<Suites> {
  suite: Suite;
  /** Those that are selected, in the order of the report. */
  cases: readonly TestCase[];
  maxParallel: number;
  useCache: boolean;
  /** The agent for rubrics; undefined where there are none. */
  harness: Harness | undefined;
  /** What to compare with. */
  baseline?: BaselineFile | undefined;
  /** Runs of cases that need not be run again. */
  finished?: FinishedTrials | undefined;
}

/**
 * Runs the cases of a suite and tells the reporters.
 * @throws UserError when the run can't begin, or results can't be written; in the latter case after the report
 */
export function runCases(request: CasesRequest): Promise<RunOutcome<Suites>> {
  const { suite, cases, harness } = request;
  const targetOf = suiteTargets(suite, request.project);
  return startRun<Suites, Task>(
    {
      view: suiteView,
      total: cases.length,
      start: { suite: suite.name, suite_path: suite.path },
      harness,
      secrets: [...new Set(cases.map(targetOf))].flatMap(secretsOf),
      prepare: async (run, recorder) => {
        const warn = (text: string) => void recorder.warn(text);
        const cache = request.useCache ? openCache({ directory: cacheDirectory(run.projectRoot), warn }) : noCache;
        const ready = await withPython(run, cases, recorder.warn);
        const planned = planTrials({ ...request, targetOf }, ready);
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
            const before = request.finished?.get(trial.key);
            const result = before
              ? { ...before, taken_over: true }
              : await runTrial(trial, { run: ready, suite, cache, warn });
            if (result !== undefined) await end(index, { ...result, run: trial.number });
          },
          itemOf: ({ index }) => index,
          close: async () => ready.launcher?.close(),
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

function secretsOf({ target }: CaseTarget): string[] {
  return target === undefined ? [] : targetSecrets(target);
}

interface Task {
  index: number;
  trial: PlannedTrial;
}

/**
 * Case by case, so that cases end early; first what is only taken over from an earlier run, since this one may be
 * killed, too.
 */
function* tasksOf(cases: readonly PlannedCase[], finished?: FinishedTrials): Generator<Task> {
  for (const over of [true, false]) {
    for (const [index, { trials }] of cases.entries()) {
      for (const trial of trials) if ((finished?.has(trial.key) ?? false) === over) yield { index, trial };
    }
  }
}
