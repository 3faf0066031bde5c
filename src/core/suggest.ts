import { distance } from "fastest-levenshtein";

/** The known name that what was written is a slip of, if there is one. */
export function nearest(written: string, known: readonly string[]): string | undefined {
  const near = known
    .map((name) => ({ name, far: distance(written.toLowerCase(), name.toLowerCase()) }))
    .filter(({ name, far }) => far <= Math.max(1, Math.floor(name.length / 3)))
    .sort((a, b) => a.far - b.far);
  return near[0]?.name;
}

/** The one name that has most of the words of what was written: `valid_json` for `json_schema`. */
function sharingWords(written: string, known: readonly string[]): string | undefined {
  const words = new Set(wordsOf(written));
  const shared = known.map((name) => wordsOf(name).filter((word) => words.has(word)).length);
  const most = Math.max(0, ...shared);
  const best = known.filter((_, index) => most > 0 && shared[index] === most);
  return best.length === 1 ? best[0] : undefined;
}

function wordsOf(name: string): string[] {
  return name
    .replaceAll(/([a-z])([A-Z])/g, "$1_$2")
    .toLowerCase()
    .split(/[^a-z]+/)
    .filter((word) => word.length > 2);
}

/** ` (did you mean 'x'?)`, or nothing: the nearest name, or the one that is made of the same words. */
export function didYouMean(written: string, known: readonly string[]): string {
  const name = nearest(written, known) ?? sharingWords(written, known);
  return name === undefined ? "" : ` (did you mean '${name}'?)`;
}
