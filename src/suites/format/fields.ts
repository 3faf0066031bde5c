import { isAbsolute } from "node:path";
import * as z from "zod";
import { isJson, type Json } from "../json.js";

/** More runs are a slip of the keyboard: each run of each case is planned before the first begins. */
export const MAX_RUNS = 10_000;

/** A JSON value. Zod's own schema would not come to an end where a value holds itself, as YAML can say it. */
export const jsonValue = z.custom<Json>(
  (value) => isJson(value),
  "must be a JSON value, without NaN, infinity, or an alias of what it is in",
);

/** A text that says something; `wanted` is how it is called in messages. */
export const text = (wanted: string) => z.string(wanted).regex(/\S/, `${wanted} that is not blank`);

/** A path that may lead to something: the system takes no NUL in it. */
export const path = text("a path").regex(/^[^\0]*$/, "a path without NUL");

/** A path in the workspace that does not lead out of it. */
export const relativePath = path.refine(
  (value) => !isAbsolute(value) && !/^[A-Za-z]:|^\\/.test(value) && !value.split(/[\\/]/).includes(".."),
  "must be a path in the workspace: relative, without '..'",
);

/** Whole numbers from `min`. */
export function whole(min: number) {
  const wanted = `a whole number of at least ${min}`;
  return z.int(wanted).min(min, wanted);
}

/** How often a case is run. */
export const runCount = z
  .int(`a whole number from 1 to ${MAX_RUNS}`)
  .min(1, `a whole number from 1 to ${MAX_RUNS}`)
  .max(MAX_RUNS, `a whole number from 1 to ${MAX_RUNS}`);

export function numberFrom(min: number, max?: number) {
  const wanted = max === undefined ? `a number of at least ${min}` : `a number from ${min} to ${max}`;
  const schema = z.number(wanted).min(min, wanted);
  return max === undefined ? schema : schema.max(max, wanted);
}

/** A list, or one thing that is as a list of it. The list comes first: it is what the field is about. */
export function oneOrMore<T extends z.ZodType>(item: T, wanted: string) {
  return z
    .union([z.array(item), item], `${wanted}, or a list of ${wanted.replace(/^an? /, "")}s`)
    .transform((given) => [given].flat() as z.output<T>[]);
}

export const texts = (wanted: string) => z.array(text(wanted), `a list of ${wanted.replace(/^an? /, "")}s`);
