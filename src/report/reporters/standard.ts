import { join } from "node:path";
import type { Reporter } from "../events.js";
import { filesReporter } from "./files.js";
import { jsonReporter } from "./json.js";
import { markdownReporter } from "./markdown.js";

/** The reporters of every run: a file for each check, `report.json`, `report.md`. */
export function standardReporters(runDir: string): Reporter[] {
  return [
    filesReporter(runDir),
    jsonReporter(join(runDir, "report.json")),
    markdownReporter(join(runDir, "report.md")),
  ];
}
