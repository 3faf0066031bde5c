import { setTimeout as pause } from "node:timers/promises";

/** Asks again until `probe` gives something; throws when it did not within the limit. */
export async function eventually<T>(
  probe: () => T | undefined | false | Promise<T | undefined | false>,
  what: string,
  limitMs = 15_000,
): Promise<T> {
  const deadline = performance.now() + limitMs;
  for (;;) {
    const found = await probe();
    if (found !== undefined && found !== false) return found;
    if (performance.now() > deadline) throw new Error(`waited ${limitMs} ms in vain: ${what}`);
    await pause(10);
  }
}
