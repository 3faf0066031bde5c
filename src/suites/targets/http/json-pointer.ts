/**
 * What a JSON pointer (RFC 6901) points to; undefined when there is nothing. An empty pointer is the whole document.
 * @param pointer well-formed: empty, or `/` and then parts in which `~0` is `~` and `~1` is `/`
 */
export function atPointer(document: unknown, pointer: string): unknown {
  const parts = pointer.split("/").slice(1);
  return parts.reduce<unknown>((at, part) => stepInto(at, part.replaceAll("~1", "/").replaceAll("~0", "~")), document);
}

function stepInto(value: unknown, key: string): unknown {
  if (typeof value !== "object" || value === null) return undefined;
  // An index has no leading zeros; `-` is the place after the last, where nothing is.
  if (Array.isArray(value)) return /^(0|[1-9]\d*)$/.test(key) ? value[Number(key)] : undefined;
  return Object.hasOwn(value, key) ? (value as Record<string, unknown>)[key] : undefined;
}
