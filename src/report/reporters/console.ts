import { resolve } from "node:path";
import { createColors } from "picocolors";
import { count, duration, oneLine, printable, shellQuote, shortPath, truncate } from "../../core/text.js";
import type { Reporter, RunEnd } from "../events.js";
import type { ItemView, Kind, View } from "../kind.js";
import { type ItemStatus, isInterrupted } from "../schema.js";
import { createLiveBlock, type Stream } from "./live-block.js";

export interface ConsoleOptions {
  /** Where the lines go, usually standard output. */
  stream: Stream & { isTTY?: boolean };
  /** Whether to use colours. */
  color: boolean;
  /** Whether to redraw lines for what is running; else only finished checks are printed. */
  live: boolean;
  /** Paths are shown relative to it. */
  cwd: string;
  /** The command that runs again, without a selection of items. */
  again: string;
  /** The command that completes a run that was stopped. */
  resume: (run: string) => string;
}

export interface ConsoleReporter<K extends Kind> extends Reporter<K> {
  /** Calls `print`, which writes to the same terminal by itself, so that neither garbles the other. */
  aside: (print: () => void) => void;
}

type Colors = ReturnType<typeof createColors>;

/** How many items that did not pass are listed at the end; the rest is in the report. */
const MAX_LISTED = 50;
/** How many lines of an item's output are shown there. */
const OUTPUT_LINES = 5;

/** One line for each finished item, what is running below on a terminal, and the verdict at the end. */
export function consoleReporter<K extends Kind>(view: View<K>, options: ConsoleOptions): ConsoleReporter<K> {
  const { stream, color, live } = options;
  const colors = createColors(color);
  const block = live ? createLiveBlock(stream, colors) : undefined;
  const print = (lines: readonly string[]) => void stream.write(lines.map((line) => `${line}\n`).join(""));
  const width = () => (stream.isTTY ? stream.columns || 80 : Number.POSITIVE_INFINITY);
  let interrupted = 0;
  const showEnd = (result: K["result"]) => {
    const item = view.item(result);
    block?.remove(item.id);
    // Thousands of items that never began would bury those that ended.
    if (isInterrupted(result)) interrupted++;
    else (block?.print ?? print)([finishedLine(item, colors, width())]);
  };
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
          showEnd(event.result);
          return;
        case "warning":
          // Warnings are no results: they go to standard error, past this reporter.
          return;
        case "run.end":
          block?.stop();
          print([
            "",
            ...failures(event, { view, interrupted, colors, options }),
            ...verdict(event.summary, { view, interrupted, colors, options }),
          ]);
      }
    },
  };
}

const MARKS: Record<ItemStatus, string> = { passed: "✓", failed: "✗", error: "!" };

function paint(status: ItemStatus, colors: Colors): (text: string) => string {
  return { passed: colors.green, failed: colors.red, error: colors.yellow }[status];
}

/** `✗ id failed 1.2 s`; on a narrow terminal without the time, then without the word, and the id cut. */
function finishedLine(
  { status, id, duration_ms, time: words = duration(duration_ms) }: ItemView,
  colors: Colors,
  width: number,
): string {
  const word = status === "passed" ? "" : ` ${status}`;
  const time = ` ${words}`;
  const room = (after: string) => width - MARKS[status].length - 1 - after.length;
  const fits = (after: string) => room(after) >= Math.min(id.length, 8);
  const [shownWord, shownTime] = fits(word + time) ? [word, time] : fits(word) ? [word, ""] : ["", ""];
  const name = truncate(id, Math.max(1, room(shownWord + shownTime)));
  return paint(status, colors)(`${MARKS[status]} ${name}${shownWord}`) + colors.dim(shownTime);
}

/** What the end of the output is made of. */
interface Ending<K extends Kind> {
  view: View<K>;
  /** How many items did not end. */
  interrupted: number;
  colors: Colors;
  options: ConsoleOptions;
}

/** What did not pass, and what to do about each. Reads the results only as far as it has to. */
function* failures<K extends Kind>({ results, summary }: RunEnd<K>, ending: Ending<K>): Generator<string> {
  const { view, interrupted, colors } = ending;
  const { tally } = view.run(summary);
  const total = tally.failed + tally.error - interrupted;
  let left = Math.min(total, MAX_LISTED);
  for (const result of left === 0 ? [] : results()) {
    if (result.status === "passed" || isInterrupted(result)) continue;
    yield* failure(view.item(result), summary.output_dir, ending);
    if (--left === 0) break;
  }
  if (total > MAX_LISTED) yield* [`… and ${total - MAX_LISTED} more that did not pass; all are in report.md`, ""];
  if (interrupted > 0) {
    yield* [colors.yellow(`! ${count(interrupted, view.noun)} did not end: the run was stopped`), ""];
  }
}

function* failure<K extends Kind>(
  item: ItemView,
  runDir: string,
  { view, colors, options: { cwd, again } }: Ending<K>,
): Generator<string> {
  yield paint(item.status, colors)(`${MARKS[item.status]} ${item.id}`);
  if (item.description !== "") yield `  ${oneLine(item.description, 300)}`;
  yield `  ${item.status}: ${oneLine(item.why || "no reason was given", 300)}`;
  for (const line of outputLines(item)) yield colors.dim(`    │ ${line}`);
  const places = [[view.noun, item.source] as const, ...item.evidence];
  const width = Math.max("stdout:".length, ...places.map(([name]) => name.length + 1));
  for (const [name, path] of places) {
    yield colors.dim(`  ${`${name}:`.padEnd(width)} ${shortPath(resolve(runDir, path), cwd)}`);
  }
  yield colors.dim(`  ${"again:".padEnd(width)} ${printable(again)} ${view.againOption} ${shellQuote(item.id)}`);
  yield "";
}

/** The end of what the item printed, without a last line that the reason quotes. */
function outputLines({ stdout, stderr, why }: ItemView): string[] {
  const lines = printable(stderr.trim() || stdout.trim())
    .split("\n")
    .slice(-OUTPUT_LINES);
  const last = oneLine(lines.at(-1) ?? "", 100).replace(/…$/, "");
  if (oneLine(why).includes(last)) lines.pop();
  return lines.map((line) => truncate(line.replaceAll("\t", "  "), 200));
}

function* verdict<K extends Kind>(
  summary: K["summary"],
  { view, interrupted, colors, options }: Ending<K>,
): Generator<string> {
  const { passed, score, needed, tally, lines } = view.run(summary);
  const errors = tally.error - interrupted;
  const parts = [
    score.join(" · ") + (needed === "" ? "" : `, ${needed} needed`),
    ...(tally.failed > 0 ? [`${tally.failed} failed`] : []),
    ...(errors > 0 ? [count(errors, "error")] : []),
    ...(interrupted > 0 ? [`${interrupted} interrupted`] : []),
    duration(summary.duration_ms),
  ];
  // Of a run that was stopped nobody knows what it would have come to.
  const word =
    interrupted > 0 ? colors.yellow("INTERRUPTED") : passed ? colors.green("PASSED") : colors.red("NOT PASSED");
  yield `${colors.bold(word)}  ${parts.join(" · ")}`;
  yield* lines;
  if (interrupted > 0 && view.resume) yield `again: ${printable(options.resume(view.resume(summary)))}`;
  yield colors.dim(`report: ${shortPath(`${summary.output_dir}/report.html`, options.cwd)} · report.md`);
}
