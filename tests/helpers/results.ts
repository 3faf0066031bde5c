import type { RunEnd } from "../../src/report/events.js";
import { emptyTally } from "../../src/report/kind.js";
import type { CheckResult } from "../../src/report/schema.js";
import { scoreRun } from "../../src/report/score.js";

/** The result of a check that passed, with what matters to a test. */
export function result(more: Partial<CheckResult> = {}): CheckResult {
  const at = "2026-01-02T03:04:05.678Z";
  return {
    check_id: "it",
    check_type: "deterministic",
    check_definition_sha256: null,
    description: "Checks it",
    source_path: "/p/eval_checks/it.yaml",
    tags: [],
    status: "passed",
    score: more.status === undefined || more.status === "passed" ? 1 : 0,
    started_at: at,
    completed_at: at,
    duration_ms: 12,
    reason: null,
    error_detail: null,
    stdout: "",
    stderr: "",
    exit_code: 0,
    details: {},
    ...more,
  };
}

/** The last event of a run with these results, which may be made one at a time. */
export function runEnd(results: () => Iterable<CheckResult>): RunEnd {
  const tally = emptyTally();
  for (const { status } of results()) tally[status]++;
  return {
    type: "run.end",
    summary: {
      schema_version: 1,
      run_id: "20260102_030405_0123abcd",
      project_root: "/p",
      output_dir: "/p/out",
      started_at: "2026-01-02T03:04:05.678Z",
      completed_at: "2026-01-02T03:04:06.678Z",
      duration_ms: 1000,
      ...scoreRun(tally, 1),
    },
    results,
  };
}
