import { statSync, unlinkSync } from "node:fs";
import { join } from "node:path";
import type * as z from "zod";
import { describeSystemError, isDiskError, isSystemError } from "../core/errors.js";
import type { Redactor } from "../core/redact.js";
import { readTail } from "../process/tail.js";
import type { ItemStatus } from "../report/schema.js";

type Details = Record<string, z.core.util.JSONType>;

/** What a runner says of an item. */
export interface Outcome {
  status: ItemStatus;
  reason?: string | undefined;
  errorDetail?: string;
  exitCode?: number | null;
  output?: Output;
  details?: Details;
}

/** The ends of what a program printed, and where all of it is. */
export interface Output {
  stdout: string;
  stderr: string;
  /** Relative to the run directory; null when nothing was printed. */
  stdoutPath: string | null;
  stderrPath: string | null;
}

/**
 * What an item's program did to files that are its own is its error; a full disk is that of the run.
 * @throws what is of the run
 */
export function outcomeOfError(error: unknown): Outcome {
  if (!isSystemError(error) || isDiskError(error)) throw error;
  return { status: "error", errorDetail: `its files cannot be used: ${describeSystemError(error)}` };
}

const TAIL_CHARACTERS = 2000;

/** Masks both streams of a program and reads their ends; the file of a stream that stayed empty is removed. */
export function collectOutput(runDir: string, prefix: string, redactor: Redactor): Output {
  const [stdout, stderr] = (["stdout", "stderr"] as const).map((name) => {
    const relative = streamPath(prefix, name);
    const path = join(runDir, relative);
    const stat = statSync(path, { throwIfNoEntry: false });
    if (stat === undefined || stat.size === 0) {
      if (stat) unlinkSync(path);
      return { text: "", path: null };
    }
    redactor.file(path);
    const tail = readTail(path, TAIL_CHARACTERS);
    const banner = `[the last ${TAIL_CHARACTERS} characters of ${tail.bytes} bytes; all of it is in ${relative}]\n`;
    return { text: (tail.cut ? banner : "") + tail.text, path: relative };
  }) as [{ text: string; path: string | null }, { text: string; path: string | null }];
  return { stdout: stdout.text, stderr: stderr.text, stdoutPath: stdout.path, stderrPath: stderr.path };
}

/** The file of a stream, relative to the run directory. */
export function streamPath(prefix: string, name: "stdout" | "stderr"): string {
  return `${prefix}.${name}.txt`;
}
