import type { RunEnd } from "../events.js";
import type { CheckResult } from "../schema.js";
import { documentReporter } from "./document.js";

/** JUnit XML, as Jenkins, GitLab and GitHub's test reporters read it. */
export const junitReporter = documentReporter("junit", junitDocument);

function* junitDocument({ summary, results }: RunEnd): Generator<string> {
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
  "\r": "&#13;",
};

/** Text for an element or attribute; what XML 1.0 can't hold becomes U+FFFD. */
function xml(text: string): string {
  return (
    text
      .toWellFormed()
      // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what XML can't hold
      .replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, "\ufffd")
      .replaceAll(/[&<>"\n\t\r]/g, (character) => ENTITIES[character] ?? character)
  );
}
