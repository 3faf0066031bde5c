/** The same data without fields that are `undefined`, which to a program are as good as absent. */
export function plainValue(value: unknown, around: readonly unknown[] = []): unknown {
  // What holds itself, and what is no plain data, is left for the schema to refuse.
  if (typeof value !== "object" || value === null || around.includes(value)) return value;
  const inside = [...around, value];
  if (Array.isArray(value)) return value.map((entry) => plainValue(entry, inside));
  if (!isPlain(value)) return value;
  const entries = Object.entries(value).filter(([, entry]) => entry !== undefined);
  return Object.fromEntries(entries.map(([name, entry]) => [name, plainValue(entry, inside)]));
}

function isPlain(value: object): boolean {
  const prototype = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype;
}
