import type { RunEnd } from "../events.js";
import { documentReporter } from "./document.js";

/** `report.json`. */
export const jsonReporter = documentReporter("json", jsonDocument);

/** The report as text, a piece at a time. */
function* jsonDocument({ summary, results }: RunEnd): Generator<string> {
  yield `${JSON.stringify(summary, null, 2).slice(0, -2)},\n  "checks": [`;
  let separator = "\n";
  for (const result of results()) {
    yield `${separator}    ${JSON.stringify(result, null, 2).replaceAll("\n", "\n    ")}`;
    separator = ",\n";
  }
  yield "\n  ]\n}\n";
}
