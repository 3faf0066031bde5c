import { count, duration, oneLine, printable } from "../../core/text.js";
import type { RunEnd } from "../events.js";
import type { ItemView, Kind, View } from "../kind.js";
import { type ItemStatus, isInterrupted } from "../schema.js";
import { documentReporter } from "./document.js";

/** `report.md`. */
export function markdownReporter<K extends Kind>(view: View<K>) {
  return documentReporter<K>("markdown", (end) => markdownDocument(end, view));
}

const MARKS: Record<ItemStatus, string> = { passed: "✅ passed", failed: "❌ failed", error: "⚠️ error" };

export function* markdownDocument<K extends Kind>({ summary, results }: RunEnd<K>, view: View<K>): Generator<string> {
  let interrupted = 0;
  if (view.run(summary).tally.error > 0) {
    for (const result of results()) if (isInterrupted(result)) interrupted++;
  }
  yield header(summary, view, interrupted);
  const columns = view.columns(summary);
  const titles = [view.noun, "type", "status", ...columns, "time", "reason"];
  yield `| ${titles.join(" | ")} |\n|${" --- |".repeat(titles.length)}\n`;
  for (const result of results()) yield row(view.item(result), columns.length);
  const { tally } = view.run(summary);
  if (tally.failed + tally.error === 0) return;
  yield "\n## What did not pass\n";
  for (const result of results()) {
    if (!isInterrupted(result) && result.status !== "passed") yield section(view.item(result));
  }
  if (interrupted > 0) yield `\n${count(interrupted, view.noun)} did not end: the run was stopped.\n`;
}

function header<K extends Kind>(summary: K["summary"], view: View<K>, interrupted: number): string {
  const { passed, score, needed, tally, lines } = view.run(summary);
  const nouns = view.plural.charAt(0).toUpperCase() + view.plural.slice(1);
  return [
    `# ${interrupted > 0 ? "⚠️ Interrupted, not passed" : passed ? "✅ Passed" : "❌ Not passed"}: ${score.map(inline).join(", ")}`,
    "",
    ...(needed === "" ? [] : [`- Needed: ${inline(needed)} and no errors`]),
    ...lines.map((line) => `- ${inline(line)}`),
    `- ${nouns}: ${tally.passed} passed, ${tally.failed} failed, ${count(tally.error - interrupted, "error")}${interrupted > 0 ? `, ${interrupted} interrupted` : ""}`,
    `- Run: \`${summary.run_id}\`, ${summary.started_at}, ${duration(summary.duration_ms)}`,
    `- Project: ${inline(summary.project_root)}`,
    "",
    "",
  ].join("\n");
}

function row({ id, type, status, cells: more, duration_ms, time, why }: ItemView, columns: number): string {
  const cells = [
    inline(id),
    type,
    MARKS[status],
    ...more.slice(0, columns).map(inline),
    time ?? duration(duration_ms),
    inline(oneLine(why, 200)),
  ];
  return `| ${cells.join(" | ")} |\n`;
}

function section(item: ItemView): string {
  const lines = [
    "",
    `### ${inline(item.id)}`,
    "",
    `- Description: ${inline(oneLine(item.description, 500))}`,
    `- ${MARKS[item.status]}: ${inline(oneLine(item.why, 500))}`,
    `- Source: ${inline(item.source)}`,
    ...details("stdout", item.stdout),
    ...details("stderr", item.stderr),
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
