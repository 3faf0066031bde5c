/** A regular expression in JavaScript's syntax, or why there is none. */
export type TranslatedPattern = { source: string; flags: string } | { problem: string };

// Of a literal: `g` and `d` mean nothing for a search, `y` would forbid it.
const LITERAL = /^\/((?:[^\\/[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+)\/([dgimsuv]*)$/s;
const INLINE_FLAGS = /^\(\?(?=[a-zA-Z-])([a-zA-Z]*)(?:-([a-zA-Z]+))?\)/;
/** What means something of its own: escapes, classes, comments, groups with a name, and the blanks of free spacing. */
const TOKEN =
  /\\k'(\w+)'|\\[\s\S]|\[(?:[^\]\\]|\\[\s\S])*\]|\(\?#[^)]*\)|\(\?P=(\w+)\)|\(\?(?:P<|')(\w+)[>']|[^\S\n]+|\n|#[^\n]*|[\s\S]/g;
const NEEDS_UNICODE = /(?:^|[^\\])(?:\\\\)*\\(?:[pP]\{|u\{)/;

/**
 * A pattern as people write it: JavaScript syntax, bare or as `/…/ims`; what Python and .NET write differently is
 * translated: flags at the start (`(?i)`, `(?s)`, `(?m)`, `(?x)`, also `(?-i)`), `\A`, `\z`, `(?P<n>…)`, `(?P=n)`,
 * `(?'n'…)`, `\k'n'`, `(?#…)`, and `\Z`, which is the end or the line break before it, as in .NET and PCRE; Python
 * would not take the line break. `\p{…}` and `\u{…}` turn the flag `u` on.
 */
export function translatePattern(written: string, { ignoreCase = false } = {}): TranslatedPattern {
  const literal = LITERAL.exec(written);
  const flags = new Set((literal?.[2] ?? "").replaceAll(/[dg]/g, ""));
  if (ignoreCase) flags.add("i");
  let body = literal?.[1] ?? written;
  for (let match = INLINE_FLAGS.exec(body); match; match = INLINE_FLAGS.exec(body)) {
    const [all, on = "", off = ""] = match;
    for (const flag of on + off) {
      // `a`: letters and digits of ASCII only, which JavaScript's classes have anyway.
      if (!"imsxa".includes(flag)) return { problem: `the flag '${flag}' in ${all} has no counterpart in JavaScript` };
    }
    for (const flag of on) flags.add(flag);
    for (const flag of off) flags.delete(flag);
    body = body.slice(all.length);
  }
  const freeSpacing = flags.delete("x");
  flags.delete("a");
  const source = body.replaceAll(TOKEN, (token, quoted, back, name) =>
    translateToken(token, { back: quoted ?? back, name, freeSpacing }),
  );
  if (NEEDS_UNICODE.test(source) && !flags.has("v")) flags.add("u");
  return compiled({ source: source || "(?:)", flags: [...flags].sort().join("") });
}

function translateToken(
  token: string,
  { back, name, freeSpacing }: { back?: string; name?: string; freeSpacing: boolean },
): string {
  if (back !== undefined) return `\\k<${back}>`;
  if (name !== undefined) return `(?<${name}>`;
  if (token === "\\A") return "(?<![\\s\\S])";
  if (token === "\\z") return "(?![\\s\\S])";
  if (token === "\\Z") return "(?=\\n?(?![\\s\\S]))";
  if (token.startsWith("(?#")) return "";
  if (!freeSpacing) return token;
  if (token === "\\ ") return "\\x20";
  return token.startsWith("#") || token.trim() === "" ? "" : token;
}

function compiled(pattern: { source: string; flags: string }): TranslatedPattern {
  try {
    new RegExp(pattern.source, pattern.flags);
    return pattern;
  } catch (error) {
    // `Invalid regular expression: /(/: Unterminated group`: the source is what the reader has before them.
    const message = (error as Error).message.replace(/^Invalid regular expression: /, "");
    const words = message.slice(message.lastIndexOf(": ") + 2);
    return { problem: `not a valid regular expression: ${words || message}` };
  }
}
