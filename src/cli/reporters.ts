import { join, resolve } from "node:path";
import { UserError } from "../core/errors.js";
import { didYouMean } from "../core/suggest.js";
import type { Reporter } from "../report/events.js";
import { consoleReporter } from "../report/reporters/console.js";
import { jsonReporter } from "../report/reporters/json.js";
import { junitReporter } from "../report/reporters/junit.js";
import { markdownReporter } from "../report/reporters/markdown.js";
import { standardReporters } from "../report/reporters/standard.js";
import { showWarnings } from "./show-error.js";

/** The documents that `--reporter` can ask for, with the file they go to by default. */
const DOCUMENTS = {
  json: { make: jsonReporter, file: "report.json" },
  junit: { make: junitReporter, file: "junit.xml" },
  markdown: { make: markdownReporter, file: "report.md" },
};

export interface ReporterChoice {
  /** `--reporter` values: `NAME` or `NAME:PATH`. */
  asked: readonly string[];
  /** Whether standard output is to hold the JSON report and nothing else. */
  json: boolean;
}

/**
 * The reporters of a run, once its directory is known. Reports that are always written come first.
 * @throws UserError (`usage`) at once, before the run begins, for a name that is unknown
 */
export function chooseReporters({ asked, json }: ReporterChoice): (runDir: string) => Reporter[] {
  const extra = asked.map(parseReporter);
  const toStdout = json || extra.some(({ path }) => path === "-");
  return (runDir) =>
    [
      warningReporter(),
      ...standardReporters(runDir),
      ...extra.flatMap(({ name, path }) => {
        if (name === "console") return toStdout ? [terminalReporter()] : [];
        const { make, file } = DOCUMENTS[name];
        return [make(path === "-" ? path : path === undefined ? join(runDir, file) : resolve(path))];
      }),
      json ? jsonReporter("-") : undefined,
      toStdout ? undefined : terminalReporter(),
    ].filter((reporter) => reporter !== undefined);
}

function parseReporter(text: string): { name: keyof typeof DOCUMENTS | "console"; path?: string } {
  const [, name = "", path] = /^([^:]*)(?::(.*))?$/s.exec(text) ?? [];
  const known = [...Object.keys(DOCUMENTS), "console"];
  if (!known.includes(name)) {
    throw new UserError(`unknown reporter '${name}'${didYouMean(name, known)}`, {
      code: "usage",
      hint: `--reporter takes ${known.join(", ")}, with :PATH to choose the file`,
    });
  }
  return { name: name as keyof typeof DOCUMENTS, ...(path && { path }) };
}

function terminalReporter(): Reporter {
  const { stdout } = process;
  const dumb = process.env["TERM"] === "dumb";
  return consoleReporter({ stream: stdout, color: useColor(), live: stdout.isTTY && !dumb, cwd: process.cwd() });
}

/** Whether to print colours: `NO_COLOR` and `FORCE_COLOR` decide, else whether standard output is a terminal. */
function useColor(): boolean {
  const { NO_COLOR, FORCE_COLOR, TERM } = process.env;
  if (NO_COLOR) return false;
  if (FORCE_COLOR !== undefined) return FORCE_COLOR !== "0" && FORCE_COLOR !== "false";
  return process.stdout.isTTY && TERM !== "dumb";
}

function warningReporter(): Reporter {
  return {
    name: "warnings",
    on: (event) => {
      if (event.type === "warning") showWarnings([event.message]);
    },
  };
}
