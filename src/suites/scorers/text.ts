import { testPattern } from "../../core/test-pattern.js";
import { foldCase } from "../../core/text.js";
import { type AssertionOf, passed, passedIf, quote, type Trial, type Verdict, wanted } from "./scorer.js";

export function scoreContains({ text }: AssertionOf<"contains">, trial: Trial): Verdict {
  const { output } = trial.session;
  return passedIf(foldCase(output).includes(foldCase(text)), () => {
    const empty = output.trim() === "" ? "; it is empty" : "";
    return `the output does not contain ${wanted(text, trial)}${empty}`;
  });
}

export function scoreNotContains({ text }: AssertionOf<"not_contains">, trial: Trial): Verdict {
  const contains = foldCase(trial.session.output).includes(foldCase(text));
  return passedIf(!contains, () => `the output contains ${wanted(text, trial)}, which it must not`);
}

/** Both without blanks around them: a block of YAML ends with a line break that no one means. Case counts. */
export function scoreWhole({ type, text }: AssertionOf<"equals" | "starts_with" | "ends_with">, trial: Trial): Verdict {
  const output = normalize(trial.session.output);
  const expected = normalize(text);
  const expectation = () => `expected ${wanted(expected, trial)}`;
  const found = () => quote(output, trial, type === "ends_with" ? "end" : "beginning");
  switch (type) {
    case "equals":
      return passedIf(output === expected, () => `the output is ${found()}, ${expectation()}`);
    case "starts_with":
      return passedIf(output.startsWith(expected), () => `the output starts with ${found()}, ${expectation()}`);
    case "ends_with":
      return passedIf(output.endsWith(expected), () => `the output ends with ${found()}, ${expectation()}`);
  }
}

function normalize(text: string): string {
  return text.normalize("NFC").trim();
}

/** A pattern that can't be used, or does not come to an end, is a failure. */
export async function scoreMatches(
  { source, flags, written, problem }: AssertionOf<"matches">,
  { session, context }: Trial,
): Promise<Verdict> {
  const shown = context.redactor.line(written, 200);
  const name = /^\/.+\/[a-z]*$/s.test(written) ? shown : `/${shown}/`;
  // As it was written it may be a pattern all the same, of another meaning.
  const result = problem === undefined ? await testPattern({ source, flags }, session.output) : { problem };
  if (typeof result === "object")
    return { status: "failed", reason: `the pattern ${name} can't be used: ${result.problem}` };
  return result ? passed : { status: "failed", reason: `the output does not match ${name}` };
}

/** Of the output without the blanks around it. Words are runs of characters that are no blanks; characters are code points. */
export function scoreLength(
  { type, limit }: AssertionOf<"max_words" | "min_words" | "max_chars">,
  { session }: Trial,
): Verdict {
  const output = session.output.trim();
  const [length, noun] = type === "max_chars" ? [countCharacters(output), "characters"] : [countWords(output), "words"];
  const holds = type === "min_words" ? length >= limit : length <= limit;
  const bound = type === "min_words" ? "at least" : "at most";
  return {
    ...passedIf(holds, () => `the output has ${length} ${noun}, expected ${bound} ${limit}`),
    metrics: { [noun]: length },
  };
}

function countWords(text: string): number {
  return text.match(/\S+/g)?.length ?? 0;
}

function countCharacters(text: string): number {
  return text.length - (text.match(/[\ud800-\udbff][\udc00-\udfff]/g)?.length ?? 0);
}
