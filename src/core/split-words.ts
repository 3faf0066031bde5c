const WORD = /(?:[^\s"'\\]|\\.|"(?:[^"\\]|\\.)*"|'[^']*')+/gs;
const PART = /\\(.)|"((?:[^"\\]|\\.)*)"|'([^']*)'/gs;

/** The words of a command line, with the quotes and backslashes of a POSIX shell taken off; nothing is expanded. */
export function splitWords(line: string): string[] {
  return (line.match(WORD) ?? []).map((word) =>
    word.replaceAll(PART, (_, escaped?: string, double?: string, single?: string) => {
      if (escaped !== undefined) return escaped;
      return double === undefined ? (single ?? "") : double.replaceAll(/\\(["\\$`])/g, "$1");
    }),
  );
}
