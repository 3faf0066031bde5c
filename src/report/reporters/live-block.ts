import type { createColors } from "picocolors";
import { duration, truncate } from "../../core/text.js";

/** Lines at the bottom of a terminal: what runs, for how long, and a bar of what is done. */
export interface LiveBlock {
  start: (total: number) => void;
  add: (id: string) => void;
  remove: (id: string) => void;
  /** Prints lines above the block. */
  print: (lines: readonly string[]) => void;
  /** Calls `print`, which writes to the same terminal by itself, with the block out of the way. */
  aside: (print: () => void) => void;
  /** Leaves nothing of the block, and the cursor visible. */
  stop: () => void;
}

type Colors = ReturnType<typeof createColors>;
export interface Stream {
  write: (text: string) => unknown;
  columns?: number;
  rows?: number;
}

interface Line {
  text: string;
  /** In columns, without the colours. */
  width: number;
}

const REDRAW_MS = 100;
const LONGEST_BAR = 30;
// Line by line: erasing from the first row of the screen on makes some terminals keep what was there.
const ERASE_LINE = "\r\u001b[2K";
const UP = "\u001b[1A";
const HIDE_CURSOR = "\u001b[?25l";
const SHOW_CURSOR = "\u001b[?25h";

export function createLiveBlock(stream: Stream, colors: Colors): LiveBlock {
  const running = new Map<string, number>();
  let total = 0;
  let done = 0;
  let drawn: Line[] = [];
  let above: string[] = [];
  let timer: NodeJS.Timeout | undefined;

  // A terminal that does not tell its size says 0.
  const columns = () => stream.columns || 80;
  /** Erases the block from its end to its first line, then prints what waits. */
  const clear = () => {
    // Lines that were drawn on a wider terminal take several rows on this one.
    const rows = drawn.reduce((sum, { width }) => sum + Math.max(1, Math.ceil(width / columns())), 0);
    const erase = rows > 0 ? ERASE_LINE + (UP + ERASE_LINE).repeat(rows) : "";
    const text = erase + above.map((line) => `${line}\n`).join("");
    drawn = [];
    above = [];
    return text;
  };
  const draw = () => {
    const before = clear();
    drawn = blockLines({ running, done, total, columns: columns(), rows: stream.rows || 24 }, colors);
    stream.write(before + drawn.map(({ text }) => `${text}\n`).join(""));
  };
  const restore = () => void stream.write(SHOW_CURSOR);
  return {
    start(n) {
      total = n;
      stream.write(HIDE_CURSOR);
      process.once("exit", restore);
      timer = setInterval(draw, REDRAW_MS);
      timer.unref();
    },
    add: (id) => void running.set(id, performance.now()),
    remove(id) {
      running.delete(id);
      done++;
    },
    print: (lines) => void above.push(...lines),
    aside(print) {
      stream.write(clear());
      print();
    },
    stop() {
      clearInterval(timer);
      stream.write(clear() + SHOW_CURSOR);
      process.off("exit", restore);
    },
  };
}

interface Progress {
  running: ReadonlyMap<string, number>;
  done: number;
  total: number;
  columns: number;
  rows: number;
}

/** The lines of the block, each shorter than the terminal is wide, all together lower than it is high. */
function blockLines({ running, done, total, columns, rows }: Progress, colors: Colors): Line[] {
  // A character in the last column makes some terminals begin a new line.
  const width = Math.max(1, columns - 1);
  // The bar and the line of the cursor need a row each; one more is for what finished last.
  if (rows < 2) return [];
  const room = Math.max(0, rows - 3);
  const shown = running.size > room ? Math.max(0, room - 1) : running.size;
  const now = performance.now();
  const lines = [...running].slice(0, shown).map(([id, since]) => runningLine(id, now - since, width, colors));
  if (shown < running.size && room > 0) {
    const more = truncate(`… and ${running.size - shown} more running`, width);
    lines.push({ text: colors.dim(more), width: more.length });
  }
  return [...lines, barLine(done, total, width, colors)];
}

function runningLine(id: string, ms: number, width: number, colors: Colors): Line {
  // Tenths of a second from the start: milliseconds would only flicker.
  const time = ms < 1000 ? `${(ms / 1000).toFixed(1)} s` : duration(ms);
  const room = width - time.length - 3;
  if (room < 4) {
    const name = truncate(`● ${id}`, width);
    return { text: colors.cyan(name), width: name.length };
  }
  const name = truncate(id, room);
  return { text: `${colors.cyan("●")} ${name} ${colors.dim(time)}`, width: name.length + time.length + 3 };
}

function barLine(done: number, total: number, width: number, colors: Colors): Line {
  const label = truncate(`${done}/${total}`, width);
  const cells = Math.min(LONGEST_BAR, width - label.length - 1);
  if (cells < 3) return { text: label, width: label.length };
  const full = Math.min(cells, Math.round((cells * done) / Math.max(1, total)));
  const bar = `${colors.green("█".repeat(full))}${colors.dim("░".repeat(cells - full))}`;
  return { text: `${bar} ${label}`, width: cells + 1 + label.length };
}
