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
  if (before !== undefined) throw new InvalidArgumentError(`It was given ${before} before, and takes one value.`);
  const number = Number(value);
  if (!/^\d+$/.test(value) || !Number.isSafeInteger(number) || number < 1)
    throw new InvalidArgumentError("It must be a whole number of at least 1.");
  return number;
}

/** A blank value comes from a variable that is not set; what it would select is not what was meant. */
function notBlank(value: string): string {
  if (value.trim() === "") throw new InvalidArgumentError("It must not be blank.");
  return value;
}
