import { closeSync, openSync, readSync, renameSync } from "node:fs";
import { writeAll } from "./atomic.js";
import { type FindAny, finderOf, replaceFound } from "./find-any.js";
import { MIN_LENGTH, secretForms } from "./secret-forms.js";
import { oneLine } from "./text.js";

/** Masks secrets in what came from outside. Words of ours are never given to it: they may be the value of a secret. */
export interface Redactor {
  /** Text with every secret value replaced by `***NAME***`. What is masked already stays as it is. */
  text: (text: string) => string;
  /** The same on one line and then cut to `max` characters: half a secret is none that is known. */
  line: (text: string, max: number) => string;
  /** The same for all that plain data holds, names of fields too. */
  data: <T>(data: T) => T;
  /** The same for a file, byte for byte apart from that; returns whether there was a secret in it. */
  file: (path: string) => boolean;
}

export interface RedactorOptions {
  env: NodeJS.ProcessEnv;
  /** Variables to mask besides those whose names look secret. */
  names: readonly string[];
}

const LOOKS_SECRET = /KEY|TOKEN|SECRET|PASSWORD/i;

/** Whether a variable is better masked: it may be a secret. */
export function looksSecret(name: string): boolean {
  return LOOKS_SECRET.test(name);
}

const CREDENTIAL =
  /(^|[_-])((API|ACCESS|AUTH|OAUTH|BEARER|PRIVATE|SECRET|SESSION|GITHUB|GH)[_-]?(KEY|TOKEN)|SECRET|PASSWORD|AUTHORIZATION|COOKIE)$/i;

/** Whether what stands in a variable or a header of that name is certainly a secret: `MAX_TOKENS` and `SORT_KEY` are none. */
export function isCredential(name: string): boolean {
  return CREDENTIAL.test(name);
}

const CHUNK = 1 << 20;

export const noRedactor: Redactor = { text: (text) => text, line: oneLine, data: (data) => data, file: () => false };

/** A redactor for the values of the environment that are secret by their names. */
export function createRedactor({ env, names }: RedactorOptions): Redactor {
  const secrets = new Map<string, string>();
  for (const [name, value = ""] of Object.entries(env)) {
    if (value.length < MIN_LENGTH || !(names.includes(name) || looksSecret(name))) continue;
    for (const form of secretForms(value)) secrets.set(form, name);
  }
  if (secrets.size === 0) return noRedactor;
  const marks = new Set([...secrets.values()].map(maskOf));
  const markOrSecret = finderOf([...marks, ...longestFirst(secrets.keys())]);
  const mask = (found: string) => (marks.has(found) ? found : maskOf(secrets.get(found) ?? ""));
  const text = (given: string) => replaceFound(given, markOrSecret, mask);
  const data = (value: unknown): unknown => {
    if (typeof value === "string") return text(value);
    // A secret of digits may be handed on as a number.
    if (typeof value === "number") return secrets.has(String(value)) ? text(String(value)) : value;
    if (Array.isArray(value)) return value.map(data);
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, entry]) => [text(key), data(entry)]));
  };
  const inBytes = replacerOfBytes(secrets);
  return {
    text,
    line: (given, max) => oneLine(text(given), max),
    data: <T>(value: T) => data(value) as T,
    file: (path) => redactFile(path, inBytes),
  };
}

function maskOf(name: string): string {
  return `***${name}***`;
}

/** One secret may be the beginning of another. */
function longestFirst(values: Iterable<string>): string[] {
  return [...values].sort((a, b) => b.length - a.length);
}

interface Replacer {
  replace: (text: string) => string;
  find: FindAny;
  /** Length of the longest secret. */
  longest: number;
}

/** For bytes as a string of single characters, so that what is no UTF-8 stays as it is. */
function replacerOfBytes(secrets: ReadonlyMap<string, string>): Replacer {
  const latin1 = (text: string) => Buffer.from(text).toString("latin1");
  const masks = new Map([...secrets].map(([value, name]) => [latin1(value), latin1(maskOf(name))]));
  const find = finderOf(longestFirst(masks.keys()));
  return {
    replace: (text) => replaceFound(text, find, (value) => masks.get(value) ?? value),
    find,
    longest: Math.max(...[...masks.keys()].map(({ length }) => length)),
  };
}

function redactFile(path: string, replacer: Replacer): boolean {
  if (!holdsSecret(path, replacer)) return false;
  const temporary = `${path}.masked`;
  const out = openSync(temporary, "w");
  try {
    for (const piece of pieces(path, replacer)) writeAll(out, Buffer.from(replacer.replace(piece), "latin1"));
  } finally {
    closeSync(out);
  }
  renameSync(temporary, path);
  return true;
}

function holdsSecret(path: string, replacer: Replacer): boolean {
  for (const piece of pieces(path, replacer)) if (replacer.find(piece, 0) !== undefined) return true;
  return false;
}

/** The bytes of a file in pieces that cut no secret in two. */
function* pieces(path: string, { find, longest }: Replacer): Generator<string> {
  const fd = openSync(path, "r");
  const buffer = Buffer.allocUnsafe(CHUNK);
  try {
    let rest = "";
    for (let length = readSync(fd, buffer); length > 0; length = readSync(fd, buffer)) {
      rest += buffer.toString("latin1", 0, length);
      // A secret may begin in the last characters, and one that began before them may reach into them.
      let end = Math.max(0, rest.length - longest + 1);
      let found = find(rest, Math.max(0, end - longest));
      while (found !== undefined && found.at < end) {
        const after = found.at + found.value.length;
        end = Math.max(end, after);
        found = find(rest, after);
      }
      yield rest.slice(0, end);
      rest = rest.slice(end);
    }
    yield rest;
  } finally {
    closeSync(fd);
  }
}
