/** Milliseconds by a clock that only goes forward. Node loads what `performance` needs when it is first used: 1 ms. */
export function monotonicMs(): number {
  const [seconds, nanoseconds] = process.hrtime();
  return seconds * 1000 + nanoseconds / 1e6;
}
