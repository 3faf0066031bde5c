import {
  describeProblem,
  describeSystemError,
  isSystemError,
  type Problem,
  thrownText,
  UserError,
} from "../core/errors.js";
import { count, printable } from "../core/text.js";
import { printError } from "./print.js";
import { printJson } from "./print-result.js";

/**
 * Prints an error for a person on standard error; returns the exit code. A stack is shown for a bug, or when asked.
 * With `json`, standard output gets it as a document, so that there is always one.
 */
export function showError(error: unknown, { verbose = false, json = false } = {}): number {
  if (json) printJson({ error: errorDocument(error) });
  const lines: string[] = [];
  if (error instanceof UserError) {
    lines.push(`error: ${error.message}`, ...problemLines(error.problems));
    if (error.hint !== undefined) lines.push(`hint: ${error.hint}`);
  } else if (isSystemError(error)) {
    lines.push(`error: ${describeSystemError(error)}`);
  } else {
    lines.push("error: this is a bug in eval-banana", error instanceof Error ? `${error.stack}` : thrownText(error));
  }
  const stack =
    error instanceof Error && (error instanceof UserError || isSystemError(error)) ? error.stack : undefined;
  if (verbose && stack !== undefined) lines.push(stack);
  printError(`${lines.map(printable).join("\n")}\n`);
  return 2;
}

function errorDocument(error: unknown) {
  if (!(error instanceof UserError))
    return { code: "unexpected", message: thrownText(error), hint: null, problems: [] };
  const { code, message, hint = null, problems } = error;
  return { code, message, hint, problems };
}

/** `file:line:column: field: message`, a line each, and how many there are when there are many. */
export function problemLines(problems: readonly Problem[]): string[] {
  const lines = problems.flatMap((problem) => [
    `  ${describeProblem(problem)}`,
    ...(problem.hint ? [`    ${problem.hint}`] : []),
  ]);
  if (problems.length < 2) return lines;
  const files = new Set(problems.map(({ file }) => file));
  // Those of flags and variables are in no file.
  const where = files.has(undefined) ? "" : ` in ${count(files.size, "file")}`;
  return [...lines, `  ${count(problems.length, "problem")}${where}`];
}

export function showWarnings(warnings: readonly string[]): void {
  for (const warning of warnings) printError(warningLine(warning));
}

export function warningLine(warning: string): string {
  return `warning: ${printable(warning)}\n`;
}
