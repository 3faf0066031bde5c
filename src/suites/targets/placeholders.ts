import type { Json } from "../json.js";

/** Replaces `{name}` by its value in one pass: what is put in is not looked at again. Others stay as they are. */
export function fillPlaceholders(text: string, values: Readonly<Record<string, string>>): string {
  return text.replaceAll(/\{(\w+)\}/g, (whole, name: string) =>
    Object.hasOwn(values, name) ? (values[name] ?? "") : whole,
  );
}

/** The same in all strings of a JSON value; one that is exactly `{input}` becomes the input itself. */
export function fillTemplate(template: Json, input: Json, values: Readonly<Record<string, string>>): Json {
  if (template === "{input}") return input;
  if (typeof template === "string") return fillPlaceholders(template, values);
  if (Array.isArray(template)) return template.map((entry) => fillTemplate(entry, input, values));
  if (typeof template !== "object" || template === null) return template;
  return Object.fromEntries(Object.entries(template).map(([key, entry]) => [key, fillTemplate(entry, input, values)]));
}
