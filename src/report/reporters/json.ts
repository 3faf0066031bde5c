import type { RunEnd } from "../events.js";
import { documentReporter } from "./document.js";

/** `report.json`. */
export const jsonReporter = documentReporter("json", jsonDocument);

/** The report as text, a piece at a time. */
export function* jsonDocument({ summary, results }: RunEnd): Generator<string> {
  yield `${json(summary).slice(0, -2)},\n  "checks": [`;
  let separator = "\n";
  for (const result of results()) {
    yield `${separator}    ${json(result).replaceAll("\n", "\n    ")}`;
    separator = ",\n";
  }
  yield "\n  ]\n}\n";
}

/** `##[` is written with an escape: printed to a log, GitHub's runner takes it for a command. */
function json(value: unknown): string {
  return JSON.stringify(value, null, 2).replaceAll("##[", "\\u0023#[");
}
