import { isDeepStrictEqual } from "node:util";
import type { Redactor } from "../../core/redact.js";
import { count } from "../../core/text.js";
import type { ExpectedCall } from "../format/assertion.js";
import type { Json } from "../json.js";
import type { ToolCall } from "../session.js";
import { type AssertionOf, failedFor, type Trial, type Verdict } from "./scorer.js";

type Numbered = ToolCall & { number: number };

/** Of the calls of tools, which are numbered from 1 in reasons. Each part that is not met is a reason of its own. */
export function scoreTrajectory(assertion: AssertionOf<"trajectory">, { session, context }: Trial): Verdict {
  const { data, line } = context.redactor;
  const calls = session.toolCalls.map((call, index) => ({ ...call, number: index + 1 }));
  const { mustCall, mustNotCall, order, exact, maxCalls, noErrors } = assertion;
  const reasons = [
    ...mustCall.flatMap((expected) => missingCall(expected, calls, data)),
    ...calls.flatMap((call) => (mustNotCall.includes(call.name) ? `${show(call)} must not be called` : [])),
    ...(order ? brokenOrder(order, calls) : []),
    ...(exact ? difference(exact, calls) : []),
    ...(maxCalls !== undefined && calls.length > maxCalls
      ? [`${count(calls.length, "call")}, expected at most ${maxCalls}: ${list(calls)}`]
      : []),
    ...(noErrors ? calls.flatMap((call) => failedCall(call, line)) : []),
  ];
  return failedFor(reasons.map((reason) => line(reason, MAX_REASON)));
}

const MAX_REASON = 600;
/** Of the calls with their arguments. */
const MAX_SHOWN = 5;

function missingCall(expected: ExpectedCall, calls: readonly Numbered[], mask: (data: Json) => Json): string[] {
  const { name, arguments: wanted, times } = expected;
  const named = calls.filter((call) => call.name === name);
  const matching = wanted === undefined ? named : named.filter((call) => matchesPartly(wanted, call.arguments));
  if (times === undefined ? matching.length > 0 : matching.length === times) return [];
  const how = wanted === undefined ? "" : ` with ${JSON.stringify(mask(wanted))}`;
  const often = times === undefined ? "" : `${count(times, "time")}, not ${matching.length}`;
  if (matching.length > 0) return [`'${name}' was to be called${how} ${often}: ${list(matching)}`];
  // The nearest to what was meant: the same tool, called otherwise; else what was called at all.
  const instead =
    named.length > 0
      ? named
          .slice(0, MAX_SHOWN)
          .map((call) => `${show(call)} with ${JSON.stringify(mask(call.arguments))}`)
          .join(", ")
      : list(calls);
  return [
    `'${name}' was not called${how}${times === undefined ? "" : ` (expected ${count(times, "time")})`}; there was ${instead}`,
  ];
}

/**
 * Whether a value holds all that is expected: mappings may hold more, lists have the same length and match element by
 * element, everything else is equal.
 */
export function matchesPartly(expected: Json, actual: Json | undefined): boolean {
  if (Array.isArray(expected)) {
    if (!Array.isArray(actual) || actual.length !== expected.length) return false;
    return expected.every((element, index) => matchesPartly(element, actual[index]));
  }
  if (typeof expected !== "object" || expected === null)
    return expected === actual || isDeepStrictEqual(expected, actual);
  if (typeof actual !== "object" || actual === null || Array.isArray(actual)) return false;
  return Object.entries(expected).every(
    ([key, value]) => Object.hasOwn(actual, key) && matchesPartly(value, actual[key]),
  );
}

function brokenOrder(order: readonly string[], calls: readonly Numbered[]): string[] {
  let from = 0;
  for (const [index, name] of order.entries()) {
    const at = calls.findIndex((call, position) => position >= from && call.name === name);
    const before = calls[from - 1];
    if (at < 0)
      return [
        `order: '${name}' (number ${index + 1}) is not called${before ? ` after ${show(before)}` : ""}; there was ${list(calls)}`,
      ];
    from = at + 1;
  }
  return [];
}

function difference(exact: readonly string[], calls: readonly Numbered[]): string[] {
  const at = Array.from({ length: Math.max(exact.length, calls.length) }).findIndex(
    (_, i) => exact[i] !== calls[i]?.name,
  );
  if (at < 0) return [];
  const found = calls[at];
  const expected = exact[at] === undefined ? "no more calls" : `'${exact[at]}' as call ${at + 1}`;
  return [`exact: expected ${expected}, found ${found ? show(found) : `only ${count(calls.length, "call")}`}`];
}

function failedCall(call: Numbered, line: Redactor["line"]): string[] {
  return call.error === undefined ? [] : [`${show(call)} failed: ${line(call.error, 200)}`];
}

function show({ name, number }: Numbered): string {
  return `call ${number} '${name}'`;
}

const MAX_LISTED = 30;

function list(calls: readonly Numbered[]): string {
  const more = calls.length > MAX_LISTED ? ` and ${calls.length - MAX_LISTED} more` : "";
  return calls.length === 0 ? "no call at all" : calls.slice(0, MAX_LISTED).map(show).join(", ") + more;
}
