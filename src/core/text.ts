import { relative } from "node:path";

// Characters that move the cursor, end a line, or turn the direction of text around.
const UNSAFE =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]/g;

// Titles and links, control sequences, other escape sequences. Linear in the text, which Node's own is not in every version.
const SEQUENCES =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  /\u001b\][^\u0007\u001b\u009c\n]*(?:\u0007|\u001b\\|\u009c)|(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]|\u001b[ -/]*[0-~]/g;

/**
 * Text from outside made safe to print on a terminal or in a log: no escape sequence or control character stays,
 * and nothing that GitHub's runner takes for a command (`::` first on a line, `##[` anywhere). May hold several lines.
 */
export function printable(text: string): string {
  return visible(text)
    .replaceAll(/^([^\S\n]*)::/gm, "$1·::")
    .replaceAll("##[", "#·#[");
}

/** Text from outside made safe to look at: no escape sequence or control character stays. */
export function visible(text: string): string {
  return text.toWellFormed().replaceAll("\r\n", "\n").replaceAll(SEQUENCES, "").replaceAll(UNSAFE, "·");
}

/** The same on one line, cut to `max` characters. */
export function oneLine(text: string, max = Number.POSITIVE_INFINITY): string {
  // One run of blanks at a time: a pattern with blanks on both sides of the newline is quadratic in them.
  const joined = printable(text)
    .trim()
    .replaceAll(/\s+/g, (blank) => (blank.includes("\n") ? " ⏎ " : blank.replaceAll("\t", " ")));
  return truncate(joined, max);
}

export function truncate(text: string, max: number): string {
  if (text.length <= max) return text;
  return `${text.slice(0, Math.max(0, max - 1)).replace(/[\ud800-\udbff]$/, "")}…`;
}

/** `1 check`, `2 checks`. */
export function count(n: number, noun: string): string {
  return `${n} ${noun}${n === 1 ? "" : "s"}`;
}

/** `the tag 'a' or 'b'`, `one of no tags`. */
export function oneOf(noun: string, values: readonly string[]): string {
  return values.length === 0 ? `one of no ${noun}s` : `the ${noun} ${values.map((value) => `'${value}'`).join(" or ")}`;
}

/** A duration in milliseconds for people: `340 ms`, `2.4 s`, `3 min 20 s`. */
export function duration(ms: number): string {
  if (Math.round(ms) < 1000) return `${Math.round(ms)} ms`;
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) return `${Math.min(ms / 1000, 59.9).toFixed(1)} s`;
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

/** A path for people, on one line: relative to the directory `from` if it is below. */
export function shortPath(path: string, from = process.cwd()): string {
  const short = relative(from, path);
  return oneLine(short === "" || short.startsWith("..") ? path : short);
}

/** A value as found in a file, for an error message. */
export function describeValue(value: unknown): string {
  if (value === undefined || value === null) return "nothing";
  if (typeof value === "string") return value.trim() === "" ? "a blank string" : JSON.stringify(truncate(value, 60));
  if (typeof value === "boolean") return `${value} (a boolean)`;
  if (typeof value === "number" || typeof value === "bigint") {
    const tooLarge = value > Number.MAX_SAFE_INTEGER || value < Number.MIN_SAFE_INTEGER;
    return `${value} (${tooLarge ? "too large a number" : "a number"})`;
  }
  if (Array.isArray(value)) return "a list";
  if (value instanceof Date) return "a date";
  return "a mapping";
}

/** A word as a POSIX shell takes it. */
export function shellQuote(word: string): string {
  return /^[\w./:=@%+,-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/**
 * A text as it is compared where case does not count: composed (NFC), in lower case by Unicode's rules of no language,
 * the final sigma as any other. That is no full case folding: `ß` is `ẞ` but not `ss`, and `İ` is an `i` with a dot above.
 */
export function foldCase(text: string): string {
  return text.normalize("NFC").toLowerCase().replaceAll("ς", "σ").normalize("NFC");
}

/** A share as a percentage: `100%`, `66.7%`. More decimals where `100%` would not be all, or `0%` not nothing. */
export function percent(ratio: number, decimals = 1): string {
  const shown = Number((ratio * 100).toFixed(decimals));
  const misleads = (shown === 0 && ratio !== 0) || (Math.abs(shown) === 100 && Math.abs(ratio) !== 1);
  // Beyond that it is rounding of sums.
  return misleads && decimals < 6 ? percent(ratio, decimals + 1) : `${shown}%`;
}

/** Two shares as percentages that read as different where they are: 89.96% is not 90%. */
export function percentsApart(a: number, b: number): [string, string] {
  const decimals = [1, 2, 3, 4, 5, 6].find((count) => percent(a, count) !== percent(b, count)) ?? 1;
  return [percent(a, decimals), percent(b, decimals)];
}

/** A cost: `$0.0123`. */
export function dollars(usd: number): string {
  return `$${usd.toFixed(4)}`;
}
