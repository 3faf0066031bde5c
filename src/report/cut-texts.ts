import { truncate } from "../core/text.js";

/** The same data with texts of more than `max` characters cut; what is to be kept whole stays as it is. */
export function cutTexts(value: unknown, max: number, isWhole: (value: object) => boolean = () => false): unknown {
  if (typeof value === "string") return truncate(value, max);
  if (Array.isArray(value)) return value.map((entry) => cutTexts(entry, max, isWhole));
  if (typeof value !== "object" || value === null || isWhole(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, cutTexts(entry, max, isWhole)]));
}
