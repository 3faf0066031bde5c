import { closeSync, openSync, readSync, renameSync } from "node:fs";
import { writeAll } from "./atomic.js";

/** Masks secrets in what is written. */
export interface Redactor {
  /** Text with every secret value replaced by `***NAME***`. */
  text: (text: string) => string;
  /** The same for all strings in plain data, names of fields too. */
  data: <T>(data: T) => T;
  /** The same for a file, byte for byte apart from that; one without a secret is not touched. */
  file: (path: string) => void;
}

export interface RedactorOptions {
  env: NodeJS.ProcessEnv;
  /** Variables to mask besides those whose names look secret. */
  names: readonly string[];
}

const LOOKS_SECRET = /KEY|TOKEN|SECRET|PASSWORD/i;
export function looksSecret(name: string): boolean {
  return LOOKS_SECRET.test(name);
}

/** Shorter values are words like `false`: masking them would garble everything. */
const MIN_LENGTH = 6;
const CHUNK = 1 << 20;

export const noRedactor: Redactor = { text: (text) => text, data: (data) => data, file: () => {} };

/** A redactor for the values of the environment that are secret by their names. */
export function createRedactor({ env, names }: RedactorOptions): Redactor {
  const secrets = new Map<string, string>();
  for (const [name, value = ""] of Object.entries(env)) {
    if (value.length < MIN_LENGTH || !(names.includes(name) || looksSecret(name))) continue;
    secrets.set(value, name);
    // As it stands in JSON, which is what agents print.
    secrets.set(JSON.stringify(value).slice(1, -1), name);
  }
  if (secrets.size === 0) return noRedactor;
  const inText = createReplacer(secrets, (value) => value);
  // Bytes as a string of single characters, so that what is no UTF-8 stays as it is.
  const inBytes = createReplacer(secrets, (value) => Buffer.from(value).toString("latin1"));
  const data = (value: unknown): unknown => {
    if (typeof value === "string") return inText.replace(value);
    if (Array.isArray(value)) return value.map(data);
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, entry]) => [inText.replace(key), data(entry)]));
  };
  return {
    text: inText.replace,
    data: <T>(value: T) => data(value) as T,
    file: (path) => redactFile(path, inBytes),
  };
}

interface Replacer {
  replace: (text: string) => string;
  pattern: RegExp;
  /** Length of the longest secret. */
  longest: number;
}

function createReplacer(secrets: ReadonlyMap<string, string>, encode: (value: string) => string): Replacer {
  const names = new Map([...secrets].map(([value, name]) => [encode(value), name]));
  // The longest first: one secret may be the beginning of another.
  const values = [...names.keys()].sort((a, b) => b.length - a.length);
  const pattern = new RegExp(values.map((value) => value.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, "\\$&")).join("|"), "g");
  return {
    replace: (text) => text.replaceAll(pattern, (value) => `***${names.get(value)}***`),
    pattern,
    longest: values[0]?.length ?? 0,
  };
}

function redactFile(path: string, replacer: Replacer): void {
  if (!holdsSecret(path, replacer)) return;
  const temporary = `${path}.masked`;
  const out = openSync(temporary, "w");
  try {
    for (const piece of pieces(path, replacer)) writeAll(out, Buffer.from(replacer.replace(piece), "latin1"));
  } finally {
    closeSync(out);
  }
  renameSync(temporary, path);
}

function holdsSecret(path: string, replacer: Replacer): boolean {
  for (const piece of pieces(path, replacer)) if (piece.search(replacer.pattern) !== -1) return true;
  return false;
}

/** The bytes of a file in pieces that cut no secret in two. */
function* pieces(path: string, { pattern, longest }: Replacer): Generator<string> {
  const fd = openSync(path, "r");
  const buffer = Buffer.allocUnsafe(CHUNK);
  try {
    let rest = "";
    for (let length = readSync(fd, buffer); length > 0; length = readSync(fd, buffer)) {
      rest += buffer.toString("latin1", 0, length);
      // A secret may begin in the last characters, and one that began before them may reach into them.
      let end = Math.max(0, rest.length - longest + 1);
      for (const match of rest.slice(Math.max(0, end - longest)).matchAll(pattern)) {
        const from = Math.max(0, end - longest) + match.index;
        if (from < end && from + match[0].length > end) end = from + match[0].length;
      }
      yield rest.slice(0, end);
      rest = rest.slice(end);
    }
    yield rest;
  } finally {
    closeSync(fd);
  }
}
