import { findPython } from "../process/python.js";
import { checksView } from "../report/checks-view.js";
import type { Checks } from "../report/kind.js";
import { REPORT_SCHEMA_VERSION } from "../report/schema.js";
import { scoreRun } from "../report/score.js";
import { createLauncher } from "../run/python-launcher.js";
import { type RunOptions, type RunOutcome, startRun } from "../run/start-run.js";
import { harnessForChecks } from "./judge-harness.js";
import type { PlannedCheck } from "./plan.js";
import { runCheck, unfinishedCheck } from "./run-check.js";

export interface ChecksRequest extends RunOptions<Checks> {
  checks: readonly PlannedCheck[];
}

/**
 * Runs the planned checks and tells the reporters.
 * @throws UserError when the run can't begin, a check was changed after discovery, or results can't be written;
 *   in the latter two cases after the report of what was done
 */
export async function runPlan({ checks, ...options }: ChecksRequest): Promise<RunOutcome<Checks>> {
  const { config } = options.project;
  const threshold = config["core.pass_threshold"];
  return startRun<Checks, [number, PlannedCheck]>(
    {
      view: checksView,
      total: checks.length,
      start: { pass_threshold: threshold },
      harness: harnessForChecks(options.project, checks),
      prepare: async (run, recorder) => {
        const python = checks.some(({ type }) => type === "deterministic")
          ? await findPython({ ...run, cwd: run.projectRoot, configured: config["deterministic.python"] })
          : undefined;
        const ids = checks.flatMap(({ type, id }) => (type === "deterministic" ? [id] : []));
        const launcher = createLauncher({ run, python, ids, warn: recorder.warn });
        const ready = { ...run, python, launcher };
        return {
          total: checks.length,
          tasks: checks.entries(),
          concurrency: config["core.max_parallel_checks"],
          async runTask([index, planned]) {
            const onStart = (at: Date) => recorder.itemStart(planned.id, at);
            await recorder.record(index, await runCheck(planned, { run: ready, onStart }));
          },
          itemOf: ([index]) => index,
          close: async () => launcher?.close(),
          unfinished: (index, why) => unfinishedCheck(checks[index] as PlannedCheck, why),
        };
      },
      summarize: ({ facts, tally }) => ({
        schema_version: REPORT_SCHEMA_VERSION,
        ...facts,
        ...scoreRun(tally, threshold),
      }),
    },
    options,
  );
}
