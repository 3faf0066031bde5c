import { distance } from "fastest-levenshtein";

/** The known name nearest to what was written, if it is near enough to have been meant. */
export function suggest(written: string, known: readonly string[]): string | undefined {
  const near = known
    .map((name) => ({ name, far: distance(written.toLowerCase(), name.toLowerCase()) }))
    .filter(({ name, far }) => far <= Math.max(1, Math.floor(name.length / 3)))
    .sort((a, b) => a.far - b.far);
  return near[0]?.name;
}

/** ` (did you mean 'x'?)`, or nothing. */
export function didYouMean(written: string, known: readonly string[]): string {
  const name = suggest(written, known);
  return name === undefined ? "" : ` (did you mean '${name}'?)`;
}
