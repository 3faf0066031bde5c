import { join, resolve } from "node:path";
import { isatty } from "node:tty";
import { UserError } from "../core/errors.js";
import { didYouMean } from "../core/suggest.js";
import type { Reporter } from "../report/events.js";
import type { Kind, View } from "../report/kind.js";
import { type ConsoleOptions, type ConsoleReporter, consoleReporter } from "../report/reporters/console.js";
import { htmlReporter } from "../report/reporters/html.js";
import { jsonReporter } from "../report/reporters/json.js";
import { junitReporter } from "../report/reporters/junit.js";
import { markdownReporter } from "../report/reporters/markdown.js";
import { standardReporters } from "../report/reporters/standard.js";
import { print, printError, watchOutput } from "./print.js";
import { repeatCommand, resumeCommand } from "./repeat-command.js";
import { warningLine } from "./show-error.js";

/** The documents that `--reporter` can ask for, with the file they go to by default. */
const DOCUMENTS = {
  html: { reporter: htmlOfCommand, file: "report.html" },
  json: { reporter: jsonReporter, file: "report.json" },
  junit: { reporter: junitReporter, file: "junit.xml" },
  markdown: { reporter: markdownReporter, file: "report.md" },
};

/** The page names the command that runs an item again. */
function htmlOfCommand<K extends Kind>(view: View<K>) {
  return htmlReporter(view, { again: commandAgain() });
}

function commandAgain(): string {
  return repeatCommand(process.argv.slice(2), process.env);
}

export interface ReporterChoice {
  /** `--reporter` values: `NAME` or `NAME:PATH`. */
  asked: readonly string[];
  /** Whether standard output is to hold the JSON report and nothing else. */
  json: boolean;
}

export interface ChosenReporters<K extends Kind> {
  /** The reporters, once the directory of the run is known. */
  reporters: (runDir: string) => Reporter<K>[];
  /** The files outside of the run's directory that they write; absolute. */
  files: readonly string[];
  /** Prints on standard error; a live display makes room for it. */
  notice: (text: string) => void;
}

type Asked = { name: keyof typeof DOCUMENTS; path?: string } | { name: "console" };
type AskedDocument = Exclude<Asked, { name: "console" }>;

/**
 * The reporters of a run. Reports that are always written come first; the console gives way to a document that
 * goes to standard output, or moves to standard error where it was asked for.
 * @throws UserError (`usage`) before the run begins, for a name that is unknown, or two documents on standard output
 */
export function chooseReporters<K extends Kind>(view: View<K>, { asked, json }: ReporterChoice): ChosenReporters<K> {
  const parsed = asked.map(parseReporter);
  const documents = parsed.filter((each): each is AskedDocument => each.name !== "console");
  const onStdout = new Set(documents.filter(({ path }) => path === "-").map(({ name }) => name));
  if (json) onStdout.add("json");
  if (onStdout.size > 1) {
    throw new UserError(`only one report can go to standard output, not ${[...onStdout].join(" and ")}`, {
      code: "usage",
      hint: "--reporter NAME:PATH writes one to a file",
    });
  }
  const stdoutIsTaken = onStdout.size > 0;
  const wantsConsole = !stdoutIsTaken || parsed.some(({ name }) => name === "console");
  if (stdoutIsTaken) watchOutput();
  const fd = stdoutIsTaken ? 2 : 1;
  const terminal = wantsConsole ? terminalReporter(view, outputTo(fd)) : undefined;
  const notice = (text: string) => {
    const write = () => printError(text);
    if (terminal) terminal.aside(write);
    else write();
  };
  return {
    notice,
    files: documents.flatMap(({ path = "-" }) => (path === "-" ? [] : [resolve(path)])),
    reporters: (runDir) => [
      warningReporter<K>(notice),
      ...standardReporters(runDir, view, { again: commandAgain() }),
      ...documents.flatMap(({ name, path }) => {
        const { reporter, file } = DOCUMENTS[name];
        return path === "-" ? [] : [reporter(view)(path === undefined ? join(runDir, file) : resolve(path))];
      }),
      ...[...onStdout].map((name) => DOCUMENTS[name].reporter(view)("-")),
      ...(terminal ? [terminal] : []),
    ],
  };
}

function parseReporter(text: string): Asked {
  const [, name = "", path] = /^([^:]*)(?::(.*))?$/s.exec(text) ?? [];
  const known = [...Object.keys(DOCUMENTS), "console"];
  const refuse = (message: string) =>
    new UserError(message, {
      code: "usage",
      hint: `--reporter takes ${known.join(", ")}; for all but the last, :PATH chooses the file`,
    });
  if (!known.includes(name)) throw refuse(`unknown reporter '${name}'${didYouMean(name, known)}`);
  if (path === "") throw refuse(`the path of the ${name} reporter is empty: '${text}'`);
  if (name !== "console") return { name: name as keyof typeof DOCUMENTS, ...(path && { path }) };
  if (path !== undefined) throw refuse(`the console reporter takes no path: '${text}'`);
  return { name };
}

type Output = ConsoleOptions["stream"];

/** Standard output or standard error: the stream where it is a terminal, which may change its size. */
function outputTo(fd: 1 | 2): Output {
  if (!isatty(fd)) return { write: fd === 1 ? print : printError };
  watchOutput();
  return fd === 1 ? process.stdout : process.stderr;
}

function terminalReporter<K extends Kind>(view: View<K>, stream: Output): ConsoleReporter<K> {
  const { TERM, CI } = process.env;
  // Some CI systems offer a terminal, and keep every frame that is drawn on it.
  const live = !!stream.isTTY && TERM !== "dumb" && (!CI || CI === "false");
  return consoleReporter(view, {
    stream,
    color: useColor(stream),
    live,
    cwd: process.cwd(),
    again: commandAgain(),
    resume: (run) => resumeCommand(process.argv.slice(2), process.env, run),
  });
}

/** Whether to print colours. Empty variables, as CI systems make them, are as good as unset. */
function useColor(stream: Output): boolean {
  const { NO_COLOR, FORCE_COLOR, TERM } = process.env;
  if (FORCE_COLOR) return FORCE_COLOR !== "0" && FORCE_COLOR !== "false";
  return !!stream.isTTY && !NO_COLOR && TERM !== "dumb";
}

function warningReporter<K extends Kind>(notice: (text: string) => void): Reporter<K> {
  return {
    name: "warnings",
    on: (event) => {
      if (event.type === "warning") notice(warningLine(event.message));
    },
  };
}
