/** The text of the fields that were asked for: strings and numbers as they stand, `{` and `[` for nested values. */
export type Fields<Name extends string> = Partial<Record<Name, string>>;

interface Frame<Name extends string> {
  /** Null for an array. */
  fields: Fields<Name> | null;
  key: string;
}

/** No verdict is nested deeper; what is takes no memory. */
const MAX_DEPTH = 1000;
const QUOTE = 34;
const BACKSLASH = 92;
const CLOSE = 125;
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;
const SCALAR = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;

/**
 * Tells `onObject` of all well-formed JSON objects in a text, also nested ones, in order of their ends.
 *
 * A scan begins at the first `{`, goes on after the object when it ended well, and else at the next `{` that no scan
 * has seen as the beginning of an object: one that was seen has either ended well, or failed where the scan around it
 * failed. So every character is read a bounded number of times, and nesting takes no stack.
 * @param names the fields whose text is wanted
 */
export function scanObjects<Name extends string>(
  text: string,
  names: readonly Name[],
  onObject: (fields: Fields<Name>) => void,
): void {
  const wanted = new Map<string, Name>(names.map((name) => [JSON.stringify(name), name]));
  // By position: a set has a largest size, and pages that are never written take no memory.
  const seen = new Uint8Array(text.length);
  let at = 0;
  let stack: Frame<Name>[] = [];
  let opened = false;
  for (let start = text.indexOf("{"); start !== -1; ) {
    const next = text.charCodeAt(blanksEnd(text, start + 1));
    const mayBegin = !seen[start] && (next === QUOTE || next === CLOSE);
    start = text.indexOf("{", mayBegin && scanFrom(start) ? at : start + 1);
  }

  /** Reads the object at `start` up to its end, where `at` is then; false when it is not well-formed. */
  function scanFrom(start: number): boolean {
    at = start;
    stack = [];
    do at = blanksEnd(text, at);
    while (readStart() && goesOn());
    return stack.length === 0;
  }

  /** Reads a scalar, or the beginning of an object or array. */
  function readStart(): boolean {
    const opener = text[at];
    opened = opener === "{" || opener === "[";
    if (!opened) return readScalar();
    if (stack.length === MAX_DEPTH) return false;
    if (opener === "{") seen[at] = 1;
    keep(`${opener}`);
    stack.push({ fields: opener === "{" ? {} : null, key: "" });
    at = blanksEnd(text, at + 1);
    return true;
  }

  /** Closes what ends here and reads up to where the next value begins; false where there is none. */
  function goesOn(): boolean {
    if (opened && !isAtEnd(stack.at(-1))) return readKey();
    closeWhatEnds();
    return stack.length > 0 && text[at++] === "," && readKey();
  }

  function readScalar(): boolean {
    const end = text.charCodeAt(at) === QUOTE ? stringEnd(text, at) : matchEnd(SCALAR, text, at);
    if (end === -1) return false;
    keep(text.slice(at, end));
    at = blanksEnd(text, end);
    return true;
  }

  /** The key of the next value and its colon; in an array there is none. */
  function readKey(): boolean {
    const frame = stack.at(-1);
    if (!frame?.fields) return true;
    at = blanksEnd(text, at);
    const end = text.charCodeAt(at) === QUOTE ? stringEnd(text, at) : -1;
    if (end === -1) return false;
    frame.key = text.slice(at, end);
    at = blanksEnd(text, end);
    return text[at++] === ":";
  }

  function closeWhatEnds(): void {
    for (let frame = stack.at(-1); frame && isAtEnd(frame); frame = stack.at(-1)) {
      if (frame.fields) onObject(frame.fields);
      stack.pop();
      at = blanksEnd(text, at + 1);
    }
  }

  function isAtEnd(frame: Frame<Name> | undefined): boolean {
    return text[at] === (frame?.fields ? "}" : "]");
  }

  function keep(value: string): void {
    const frame = stack.at(-1);
    const name = frame?.fields ? wanted.get(frame.key) : undefined;
    if (frame?.fields && name !== undefined) frame.fields[name] = value;
  }
}

function blanksEnd(text: string, at: number): number {
  let end = at;
  for (let code = text.charCodeAt(end); code === 32 || code === 9 || code === 10 || code === 13; ) {
    code = text.charCodeAt(++end);
  }
  return end;
}

/** Where the JSON string that begins at `at` ends; -1 when none does. */
function stringEnd(text: string, at: number): number {
  for (let end = at + 1; end < text.length; ) {
    const code = text.charCodeAt(end);
    if (code === QUOTE) return end + 1;
    if (code < 32) return -1;
    end = code === BACKSLASH ? matchEnd(ESCAPE, text, end) : end + 1;
    if (end === -1) return -1;
  }
  return -1;
}

function matchEnd(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : -1;
}
