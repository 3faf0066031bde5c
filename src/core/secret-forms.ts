/** Shorter values are words like `false`: masking them would garble everything. */
export const MIN_LENGTH = 6;

/**
 * A secret as it may stand in a text: as it is and each of its lines, as they stand in JSON, in JSON within JSON, in what
 * programs show of a text, and in a URL; and what base64 makes of it, whatever stands before it, as a user's name does in a header of basic authorization.
 */
export function secretForms(value: string): string[] {
  const lines = [value, value.trim(), ...value.split(/\r?\n/).map((line) => line.trim())].filter(isLong);
  const forms = lines.flatMap(writtenForms);
  return [...new Set([...forms, ...base64Forms(value.trim())])].filter(isLong);
}

function isLong(text: string): boolean {
  return text.length >= MIN_LENGTH;
}

function writtenForms(text: string): string[] {
  const inside = [inJson(text), asciiOnly(inJson(text))];
  const escaped = inside.flatMap((once) => {
    // As Python and Node show a text, in single quotes or double ones.
    const shown = once.replaceAll('\\"', '"');
    return [once, once.replaceAll("/", "\\/"), inJson(once), shown, shown.replaceAll("'", "\\'")];
  });
  return [text, ...escaped, encodeURIComponent(text.toWellFormed())];
}

function inJson(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

/** As JSON is written by what escapes all but ASCII. */
function asciiOnly(text: string): string {
  return text.replaceAll(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** The characters that the secret alone decides, where none, one or two bytes of a group stand before it. */
function base64Forms(value: string): string[] {
  if (!isLong(value)) return [];
  const bytes = Buffer.from(value);
  return [0, 1, 2].flatMap((before) => {
    const all = Buffer.concat([Buffer.alloc(before), bytes]).toString("base64");
    const inner = all.slice(Math.ceil((before * 8) / 6), Math.floor(((before + bytes.length) * 8) / 6));
    return [inner, inner.replaceAll("+", "-").replaceAll("/", "_")];
  });
}
