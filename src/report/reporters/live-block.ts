import type { createColors } from "picocolors";
import { duration, truncate } from "../../core/text.js";

export interface LiveBlock {
  start: (total: number) => void;
  add: (id: string) => void;
  remove: (id: string) => void;
  /** Prints lines above the block. */
  print: (lines: readonly string[]) => void;
  stop: () => void;
}

type Stream = NodeJS.WritableStream & { columns?: number; rows?: number };

const REDRAW_MS = 100;
const ERASE_DOWN = "\u001b[0J";
const HIDE_CURSOR = "\u001b[?25l";
const SHOW_CURSOR = "\u001b[?25h";

/** Lines at the bottom of a terminal: what runs, for how long, and a bar of what is done. */
export function createLiveBlock(stream: Stream, colors: ReturnType<typeof createColors>): LiveBlock {
  const running = new Map<string, number>();
  let total = 0;
  let done = 0;
  let height = 0;
  let pending: string[] = [];
  let timer: NodeJS.Timeout | undefined;

  const draw = () => {
    const width = Math.max(10, (stream.columns ?? 80) - 1);
    const lines = block(running, done, total, width, (stream.rows ?? 24) - 2, colors);
    const up = height > 0 ? `\r\u001b[${height}A` : "";
    const above = pending.map((line) => `${line}\n`).join("");
    stream.write(`${up}${ERASE_DOWN}${above}${lines.map((line) => `${line}\n`).join("")}`);
    pending = [];
    height = lines.length;
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
    print: (lines) => void pending.push(...lines),
    stop() {
      clearInterval(timer);
      total = 0;
      running.clear();
      draw();
      process.off("exit", restore);
      restore();
    },
  };
}

function block(
  running: ReadonlyMap<string, number>,
  done: number,
  total: number,
  width: number,
  maxLines: number,
  colors: ReturnType<typeof createColors>,
): string[] {
  if (total === 0) return [];
  const now = performance.now();
  const shown = [...running].slice(0, Math.max(1, maxLines)).map(([id, since]) => {
    const time = duration(now - since);
    const name = truncate(id, width - time.length - 3);
    return `${colors.cyan("●")} ${name} ${colors.dim(time)}`;
  });
  const label = ` ${done}/${total}`;
  const cells = Math.max(0, Math.min(30, width - label.length));
  const full = Math.round((cells * done) / total);
  return [...shown, `${colors.green("█".repeat(full))}${colors.dim("░".repeat(cells - full))}${label}`];
}
