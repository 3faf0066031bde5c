import { relative } from "node:path";
import { createColors } from "picocolors";
import { count, duration, oneLine, printable } from "../../core/text.js";
import type { Reporter, RunEnd } from "../events.js";
import type { CheckResult, CheckStatus } from "../schema.js";
import { createLiveBlock } from "./live-block.js";

export interface ConsoleOptions {
  /** Where the lines go, usually standard output. */
  stream: NodeJS.WritableStream & { columns?: number; isTTY?: boolean };
  /** Whether to use colours. */
  color: boolean;
  /** Whether to redraw lines for what is running; else only finished checks are printed. */
  live: boolean;
  /** Paths are shown relative to it. */
  cwd: string;
}

type Colors = ReturnType<typeof createColors>;

/** How many checks that did not pass are listed at the end; the rest is in the report. */
const MAX_LISTED = 50;

/** One line for each finished check, what is running below on a terminal, and the verdict at the end. */
export function consoleReporter({ stream, color, live, cwd }: ConsoleOptions): Reporter {
  const colors = createColors(color);
  const print = (lines: readonly string[]) => void stream.write(`${lines.join("\n")}\n`);
  const block = live ? createLiveBlock(stream, colors) : undefined;
  const width = () => (stream.isTTY ? (stream.columns ?? 80) : Number.POSITIVE_INFINITY);
  return {
    name: "console",
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
          (block?.print ?? print)([finished(event.result, colors, width())]);
          return;
        case "warning":
          // Warnings are no results: they go to standard error, past this reporter.
          return;
        case "run.end":
          block?.stop();
          print(["", ...failures(event, colors, cwd), ...verdict(event, colors, cwd)]);
      }
    },
  };
}

const MARKS: Record<CheckStatus, string> = { passed: "✓", failed: "✗", error: "!" };

function paint(status: CheckStatus, colors: Colors): (text: string) => string {
  return { passed: colors.green, failed: colors.red, error: colors.yellow }[status];
}

function finished(result: CheckResult, colors: Colors, width: number): string {
  const { status } = result;
  const label = status === "passed" ? "" : ` ${status}`;
  const time = duration(result.duration_ms);
  const room = width - time.length - label.length - 5;
  const id = Number.isFinite(room) ? oneLine(result.check_id, Math.max(8, room)) : oneLine(result.check_id);
  return `${paint(status, colors)(`${MARKS[status]} ${id}${label}`)} ${colors.dim(time)}`;
}

function* failures({ results, summary }: RunEnd, colors: Colors, cwd: string): Generator<string> {
  const total = summary.failed_checks + summary.errored_checks;
  let listed = 0;
  for (const result of total === 0 ? [] : results()) {
    if (result.status === "passed") continue;
    if (listed++ === MAX_LISTED) {
      yield `… and ${total - MAX_LISTED} more that did not pass; all are in report.md`;
      break;
    }
    yield* failure(result, summary.output_dir, colors, cwd);
  }
}

function* failure(result: CheckResult, runDir: string, colors: Colors, cwd: string): Generator<string> {
  yield paint(result.status, colors)(`${MARKS[result.status]} ${oneLine(result.check_id)}`);
  yield `  ${oneLine(result.description, 300)}`;
  yield `  ${result.status}: ${oneLine(result.reason ?? result.error_detail ?? "", 500)}`;
  yield colors.dim(`  check:  ${shortPath(result.source_path, cwd)}`);
  for (const name of ["stdout", "stderr"] as const) {
    const path = result.details[`${name}_path`];
    if (typeof path === "string") yield colors.dim(`  ${name}: ${shortPath(`${runDir}/${path}`, cwd)}`);
  }
  yield "";
}

function* verdict({ summary }: RunEnd, colors: Colors, cwd: string): Generator<string> {
  const needed = `${Math.round(summary.pass_threshold * 1000) / 10}%`;
  const parts = [
    `${summary.points_earned} of ${count(summary.total_points, "point")}`,
    `${summary.percentage.toFixed(1)}%, ${needed} needed`,
    ...(summary.failed_checks > 0 ? [`${summary.failed_checks} failed`] : []),
    ...(summary.errored_checks > 0 ? [count(summary.errored_checks, "error")] : []),
    duration(summary.duration_ms),
  ];
  const word = summary.run_passed ? colors.bold(colors.green("PASSED")) : colors.bold(colors.red("NOT PASSED"));
  yield `${word}  ${parts.join(" · ")}`;
  yield colors.dim(`report: ${shortPath(`${summary.output_dir}/report.md`, cwd)}`);
}

/** A path relative to where the user stands, if it is below. */
function shortPath(path: string, cwd: string): string {
  const short = relative(cwd, path);
  return printable(short === "" || short.startsWith("..") ? path : short);
}
