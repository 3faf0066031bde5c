/** Something that was found in a text, and where. */
interface Found {
  at: number;
  value: string;
}

/** The first of the values in a text from a place on; undefined where there is none. */
export type FindAny = (text: string, from: number) => Found | undefined;

/** No value may be shorter. */
const HEAD = 6;
/** How many bits of a key a character moves on for the next one: of the key's 18 it leaves none to the seventh. */
const SHIFT = 3;
const KEYS = 1 << (HEAD * SHIFT);

/**
 * Finds many values at once, of those that begin in the same place the one that is given first. The time does not
 * depend on how many there are: a pattern of all of them is tried one by one at every place of a text.
 */
export function finderOf(values: readonly string[]): FindAny {
  const heads = new Uint8Array(KEYS);
  const byHead = new Map<string, string[]>();
  for (const value of values) {
    const head = value.slice(0, HEAD);
    let key = 0;
    for (let index = 0; index < HEAD; index++) key = keyWith(key, head, index);
    heads[key] = 1;
    byHead.set(head, [...(byHead.get(head) ?? []), value]);
  }
  return (text, from) => {
    let key = 0;
    for (let last = from; last < text.length; last++) {
      key = keyWith(key, text, last);
      const at = last - HEAD + 1;
      if (heads[key] === 0 || at < from) continue;
      const value = byHead.get(text.slice(at, at + HEAD))?.find((each) => text.startsWith(each, at));
      if (value !== undefined) return { at, value };
    }
    return undefined;
  };
}

/** The key of the last characters up to one, from that up to the one before. */
function keyWith(key: number, text: string, index: number): number {
  return ((key << SHIFT) ^ text.charCodeAt(index)) & (KEYS - 1);
}

/** A text with all that is found replaced, from the left. */
export function replaceFound(text: string, find: FindAny, replacement: (value: string) => string): string {
  const parts: string[] = [];
  let end = 0;
  for (let found = find(text, 0); found !== undefined; found = find(text, end)) {
    parts.push(text.slice(end, found.at), replacement(found.value));
    end = found.at + found.value.length;
  }
  return end === 0 ? text : parts.join("") + text.slice(end);
}
