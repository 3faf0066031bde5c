import { printable } from "../../core/text.js";
import type { RunEnd } from "../events.js";
import type { ItemView, Kind, View } from "../kind.js";
import { documentReporter } from "./document.js";

/** JUnit XML, as Jenkins, GitLab and GitHub's test reporters read it. */
export function junitReporter<K extends Kind>(view: View<K>) {
  return documentReporter<K>("junit", (end) => junitDocument(end, view));
}

export function* junitDocument<K extends Kind>({ summary, results }: RunEnd<K>, view: View<K>): Generator<string> {
  const { passed, failed, error } = view.run(summary).tally;
  const { suite, gates = [] } = view.junit?.(summary) ?? {};
  const missed = gates.filter((gate) => !gate.passed).length;
  const skipped = gates.filter((gate) => gate.passed && !gate.decided).length;
  const counts = `tests="${passed + failed + error + gates.length}" failures="${failed + missed}" errors="${error}"`;
  const time = seconds(summary.duration_ms);
  const timestamp = summary.started_at.slice(0, 19);
  yield `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>\n`;
  yield `  <testsuite name="${xml(suite ?? "eval-banana")}" ${counts} skipped="${skipped}" time="${time}" timestamp="${timestamp}" hostname="localhost">\n`;
  for (const result of results()) yield testCase(view.item(result), suite);
  for (const gate of gates) yield gateCase(gate, suite);
  yield "  </testsuite>\n</testsuites>\n";
}

interface Gate {
  name: string;
  passed: boolean;
  decided: boolean;
  text: string;
}

/** A run whose cases passed may have missed a gate: a build is to see that, too. */
function gateCase({ name, passed, decided, text }: Gate, suite = ""): string {
  const message = `message="${xml(text)}"`;
  const outcome = passed
    ? decided
      ? []
      : [`      <skipped ${message}/>`]
    : [`      <failure ${message} type="failed"></failure>`];
  const start = `    <testcase name="${xml(`gate: ${name}`)}" classname="${xml(suite)}" time="0.000">`;
  return [start, ...outcome, "    </testcase>\n"].join("\n");
}

function testCase(item: ItemView, suite: string | undefined): string {
  const name = `name="${xml(item.id)}" classname="${xml(suite ?? item.type)}" time="${seconds(item.duration_ms)}"`;
  return [
    `    <testcase ${name}>`,
    ...outcome(item),
    ...(item.stdout ? [`      <system-out>${xml(item.stdout)}</system-out>`] : []),
    ...(item.stderr ? [`      <system-err>${xml(item.stderr)}</system-err>`] : []),
    "    </testcase>\n",
  ].join("\n");
}

function outcome({ status, why, description, source }: ItemView): string[] {
  if (status === "passed") return [];
  const element = status === "failed" ? "failure" : "error";
  const text = xml(`${description}\n${source}`);
  return [`      <${element} message="${xml(why || status)}" type="${status}">${text}</${element}>`];
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
