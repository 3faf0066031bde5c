/** The text of the fields that were asked for: strings and numbers as they stand, `{` and `[` for nested values. */
export type Fields<Name extends string> = Partial<Record<Name, string>>;

interface Frame<Name extends string> {
  /** Null for an array. */
  fields: Fields<Name> | null;
  key: string;
}

const QUOTE = 34;
const BACKSLASH = 92;
const CLOSE = 125;
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;
const SCALAR = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;

/**
 * Tells `onObject` of all well-formed JSON objects in a text, also nested ones, in order of their ends.
 *
 * A scan begins at each `{` that no earlier scan has seen as the beginning of an object: one that was seen has either
 * ended well, or failed where the scan around it failed. So every character is read a bounded number of times, and
 * nesting takes no stack.
 * @param names the fields whose text is wanted
 */
export function scanObjects<Name extends string>(
  text: string,
  names: readonly Name[],
  onObject: (fields: Fields<Name>) => void,
): void {
  const wanted = new Map<string, Name>(names.map((name) => [JSON.stringify(name), name]));
  const seen = new Set<number>();
  for (let start = text.indexOf("{"); start !== -1; start = text.indexOf("{", start + 1)) {
    if (seen.delete(start)) continue;
    const next = text.charCodeAt(blanksEnd(text, start + 1));
    if (next === QUOTE || next === CLOSE) scanFrom(start);
  }

  function scanFrom(start: number): void {
    const stack: Frame<Name>[] = [];
    let frame: Frame<Name> | undefined;
    let at = start;
    for (;;) {
      at = blanksEnd(text, at);
      const opener = text[at];
      if (opener === "{" || opener === "[") {
        if (opener === "{" && at !== start) seen.add(at);
        keep(frame, opener);
        frame = { fields: opener === "{" ? {} : null, key: "" };
        stack.push(frame);
        at = blanksEnd(text, at + 1);
        if (text[at] !== closerOf(frame)) {
          if (frame.fields && !readKey(frame)) return;
          continue;
        }
      } else {
        const end = opener === '"' ? stringEnd(text, at) : matchEnd(SCALAR, text, at);
        if (end === -1) return;
        keep(frame, text.slice(at, end));
        at = blanksEnd(text, end);
      }
      // A value is complete, or a container is about to be: close what ends here, and go on after a comma.
      while (frame && text[at] === closerOf(frame)) {
        if (frame.fields) onObject(frame.fields);
        stack.pop();
        frame = stack.at(-1);
        at = blanksEnd(text, at + 1);
      }
      if (!frame || text[at] !== ",") return;
      at++;
      if (frame.fields && !readKey(frame)) return;
    }

    function readKey(object: Frame<Name>): boolean {
      at = blanksEnd(text, at);
      const end = text.charCodeAt(at) === QUOTE ? stringEnd(text, at) : -1;
      if (end === -1) return false;
      object.key = text.slice(at, end);
      at = blanksEnd(text, end);
      return text[at++] === ":";
    }
  }

  function keep(frame: Frame<Name> | undefined, value: string): void {
    const name = frame?.fields ? wanted.get(frame.key) : undefined;
    if (frame?.fields && name !== undefined) frame.fields[name] = value;
  }
}

function closerOf(frame: Frame<string>): string {
  return frame.fields ? "}" : "]";
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
