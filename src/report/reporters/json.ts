import type { RunEnd } from "../events.js";
import type { Kind, View } from "../kind.js";
import { documentReporter } from "./document.js";

/** `report.json`. */
export function jsonReporter<K extends Kind>(view: View<K>) {
  return documentReporter<K>("json", (end) => jsonDocument(end, view));
}

/** The report as text, a piece at a time. */
export function* jsonDocument<K extends Kind>({ summary, results }: RunEnd<K>, view: View<K>): Generator<string> {
  yield `${json(summary).slice(0, -2)},\n  "${view.plural}": [`;
  let separator = "\n";
  for (const result of results()) {
    yield `${separator}    ${json(view.brief?.(result) ?? result).replaceAll("\n", "\n    ")}`;
    separator = ",\n";
  }
  yield "\n  ]\n}\n";
}

/** `##[` is written with an escape: printed to a log, GitHub's runner takes it for a command. */
function json(value: unknown): string {
  return JSON.stringify(value, null, 2).replaceAll("##[", "\\u0023#[");
}
