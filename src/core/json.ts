import { LineCounter } from "yaml";
import type { Problem } from "./errors.js";
import type { ParsedYaml } from "./yaml.js";

/** As for YAML: what walks over a value later must not run out of stack. */
const MAX_DEPTH = 100;
const TOKEN = /["{}[\],]|[^\s{}[\],":]+/g;

/** Where the values in a text begin, by their paths. */
interface Places {
  values: ReadonlyMap<string, number>;
  keys: ReadonlyMap<string, number>;
  /** Offsets of keys that their object has already. */
  duplicates: readonly number[];
  tooDeep: number | undefined;
}

/**
 * Parses JSON (RFC 8259) with the places of its values, in linear time: for what is strictly JSON, or too large for
 * the YAML parser. The same key twice in an object is a problem. Never throws.
 */
export function parseJson(text: string): ParsedYaml {
  let position: ReturnType<typeof positions> | undefined;
  const at = (offset: number) => {
    position ??= positions(text);
    return position(offset);
  };
  let places: Places | undefined;
  const locate: ParsedYaml["locate"] = (path, part = "value") => {
    if (path.length === 0) return at(text.search(/\S/));
    // Not kept from the first pass: of a million lines hardly one is asked.
    places ??= scan(text, { places: true });
    for (let length = path.length; length >= 0; length--) {
      const name = pathKey(path.slice(0, length));
      const offset = (length === path.length && part === "key" && places.keys.get(name)) || places.values.get(name);
      if (offset !== undefined) return at(offset);
    }
    return at(0);
  };
  const failed = (problems: Problem[]): ParsedYaml => ({ value: undefined, problems, locate: () => at(0) });
  try {
    const value: unknown = JSON.parse(text);
    const { duplicates, tooDeep } = scan(text, { places: false });
    if (tooDeep !== undefined)
      return failed([{ ...at(tooDeep), message: `is nested too deeply: more than ${MAX_DEPTH} levels` }]);
    if (duplicates.length === 0) return { value, problems: [], locate };
    return failed(duplicates.map((offset) => ({ ...at(offset), message: "the same key stands twice in one object" })));
  } catch (error) {
    const offset = errorOffset(text, (error as SyntaxError).message);
    return failed([{ ...at(offset), message: `not valid JSON: ${jsonFault(error)}` }]);
  }
}

/** What the parser says, without where and without the piece of the text that it quotes: that may be half a secret. */
export function jsonFault(error: unknown): string {
  return (error as SyntaxError).message.replace(
    /(?: in JSON)? at position \d+.*$|, \.{0,3}".*"\.{0,3} is not valid JSON$/s,
    "",
  );
}

const UNEXPECTED = "Unexpected token";

/** Where the parser stopped. For an unexpected token it does not say: that is the last of the shortest part that has one. */
function errorOffset(text: string, message: string): number {
  const position = /at position (\d+)/.exec(message)?.[1];
  if (position !== undefined) return Number(position);
  if (!message.startsWith(UNEXPECTED)) return text.length;
  let [low, high] = [0, text.length];
  while (low + 1 < high) {
    const middle = (low + high) >> 1;
    if (hasUnexpected(text.slice(0, middle))) high = middle;
    else low = middle;
  }
  return low;
}

function hasUnexpected(text: string): boolean {
  try {
    JSON.parse(text);
    return false;
  } catch (error) {
    return (error as SyntaxError).message.startsWith(UNEXPECTED);
  }
}

/** A container that the scan is in, with the path of it and the name of its next value. */
interface Container {
  path: string;
  /** The keys that an object has so far; undefined: an array. */
  keys: Set<string> | undefined;
  next: string | number;
  expectsKey: boolean;
}

interface Scan extends Places {
  values: Map<string, number>;
  keys: Map<string, number>;
  duplicates: number[];
  /** What is around, outermost first. */
  open: Container[];
  /** Whether the places of values and keys are kept. */
  keep: boolean;
}

/** One pass over a text that is valid JSON. Without `places` only what is wrong is looked for. */
function scan(text: string, { places: keep }: { places: boolean }): Places {
  const state: Scan = { values: new Map(), keys: new Map(), duplicates: [], tooDeep: undefined, open: [], keep };
  const tokens = new RegExp(TOKEN);
  for (let match = tokens.exec(text); match && state.tooDeep === undefined; match = tokens.exec(text)) {
    const { 0: token, index } = match;
    if (token === '"') tokens.lastIndex = endOfString(text, index);
    const around = state.open.at(-1);
    if (token === "}" || token === "]") state.open.pop();
    else if (around && token === ",") goOn(around);
    else if (around?.expectsKey) takeKey(state, around, { text: text.slice(index, tokens.lastIndex), index });
    else takeValue(state, around, { token, index });
  }
  return state;
}

function takeKey(state: Scan, around: Container, { text, index }: { text: string; index: number }): void {
  const name: string = JSON.parse(text);
  if (around.keys?.has(name)) state.duplicates.push(index);
  around.keys?.add(name);
  around.next = name;
  around.expectsKey = false;
  if (state.keep) state.keys.set(childKey(around.path, name), index);
}

function takeValue(state: Scan, around: Container | undefined, value: { token: string; index: number }): void {
  const path = state.keep && around ? childKey(around.path, around.next) : "";
  if (state.keep) state.values.set(path, value.index);
  const inside = containerOf(value.token, path);
  if (inside) state.open.push(inside);
  if (state.open.length > MAX_DEPTH) state.tooDeep = value.index;
}

function containerOf(token: string, path: string): Container | undefined {
  if (token === "{") return { path, keys: new Set(), next: "", expectsKey: true };
  return token === "[" ? { path, keys: undefined, next: 0, expectsKey: false } : undefined;
}

/** After a comma. */
function goOn(container: Container): void {
  if (container.keys) container.expectsKey = true;
  else container.next = Number(container.next) + 1;
}

/** The offset after the string that begins at `start`. No pattern: one runs out of stack on a long string. */
function endOfString(text: string, start: number): number {
  for (let quote = text.indexOf('"', start + 1); quote >= 0; quote = text.indexOf('"', quote + 1)) {
    let escapes = 0;
    while (text[quote - 1 - escapes] === "\\") escapes += 1;
    if (escapes % 2 === 0) return quote + 1;
  }
  return text.length;
}

function pathKey(path: readonly PropertyKey[]): string {
  return path.reduce<string>((key, name) => childKey(key, name as string | number), "");
}

function childKey(parent: string, name: string | number): string {
  return `${parent}/${String(name).replaceAll("~", "~0").replaceAll("/", "~1")}`;
}

/** The line and column, from 1, of an offset. */
function positions(text: string): (offset: number) => { line: number; column: number } {
  const lines = new LineCounter();
  for (let start = 0; start >= 0 && start <= text.length; start = text.indexOf("\n", start) + 1 || -1) {
    lines.addNewLine(start);
  }
  return (offset) => {
    const { line, col } = lines.linePos(offset);
    return { line, column: col };
  };
}
