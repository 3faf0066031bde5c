import { InvalidArgumentError } from "commander";

export function collect(value: string, before: string[] = []): string[] {
  return [...before, value];
}

export function collectNotBlank(value: string, before?: string[]): string[] {
  return collect(notBlank(value), before);
}

/** Of two values the first would be dropped without a word: `--check-id a --check-id b` would not check a. */
export function single(value: string, before?: string): string {
  if (before !== undefined) throw new InvalidArgumentError(`It was given '${before}' before, and takes one value.`);
  return notBlank(value);
}

/** A whole number of at least 1. */
export function positive(value: string, before?: number): number {
  return number(value, before, { min: 1, wanted: "a whole number of at least 1", whole: true });
}

/** A whole number from 1 to `max`. */
export function wholeUpTo(max: number): (value: string, before?: number) => number {
  const range = { min: 1, max, wanted: `a whole number from 1 to ${max}`, whole: true };
  return (value, before) => number(value, before, range);
}

/** A number of at least 0. */
export function atLeastZero(value: string, before?: number): number {
  return number(value, before, { min: 0, wanted: "a number of at least 0" });
}

/** A number from 0 to 1. */
export function share(value: string, before?: number): number {
  return number(value, before, { min: 0, max: 1, wanted: "a number from 0 to 1" });
}

interface Range {
  min: number;
  max?: number;
  whole?: boolean;
  wanted: string;
}

function number(value: string, before: number | undefined, { min, max = Infinity, whole, wanted }: Range): number {
  if (before !== undefined) throw new InvalidArgumentError(`It was given ${before} before, and takes one value.`);
  const result = Number(value);
  const written = whole ? /^\d+$/ : /^\d*\.?\d+$/;
  if (!written.test(value) || !(result >= min && result <= max && result <= Number.MAX_SAFE_INTEGER))
    throw new InvalidArgumentError(`It must be ${wanted}.`);
  return result;
}

/** A blank value comes from a variable that is not set; what it would select is not what was meant. */
function notBlank(value: string): string {
  if (value.trim() === "") throw new InvalidArgumentError("It must not be blank.");
  return value;
}
