/** What is larger or deeper is no event of an agent, and parsing it could take all memory. */
const MAX_LENGTH = 32 * 1024 * 1024;
const MAX_DEPTH = 500;

/** JSON that an agent printed; undefined when it is none. */
export function parsePrinted(text: string): unknown {
  if (text.length > MAX_LENGTH || isTooDeep(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Each level takes the parser 50 bytes and half a microsecond: a hundred million `[` would take it for a minute. */
function isTooDeep(text: string): boolean {
  let depth = 0;
  let inString = false;
  for (let at = 0; at < text.length && depth <= MAX_DEPTH; at++) {
    const char = text[at];
    if (char === '"') inString = !inString;
    else if (char === "\\" && inString) at++;
    else if (inString) continue;
    else if (char === "{" || char === "[") depth++;
    else if (char === "}" || char === "]") depth--;
  }
  return depth > MAX_DEPTH;
}
