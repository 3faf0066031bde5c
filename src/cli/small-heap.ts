let small = false;

/**
 * Keeps the heap small: the young generation stays at its first size, and garbage is collected sooner.
 * Left alone V8 takes 100 MB for 1,000 checks instead of 70, and every page makes each fork slower.
 * To be called when the program is loaded: with other flags than it was compiled with, V8 compiles anew what Node
 * and we have kept compiled, which takes longer than the rest of a short run.
 */
export function keepHeapSmall(): void {
  if (small) return;
  small = true;
  const { setFlagsFromString } = process.getBuiltinModule("node:v8");
  setFlagsFromString("--semi-space-growth-factor=1");
  setFlagsFromString("--heap-growing-percent=20");
  // Before compiled code is kept, which fits only the flags of that moment.
  process.prependListener("exit", () => {
    setFlagsFromString("--semi-space-growth-factor=2");
    setFlagsFromString("--heap-growing-percent=0");
  });
}
