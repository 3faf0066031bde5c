import { printable } from "../../core/text.js";
import type { RunEnd } from "../events.js";
import type { CheckResult } from "../schema.js";
import { documentReporter } from "./document.js";

/** JUnit XML, as Jenkins, GitLab and GitHub's test reporters read it. */
export const junitReporter = documentReporter("junit", junitDocument);

export function* junitDocument({ summary, results }: RunEnd): Generator<string> {
  const counts = `tests="${summary.total_checks}" failures="${summary.failed_checks}" errors="${summary.errored_checks}"`;
  const time = seconds(summary.duration_ms);
  const timestamp = summary.started_at.slice(0, 19);
  yield `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>\n`;
  yield `  <testsuite name="eval-banana" ${counts} skipped="0" time="${time}" timestamp="${timestamp}" hostname="localhost">\n`;
  for (const result of results()) yield testCase(result);
  yield "  </testsuite>\n</testsuites>\n";
}

function testCase(result: CheckResult): string {
  const name = `name="${xml(result.check_id)}" classname="${result.check_type}" time="${seconds(result.duration_ms)}"`;
  return [
    `    <testcase ${name}>`,
    ...outcome(result),
    ...(result.stdout ? [`      <system-out>${xml(result.stdout)}</system-out>`] : []),
    ...(result.stderr ? [`      <system-err>${xml(result.stderr)}</system-err>`] : []),
    "    </testcase>\n",
  ].join("\n");
}

function outcome(result: CheckResult): string[] {
  if (result.status === "passed") return [];
  const [element, message] =
    result.status === "failed" ? ["failure", result.reason ?? "failed"] : ["error", result.error_detail ?? "error"];
  const text = xml(`${result.description}\n${result.source_path}`);
  return [`      <${element} message="${xml(message)}" type="${result.status}">${text}</${element}>`];
}

function seconds(ms: number): string {
  return (ms / 1000).toFixed(3);
}

const ENTITIES: Record<string, string> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "\n": "&#10;",
  "\t": "&#9;",
};

/**
 * Text for an element or attribute. Newlines are references: an attribute would lose them,
 * and no line of the document begins with what a check printed. U+FFFE and U+FFFF are no characters of XML.
 */
function xml(text: string): string {
  return printable(text)
    .replaceAll(/[\ufffe\uffff]/g, "\ufffd")
    .replaceAll(/[&<>"\n\t]/g, (character) => ENTITIES[character] ?? character);
}
