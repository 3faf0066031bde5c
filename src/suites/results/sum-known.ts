/** The sum of what is known; null where nothing is. */
export function sumKnown<T>(items: Iterable<T>, of: (item: T) => number | null): number | null {
  let total: number | null = null;
  for (const item of items) total = addKnown(total, of(item));
  return total;
}

/** One more of such a sum. */
export function addKnown(sum: number | null, value: number | null): number | null {
  return value === null ? sum : (sum ?? 0) + value;
}
