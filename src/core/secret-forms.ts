/** Shorter values are words like `false`: masking them would garble everything. */
export const MIN_LENGTH = 6;

/**
 * A secret as it may stand in a text: as it is and each of its lines, as they stand in JSON, in JSON within JSON, in what
 * programs show of a text, in a URL, in HTML and in a command of a shell; and what base64 makes of it, whatever stands
 * before it, as a user's name does in a header of basic authorization. Most secrets hold nothing that is written
 * differently anywhere, and have few forms.
 */
export function secretForms(value: string): string[] {
  const lines = [value, value.trim(), ...value.split(/\r?\n/).map((line) => line.trim())].filter(isLong);
  const forms = lines.flatMap((line) => [line, ...escaped(line), ...inUrl(line), ...inHtml(line), ...inShell(line)]);
  return [...new Set([...forms, ...base64Forms(value.trim())])].filter(isLong);
}

function isLong(text: string): boolean {
  return text.length >= MIN_LENGTH;
}

function escaped(text: string): string[] {
  const inside = [inJson(text), asciiOnly(inJson(text))];
  return inside.flatMap((once) => {
    // As Python and Node show a text, in single quotes or double ones.
    const shown = once.replaceAll('\\"', '"');
    // As Go writes JSON, and others whose JSON may stand in HTML.
    const safe = once.replaceAll(/[<>&]/g, codeUnit);
    return [once, once.replaceAll("/", "\\/"), inJson(once), shown, shown.replaceAll("'", "\\'"), safe];
  });
}

function inJson(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

/** As JSON is written by what escapes all but ASCII. */
function asciiOnly(text: string): string {
  return text.replaceAll(/[^\0-\x7f]/g, codeUnit);
}

function codeUnit(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

/** As JavaScript, Python and forms write it, which agree on little beyond letters and digits. */
function inUrl(text: string): string[] {
  const wellFormed = text.toWellFormed();
  const component = encodeURIComponent(wellFormed);
  const all = component.replaceAll(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);
  const form = new URLSearchParams({ "": wellFormed }).toString().slice(1);
  const forms = [component, all, all.replaceAll("%2F", "/"), all.replaceAll("%20", "+"), form, encodeURI(wellFormed)];
  return [...forms, ...forms.map((one) => one.replaceAll(/%[\dA-F]{2}/g, (byte) => byte.toLowerCase()))];
}

/** A text between tags, and as libraries write one that may stand in an attribute. */
function inHtml(text: string): string[] {
  const between = text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
  const double = between.replaceAll('"', "&quot;");
  const single = ["&#39;", "&#x27;", "&#039;", "&apos;"].map((quote) => double.replaceAll("'", quote));
  return [between, double, ...single, between.replaceAll('"', "&#34;").replaceAll("'", "&#39;")];
}

/** In single quotes, in double ones, and in none. */
function inShell(text: string): string[] {
  return [
    text.replaceAll("'", "'\\''"),
    text.replaceAll("'", `'"'"'`),
    text.replaceAll(/[\\"$`]/g, "\\$&"),
    text.replaceAll(/[ !"$&'()*,;<>?[\\\]^`{|}]/g, "\\$&"),
  ];
}

/** In how many characters programs break what is in base64: MIME's and PEM's. */
const LINE_LENGTHS = [76, 64];

/**
 * The characters that the secret alone decides, where none, one or two bytes of a group stand before it; and, where it
 * stands alone, each line of it.
 */
function base64Forms(value: string): string[] {
  if (!isLong(value)) return [];
  const bytes = Buffer.from(value);
  const whole = [0, 1, 2].map((before) => {
    const all = Buffer.concat([Buffer.alloc(before), bytes]).toString("base64");
    return all.slice(Math.ceil((before * 8) / 6), Math.floor(((before + bytes.length) * 8) / 6));
  });
  const lines = LINE_LENGTHS.flatMap((length) => whole[0]?.match(new RegExp(`.{1,${length}}`, "g")) ?? []);
  return [...whole, ...lines].flatMap((text) => [text, text.replaceAll("+", "-").replaceAll("/", "_")]);
}
