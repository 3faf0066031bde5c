// @ts-check
// Runs the checks below this directory, says how they end, and exits like `eb run`.
import { runChecks, UserError } from "eval-banana";

const run = runChecks({ cwd: import.meta.dirname, settings: { "core.pass_threshold": 0.5 } });
try {
  for await (const event of run) {
    if (event.type === "run.start") console.log(`${event.total} checks`);
    if (event.type === "item.end") console.log(`${event.result.status} ${event.result.check_id}`);
    if (event.type === "warning") console.error(event.message);
  }
  const report = await run;
  for (const { check_id, reason, error_detail } of report.checks.filter(({ score }) => score === 0)) {
    console.log(`${check_id}: ${reason ?? error_detail}`);
  }
  console.log(`${report.percentage}% of ${report.total_points} points; ${report.output_dir}`);
  process.exitCode = report.run_passed ? 0 : 1;
} catch (error) {
  if (!(error instanceof UserError)) throw error;
  console.error(error.message, error.problems, error.hint);
  process.exitCode = 2;
}
