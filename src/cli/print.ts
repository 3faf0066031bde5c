import { writeSync } from "node:fs";

/**
 * Prints on standard output at once. `process.stdout` would load all of Node's streams: a fifth of the time that
 * `--version` and `--help` take, and more where the output is a pipe.
 */
export function print(text: string): void {
  write(1, text);
}

/** The same on standard error. */
export function printError(text: string): void {
  write(2, text);
}

/** What is to be written after something that the reader had no room for. */
const queues: { 1?: NodeJS.WriteStream; 2?: NodeJS.WriteStream } = {};

function write(fd: 1 | 2, text: string): void {
  // The console of Windows takes text, not bytes.
  if (process.platform === "win32") queues[fd] ??= queue(fd);
  const bytes = Buffer.from(text);
  let done = 0;
  try {
    while (!queues[fd] && done < bytes.length) done += writeSync(fd, bytes, done);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // Another program that has it too made it one that does not wait.
    if (code === "EAGAIN") queues[fd] = queue(fd);
    else if (fd === 1) onOutputError(error as NodeJS.ErrnoException);
  }
  queues[fd]?.write(bytes.subarray(done));
}

function queue(fd: 1 | 2): NodeJS.WriteStream {
  watchOutput();
  return fd === 1 ? process.stdout : process.stderr;
}

let watched = false;

/** To be called before anything is written to `process.stdout` or `process.stderr`. */
export function watchOutput(): void {
  if (watched) return;
  watched = true;
  process.stdout.once("error", onOutputError).on("error", () => {});
  // What can't be told can't be told; the exit code still says it.
  process.stderr.on("error", () => {});
}

let failed = false;

/** A reader or terminal that went away ends the output, not the run. */
function onOutputError(error: NodeJS.ErrnoException): void {
  if (failed) return;
  failed = true;
  if (error.code === "EPIPE" || (error.code === "EIO" && process.stdout.isTTY)) return;
  printError(`error: cannot write to standard output (${error.code})\n`);
  process.exitCode = 2;
}
