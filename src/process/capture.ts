import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type JobResult, runJob } from "./job.js";
import type { Job } from "./start.js";
import { readTail } from "./tail.js";

/** A program whose output is wanted, not kept. */
export interface CaptureRequest extends Omit<Job, "stdinPath" | "stdoutPath" | "stderrPath"> {
  /** What it reads; undefined: its standard input is closed. */
  input?: string | Uint8Array | undefined;
  /** Where its output goes instead; it is not read then. */
  stdoutPath?: string | undefined;
  /** An existing directory for its streams while it runs; absolute. */
  scratch: string;
}

export interface Captured extends JobResult {
  /** Empty where `stdoutPath` was given. */
  stdout: Buffer;
  /** The end of it, at most 4000 characters. */
  stderr: string;
}

/**
 * Runs a program to its end and gives what it printed.
 * @throws the file system's error when its streams can't be made
 */
export async function captureProgram(request: CaptureRequest): Promise<Captured> {
  const { input, scratch, stdoutPath, ...job } = request;
  const directory = mkdtempSync(join(scratch, "capture-"));
  const stdinPath = join(directory, "stdin");
  const files = { stdoutPath: stdoutPath ?? join(directory, "stdout"), stderrPath: join(directory, "stderr") };
  try {
    if (input !== undefined) writeFileSync(stdinPath, input);
    const result = await runJob({ ...job, ...files, ...(input !== undefined && { stdinPath }) });
    if (result.startError !== null) return { ...result, stdout: Buffer.alloc(0), stderr: "" };
    return {
      ...result,
      stdout: stdoutPath === undefined ? readFileSync(files.stdoutPath) : Buffer.alloc(0),
      stderr: readTail(files.stderrPath, 4000).text,
    };
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}
