import { count, percent } from "../core/text.js";
import { checksPage } from "./checks-page.js";
import type { Checks, View } from "./kind.js";
import { maskCheck } from "./mask.js";

/** How runs of checks are shown. */
export const checksView: View<Checks> = {
  noun: "check",
  plural: "checks",
  againOption: "--check-id",
  columns: () => [],
  item: (result) => ({
    id: result.check_id,
    type: result.check_type,
    status: result.status,
    duration_ms: result.duration_ms,
    description: result.description,
    why: result.reason ?? result.error_detail ?? "",
    stdout: result.stdout,
    stderr: result.stderr,
    source: result.source_path,
    evidence: (["stdout", "stderr"] as const).flatMap((name) => {
      const path = result.details[`${name}_path`];
      return typeof path === "string" ? [[name, path] as const] : [];
    }),
    cells: [],
  }),
  mask: maskCheck,
  maskNote: (note) => note,
  log: ({ exit_code, details }) => ({ exit_code, ...details }),
  run: (summary) => ({
    passed: summary.run_passed,
    tally: { passed: summary.passed_checks, failed: summary.failed_checks, error: summary.errored_checks },
    score: [`${summary.points_earned} of ${count(summary.total_points, "point")}`, `${summary.percentage.toFixed(1)}%`],
    needed: percent(summary.pass_threshold),
    lines: [],
  }),
  page: checksPage,
};
