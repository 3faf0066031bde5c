import { setFlagsFromString } from "node:v8";

/**
 * Keeps the heap small: the young generation stays at its first size, and garbage is collected sooner.
 * Left alone V8 takes 100 MB for 1,000 checks instead of 70, and every page makes each fork slower.
 */
export function keepHeapSmall(): void {
  setFlagsFromString("--semi-space-growth-factor=1");
  setFlagsFromString("--heap-growing-percent=20");
}
