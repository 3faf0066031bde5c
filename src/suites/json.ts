/** Any JSON value. */
export type Json = string | number | boolean | null | Json[] | { [key: string]: Json };

/** Whether a value is JSON: not so a NaN, or what holds itself, as YAML can say it. */
export function isJson(value: unknown, around: readonly unknown[] = []): value is Json {
  if (value === null || typeof value === "string" || typeof value === "boolean") return true;
  if (typeof value === "number") return Number.isFinite(value);
  if (typeof value !== "object" || around.includes(value)) return false;
  const inside = [...around, value];
  return Object.values(value).every((part) => isJson(part, inside));
}
