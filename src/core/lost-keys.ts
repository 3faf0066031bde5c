/**
 * The paths of keys `__proto__` that a validation has dropped: zod passes over them in mappings of any keys, lest a
 * prototype be set. What a person wrote would be missing without a word.
 */
export function lostKeys(value: unknown, parsed: unknown, path: readonly string[] = []): string[][] {
  // What was not validated, but passed on as it is, may also hold itself.
  if (value === parsed || !isObject(value) || !isObject(parsed)) return [];
  return Object.entries(value).flatMap(([key, part]) => {
    const at = [...path, key];
    if (Object.hasOwn(parsed, key)) return lostKeys(part, parsed[key], at);
    return key === "__proto__" ? [at] : [];
  });
}

export const LOST_KEY = "a key of that name can't be used here";

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
