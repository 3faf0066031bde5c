import { statSync, unlinkSync } from "node:fs";
import { join } from "node:path";
import type * as z from "zod";
import type { Redactor } from "../core/redact.js";
import { readTail } from "../process/tail.js";
import type { CheckResult, CheckStatus } from "../report/schema.js";

type Details = Record<string, z.core.util.JSONType>;

/** What a runner says of a check. */
export interface Outcome {
  status: CheckStatus;
  reason?: string | undefined;
  errorDetail?: string;
  exitCode?: number | null;
  output?: Output;
  details?: Details;
}

/** The ends of what a check printed, and where all of it is. */
export interface Output {
  stdout: string;
  stderr: string;
  /** Relative to the run directory; null when nothing was printed. */
  stdoutPath: string | null;
  stderrPath: string | null;
}

const TAIL_CHARACTERS = 2000;

/** Masks both streams of a check and reads their ends; the file of a stream that stayed empty is removed. */
export function collectOutput(runDir: string, stem: string, redactor: Redactor): Output {
  const [stdout, stderr] = (["stdout", "stderr"] as const).map((name) => {
    const relative = streamPath(stem, name);
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

/** The file of a stream, relative to the run directory, with `/` on every system. */
export function streamPath(stem: string, name: "stdout" | "stderr"): string {
  return `checks/${stem}.${name}.txt`;
}

/** The check as far as it is known without its result. */
export type CheckIdentity = Pick<
  CheckResult,
  "check_id" | "check_type" | "check_definition_sha256" | "description" | "source_path" | "tags"
>;

export function checkResult(check: CheckIdentity, startedAt: Date, durationMs: number, outcome: Outcome): CheckResult {
  const { output } = outcome;
  return {
    ...check,
    status: outcome.status,
    score: outcome.status === "passed" ? 1 : 0,
    started_at: startedAt.toISOString(),
    completed_at: new Date(startedAt.getTime() + durationMs).toISOString(),
    duration_ms: Math.round(durationMs),
    reason: outcome.reason ?? null,
    error_detail: outcome.errorDetail ?? null,
    stdout: output?.stdout ?? "",
    stderr: output?.stderr ?? "",
    exit_code: outcome.exitCode ?? null,
    details: {
      stdout_path: output?.stdoutPath ?? null,
      stderr_path: output?.stderrPath ?? null,
      ...outcome.details,
    },
  };
}
