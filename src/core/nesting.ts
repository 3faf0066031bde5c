/** Going through what is deeper, as most code does it, may end the stack. */
const MAX_LEVELS = 500;

/** Whether a value holds lists or mappings in one another on more levels than anybody means to. Never too deep itself. */
export function isNestedTooDeeply(value: unknown): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MAX_LEVELS) return true;
    level = level.flatMap((each) => (typeof each === "object" && each !== null ? Object.values(each) : []));
  }
  return false;
}
