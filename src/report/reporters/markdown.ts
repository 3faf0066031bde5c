import { count, duration, oneLine, percent, printable } from "../../core/text.js";
import type { RunEnd } from "../events.js";
import { type CheckResult, type CheckStatus, isInterrupted, type RunSummary } from "../schema.js";
import { documentReporter } from "./document.js";

/** `report.md`. */
export const markdownReporter = documentReporter("markdown", markdownDocument);

const MARKS: Record<CheckStatus, string> = { passed: "✅ passed", failed: "❌ failed", error: "⚠️ error" };

export function* markdownDocument({ summary, results }: RunEnd): Generator<string> {
  yield header(summary);
  yield "| check | type | status | time | reason |\n| --- | --- | --- | --- | --- |\n";
  for (const result of results()) yield row(result);
  if (summary.passed_checks === summary.total_checks) return;
  yield "\n## What did not pass\n";
  let interrupted = 0;
  for (const result of results()) {
    if (isInterrupted(result)) interrupted++;
    else if (result.status !== "passed") yield section(result);
  }
  if (interrupted > 0) yield `\n${count(interrupted, "check")} did not end: the run was stopped.\n`;
}

function header(summary: RunSummary): string {
  const score = `${summary.points_earned} of ${count(summary.total_points, "point")}, ${summary.percentage.toFixed(1)}%`;
  const needed = percent(summary.pass_threshold);
  return [
    `# ${summary.run_passed ? "✅ Passed" : "❌ Not passed"}: ${score}`,
    "",
    `- Needed: ${needed} and no errors`,
    `- Checks: ${summary.passed_checks} passed, ${summary.failed_checks} failed, ${count(summary.errored_checks, "error")}`,
    `- Run: \`${summary.run_id}\`, ${summary.started_at}, ${duration(summary.duration_ms)}`,
    `- Project: ${inline(summary.project_root)}`,
    "",
    "",
  ].join("\n");
}

function row(result: CheckResult): string {
  const why = inline(oneLine(result.reason ?? result.error_detail ?? "", 200));
  return `| ${inline(result.check_id)} | ${result.check_type} | ${MARKS[result.status]} | ${duration(result.duration_ms)} | ${why} |\n`;
}

function section(result: CheckResult): string {
  const lines = [
    "",
    `### ${inline(result.check_id)}`,
    "",
    `- Description: ${inline(oneLine(result.description, 500))}`,
    `- ${MARKS[result.status]}: ${inline(oneLine(result.reason ?? result.error_detail ?? "", 500))}`,
    `- Source: ${inline(result.source_path)}`,
    ...details("stdout", result.stdout),
    ...details("stderr", result.stderr),
    "",
  ];
  return lines.join("\n");
}

function details(name: string, text: string): string[] {
  if (text === "") return [];
  const body = printable(text).trimEnd();
  const longest = Math.max(2, ...(body.match(/`+/g) ?? []).map((run) => run.length));
  const fence = "`".repeat(longest + 1);
  return ["", `<details><summary>${name}</summary>`, "", `${fence}text`, body, fence, "", "</details>"];
}

/**
 * Text on one line that Markdown and HTML leave as it is, and GitHub too: no one is mentioned and no issue is linked.
 * Not for the start of a line.
 */
function inline(text: string): string {
  return oneLine(text)
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll(/[@#](?=\w)/g, "$&&#8203;")
    .replaceAll(/[\\`*_[\]|~$]/g, "\\$&");
}
