import { execFileSync, spawnSync } from "node:child_process";
import { join } from "node:path";
import { execa } from "execa";
import { onTestFinished } from "vitest";
import { eventually } from "./eventually.js";
import { cleanEnv, EB, PYTHON, temporaryDirectory } from "./project.js";

export const HAS_TMUX = spawnSync("tmux", ["-V"]).status === 0;

/** Goes at the end of a test's name that needs tmux. */
export const TMUX_NOTE = HAS_TMUX ? "" : " (needs tmux: apt-get install tmux)";

export interface Size {
  columns: number;
  rows: number;
}

/** A real terminal, of tmux, that runs `eb` once. */
export class Terminal {
  readonly #socket = join(temporaryDirectory(), "tmux");
  readonly #columns: number;

  constructor(args: readonly string[], cwd: string, { columns, rows }: Size) {
    this.#columns = columns;
    onTestFinished(() => this.#end());
    // The shell outlives Ctrl-C, and hands on no trap.
    const command = `trap : INT; ${quote([process.execPath, EB, ...args])}; echo "[exit $?]"; exec sleep 600`;
    const env = cleanEnv({ LC_ALL: "C.UTF-8" });
    const size = ["-x", String(columns), "-y", String(rows)];
    const options = ["-f", "/dev/null", "-u", "-S", this.#socket, "new-session", "-d", ...size, "-c", cwd];
    execFileSync("tmux", [...options, `sh -c ${quote([command])}`], { env, cwd });
  }

  tmux(...args: string[]): string {
    return execFileSync("tmux", ["-S", this.#socket, ...args], { encoding: "utf8" });
  }

  /** The lines on the screen, without the empty ones below. */
  screen(...options: string[]): string[] {
    return this.tmux("capture-pane", "-p", ...options)
      .trimEnd()
      .split("\n")
      .map((line) => line.trimEnd());
  }

  /** All that was printed: the lines that scrolled out too, with wrapped ones put together. */
  everything(): string[] {
    return this.screen("-S", "-", "-J");
  }

  /** Lines that are so long that the terminal put them on several rows. */
  wrappedLines(): string[] {
    return this.everything().filter((line) => line.length > this.#columns);
  }

  /** A program that still runs, after a failed test, must not write its report into a directory that is gone. */
  #end(): void {
    const shell = spawnSync("tmux", ["-S", this.#socket, "list-panes", "-F", "#{pane_pid}"], { encoding: "utf8" });
    const group = Number(shell.stdout);
    if (group > 1) process.kill(-group, "SIGKILL");
    spawnSync("tmux", ["-S", this.#socket, "kill-server"]);
  }

  cursorIsVisible(): boolean {
    return this.tmux("display-message", "-p", "#{cursor_flag}").trim() === "1";
  }

  resize({ columns, rows }: Size): void {
    this.tmux("resize-window", "-x", String(columns), "-y", String(rows));
  }

  press(key: string): void {
    this.tmux("send-keys", key);
  }

  /** Waits until the screen shows it; returns what is on the screen then. */
  until(shown: RegExp): Promise<string[]> {
    return eventually(() => {
      const screen = this.screen();
      return shown.test(screen.join("\n")) && screen;
    }, `${shown} on the terminal`).catch((error) => {
      throw new Error(`${error.message}; it shows:\n${this.everything().join("\n")}`);
    });
  }

  async exitCode(): Promise<number> {
    const found = await eventually(
      () => /\[exit (\d+)\]/.exec(this.everything().join("\n"))?.[1],
      "the end of the program on the terminal",
    );
    return Number(found);
  }
}

/** Runs `eb` with a terminal as its standard output; returns all that it wrote there, escape sequences too. */
export async function ebOnTerminal(args: readonly string[], cwd: string, env: NodeJS.ProcessEnv = {}): Promise<string> {
  const spawn = "import pty, sys; pty.spawn(sys.argv[1:])";
  const { stdout } = await execa(PYTHON, ["-c", spawn, process.execPath, EB, ...args], {
    cwd,
    extendEnv: false,
    env: cleanEnv({ TERM: "xterm-256color", ...env }),
    stdin: "ignore",
    reject: false,
    stripFinalNewline: false,
  });
  return stdout;
}

function quote(words: readonly string[]): string {
  return words.map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(" ");
}
