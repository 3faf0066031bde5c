import { createColors } from "picocolors";
import { count, duration, oneLine, percent, printable, shortPath, truncate } from "../../core/text.js";
import type { Reporter, RunEnd } from "../events.js";
import { type CheckResult, type CheckStatus, isInterrupted, type RunSummary } from "../schema.js";
import { createLiveBlock } from "./live-block.js";

export interface ConsoleOptions {
  /** Where the lines go, usually standard output. */
  stream: NodeJS.WritableStream & { columns?: number; rows?: number; isTTY?: boolean };
  /** Whether to use colours. */
  color: boolean;
  /** Whether to redraw lines for what is running; else only finished checks are printed. */
  live: boolean;
  /** Paths are shown relative to it. */
  cwd: string;
  /** The command that runs again, without a selection of checks. */
  again: string;
}

export interface ConsoleReporter extends Reporter {
  /** Calls `print`, which writes to the same terminal by itself, so that neither garbles the other. */
  aside: (print: () => void) => void;
}

type Colors = ReturnType<typeof createColors>;

/** How many checks that did not pass are listed at the end; the rest is in the report. */
const MAX_LISTED = 50;
/** How many lines of a check's output are shown there. */
const OUTPUT_LINES = 5;

/** One line for each finished check, what is running below on a terminal, and the verdict at the end. */
export function consoleReporter(options: ConsoleOptions): ConsoleReporter {
  const { stream, color, live, cwd } = options;
  const colors = createColors(color);
  const block = live ? createLiveBlock(stream, colors) : undefined;
  const print = (lines: readonly string[]) => void stream.write(lines.map((line) => `${line}\n`).join(""));
  const width = () => (stream.isTTY ? stream.columns || 80 : Number.POSITIVE_INFINITY);
  let interrupted = 0;
  return {
    name: "console",
    aside: block?.aside ?? ((write) => write()),
    on(event) {
      switch (event.type) {
        case "run.start":
          block?.start(event.total);
          return;
        case "item.start":
          block?.add(event.id);
          return;
        case "item.end":
          block?.remove(event.result.check_id);
          // Thousands of checks that never began would bury those that ended.
          if (isInterrupted(event.result)) interrupted++;
          else (block?.print ?? print)([finishedLine(event.result, colors, width())]);
          return;
        case "warning":
          // Warnings are no results: they go to standard error, past this reporter.
          return;
        case "run.end":
          block?.stop();
          print([
            "",
            ...failures(event, interrupted, colors, options),
            ...verdict(event.summary, interrupted, colors, cwd),
          ]);
      }
    },
  };
}

const MARKS: Record<CheckStatus, string> = { passed: "✓", failed: "✗", error: "!" };

function paint(status: CheckStatus, colors: Colors): (text: string) => string {
  return { passed: colors.green, failed: colors.red, error: colors.yellow }[status];
}

/** `✗ id failed 1.2 s`; on a narrow terminal without the time, then without the word, and the id cut. */
function finishedLine({ status, check_id, duration_ms }: CheckResult, colors: Colors, width: number): string {
  const word = status === "passed" ? "" : ` ${status}`;
  const time = ` ${duration(duration_ms)}`;
  const room = (after: string) => width - MARKS[status].length - 1 - after.length;
  const fits = (after: string) => room(after) >= Math.min(check_id.length, 8);
  const [shownWord, shownTime] = fits(word + time) ? [word, time] : fits(word) ? [word, ""] : ["", ""];
  const id = truncate(check_id, Math.max(1, room(shownWord + shownTime)));
  return paint(status, colors)(`${MARKS[status]} ${id}${shownWord}`) + colors.dim(shownTime);
}

/** What did not pass, and what to do about each. Reads the results only as far as it has to. */
function* failures(
  { results, summary }: RunEnd,
  interrupted: number,
  colors: Colors,
  options: ConsoleOptions,
): Generator<string> {
  const total = summary.failed_checks + summary.errored_checks - interrupted;
  let left = Math.min(total, MAX_LISTED);
  for (const result of left === 0 ? [] : results()) {
    if (result.status === "passed" || isInterrupted(result)) continue;
    yield* failure(result, summary.output_dir, colors, options);
    if (--left === 0) break;
  }
  if (total > MAX_LISTED) yield* [`… and ${total - MAX_LISTED} more that did not pass; all are in report.md`, ""];
  if (interrupted > 0) {
    yield* [colors.yellow(`! ${count(interrupted, "check")} did not end: the run was stopped`), ""];
  }
}

function* failure(
  result: CheckResult,
  runDir: string,
  colors: Colors,
  { cwd, again }: ConsoleOptions,
): Generator<string> {
  yield paint(result.status, colors)(`${MARKS[result.status]} ${result.check_id}`);
  yield `  ${oneLine(result.description, 300)}`;
  yield `  ${result.status}: ${oneLine(result.reason ?? result.error_detail ?? "no reason was given", 300)}`;
  for (const line of outputLines(result)) yield colors.dim(`    │ ${line}`);
  yield colors.dim(`  check:  ${shortPath(result.source_path, cwd)}`);
  for (const name of ["stdout", "stderr"] as const) {
    const path = result.details[`${name}_path`];
    if (typeof path === "string") yield colors.dim(`  ${name}: ${shortPath(`${runDir}/${path}`, cwd)}`);
  }
  yield colors.dim(`  again:  ${printable(again)} --check-id ${result.check_id}`);
  yield "";
}

/** The end of what the check printed, without a last line that the reason quotes. */
function outputLines(result: CheckResult): string[] {
  const lines = printable(result.stderr.trim() || result.stdout.trim())
    .split("\n")
    .slice(-OUTPUT_LINES);
  const last = oneLine(lines.at(-1) ?? "", 100).replace(/…$/, "");
  if (oneLine(result.reason ?? "").includes(last)) lines.pop();
  return lines.map((line) => truncate(line.replaceAll("\t", "  "), 200));
}

function* verdict(summary: RunSummary, interrupted: number, colors: Colors, cwd: string): Generator<string> {
  const needed = percent(summary.pass_threshold);
  const errors = summary.errored_checks - interrupted;
  const parts = [
    `${summary.points_earned} of ${count(summary.total_points, "point")}`,
    `${summary.percentage.toFixed(1)}%, ${needed} needed`,
    ...(summary.failed_checks > 0 ? [`${summary.failed_checks} failed`] : []),
    ...(errors > 0 ? [count(errors, "error")] : []),
    ...(interrupted > 0 ? [`${interrupted} interrupted`] : []),
    duration(summary.duration_ms),
  ];
  const word = summary.run_passed ? colors.bold(colors.green("PASSED")) : colors.bold(colors.red("NOT PASSED"));
  yield `${word}  ${parts.join(" · ")}`;
  yield colors.dim(`report: ${shortPath(`${summary.output_dir}/report.md`, cwd)}`);
}
