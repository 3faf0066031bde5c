import { join } from "node:path";
import type { Reporter } from "../events.js";
import type { Kind, View } from "../kind.js";
import { filesReporter } from "./files.js";
import { type HtmlOptions, htmlReporter } from "./html.js";
import { jsonReporter } from "./json.js";
import { markdownReporter } from "./markdown.js";

/** The reporters of every run: a file for each item, `report.json`, `report.md`, `report.html`. */
export function standardReporters<K extends Kind>(
  runDir: string,
  view: View<K>,
  options: HtmlOptions = {},
): Reporter<K>[] {
  return [
    filesReporter(runDir, view),
    jsonReporter(view)(join(runDir, "report.json")),
    markdownReporter(view)(join(runDir, "report.md")),
    htmlReporter(view, options)(join(runDir, "report.html")),
  ];
}
