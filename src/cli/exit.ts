/** Says with which code the process will end, unless something before had it end with another. */
export function exit(code: number): void {
  process.exitCode ??= code;
}
