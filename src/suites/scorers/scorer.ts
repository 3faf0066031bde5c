import { oneLine, truncate } from "../../core/text.js";
import type { Assertion, Score } from "../format/assertion.js";
import type { Session } from "../session.js";
import type { TestCase } from "../test-case.js";
import type { TrialContext } from "../trial-context.js";
import type { Changes } from "../workspaces/changes.js";

/** What is scored: one run of a case, once it has ended. */
export interface Trial {
  testCase: TestCase;
  session: Session;
  context: TrialContext;
  /** Where the target worked, and what is different there. */
  workspace?: { directory: string; changes: Changes | { error: string } } | undefined;
}

/** A score without the type of what is scored. */
export type Verdict = Omit<Score, "type">;

/** The assertions of one type. */
export type AssertionOf<T extends Assertion["type"]> = Assertion & { type: T };

/** What it makes of one assertion; several programs of a trial are told apart by `part`, from 1. */
export type Scorer<A extends Assertion> = (assertion: A, trial: Trial, part: number) => Verdict | Promise<Verdict>;

type More = Pick<Score, "metrics" | "details">;

export const passed: Verdict = { status: "passed", reason: "" };

/** Failed for these reasons; passed when there are none. */
export function failedFor(reasons: readonly string[], more: More = {}): Verdict {
  const shown = reasons.slice(0, MAX_REASONS);
  if (reasons.length > MAX_REASONS) shown.push(`and ${reasons.length - MAX_REASONS} more`);
  return { status: reasons.length === 0 ? "passed" : "failed", reason: shown.join("; "), ...more };
}

/** A session may have thousands of calls of a tool that it must not call. */
const MAX_REASONS = 20;

/** Passed, or failed for this reason. */
export function passedIf(holds: boolean, reason: () => string): Verdict {
  return holds ? passed : { status: "failed", reason: reason() };
}

export function errorBecause(reason: string, more: More = {}): Verdict {
  return { status: "error", reason, ...more };
}

/** How much of a text stands in a reason, in characters. */
const MAX_QUOTE = 200;

/** The beginning of a text of the target for a reason, or its end. Masked first: half a secret is none that is known. */
export function quote(text: string, { context }: Trial, part: "beginning" | "end" = "beginning"): string {
  const masked = context.redactor.text(text).trim();
  const end = masked.length > MAX_QUOTE && part === "end";
  const shown = end ? `…${masked.slice(-MAX_QUOTE).toWellFormed()}` : masked.slice(0, 2 * MAX_QUOTE);
  return shown === "" ? "nothing" : `"${oneLine(shown, MAX_QUOTE + 1)}"`;
}

/** A wanted text, in quotes on one line. */
export function wanted(text: string, { context }: Trial): string {
  return `"${oneLine(truncate(context.redactor.text(text), MAX_QUOTE))}"`;
}
