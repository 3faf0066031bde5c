import { describe, expect, it } from "vitest";
import { createRedactor } from "../../../../src/core/redact.js";
import type { Assertion } from "../../../../src/suites/format/assertion.js";
import { scoreOne } from "../../../helpers/scored-trial.js";

const status = async (assertion: Assertion, output: string) => (await scoreOne(assertion, { output })).status;

describe("contains and not_contains", () => {
  it.each<[text: string, output: string, contained: boolean]>([
    ["hello", "Well, HELLO there", true],
    ["hello", "help", false],
    ["Größe", "die GRÖSSE", false],
    ["Größe", "GRÖẞE", true],
    ["straße", "STRASSE", false],
    ["istanbul", "ISTANBUL", true],
    ["İstanbul", "i̇stanbul", true],
    ["istanbul", "İstanbul", false],
    ["ΟΔΟΣ", "οδος", true],
    ["ΟΔΟΣ", "οδοσα", true],
    ["é", "cafe\u0301", true],
    ["cafe\u0301", "CAFÉ", true],
    ["你", "✓ 你好", true],
    ["0", "0", true],
    ["a.c", "abc", false],
    ["$&", "$&", true],
  ])("%j in %j: %s", async (text, output, contained) => {
    expect(await status({ type: "contains", text }, output)).toBe(contained ? "passed" : "failed");
    expect(await status({ type: "not_contains", text }, output)).toBe(contained ? "failed" : "passed");
  });

  it("name what was looked for", async () => {
    expect((await scoreOne({ type: "contains", text: "a\nb" }, { output: "x" })).reason).toBe(
      'the output does not contain "a ⏎ b"',
    );
    expect((await scoreOne({ type: "contains", text: "x" })).reason).toBe(
      'the output does not contain "x"; it is empty',
    );
    expect((await scoreOne({ type: "not_contains", text: "Sorry" }, { output: "I am sorry" })).reason).toBe(
      'the output contains "Sorry", which it must not',
    );
  });
});

describe("equals, starts_with and ends_with", () => {
  it.each<["equals" | "starts_with" | "ends_with", text: string, output: string, holds: boolean]>([
    ["equals", "0", "0", true],
    ["equals", "0", " 0\n", true],
    ["equals", "0", "", false],
    ["equals", "", "", true],
    ["equals", "", "0", false],
    ["equals", "false", "false", true],
    ["equals", "42\n", "42", true],
    ["equals", "Yes", "yes", false],
    ["equals", "é", "e\u0301", true],
    ["starts_with", "The", "\n  The end", true],
    ["starts_with", "the", "The end", false],
    ["ends_with", "end.", "The end.\n", true],
    ["ends_with", "The", "The end.", false],
  ])("%s %j: %j is %s", async (type, text, output, holds) => {
    expect(await status({ type, text }, output)).toBe(holds ? "passed" : "failed");
  });

  it("show what was found, on one line and cut", async () => {
    expect((await scoreOne({ type: "equals", text: "42" }, { output: "4\u001b[31m3\n" })).reason).toBe(
      'the output is "43", expected "42"',
    );
    const { reason } = await scoreOne({ type: "ends_with", text: "z" }, { output: `${"x".repeat(1000)}y` });
    expect(reason).toMatch(/^the output ends with "…x{199}y", expected "z"$/);
    expect((await scoreOne({ type: "starts_with", text: "z" })).reason).toContain("starts with nothing");
  });

  it("mask secrets before they are cut in two", async () => {
    const redactor = createRedactor({ env: { MY_KEY: "s3cret-".repeat(10) }, names: [] });
    const output = `${"x".repeat(180)}${"s3cret-".repeat(10)}`;
    const { reason } = await scoreOne({ type: "equals", text: "y" }, { output, run: { redactor } });
    expect(reason).toContain("***MY_KEY***");
    expect(reason).not.toContain("s3cret");
  });
});

describe("matches", () => {
  const matches = (source: string, flags = ""): Assertion => ({ type: "matches", source, flags, written: source });

  it.each<[source: string, flags: string, output: string, holds: boolean]>([
    ["\\d{3}", "", "call 911", true],
    ["^B", "im", "a\nb", true],
    ["(foo|bar)+$", "", "xfoobar", true],
    ["(foo|bar)+$", "", "xfooba", false],
  ])("/%s/%s: %j is %s", async (source, flags, output, holds) => {
    expect(await status(matches(source, flags), output)).toBe(holds ? "passed" : "failed");
  });

  it("fails with the pattern as it was written", async () => {
    const { reason } = await scoreOne({ type: "matches", source: "x", flags: "i", written: "(?i)x" }, { output: "y" });
    expect(reason).toBe("the output does not match /(?i)x/");
  });

  it("fails for a pattern that is none, or that has no end", async () => {
    const broken = await scoreOne(matches("("), { output: "y" });
    expect(broken).toMatchObject({
      status: "failed",
      reason: expect.stringContaining("the pattern /(/ can't be used"),
    });
    // As it was written it is one in JavaScript, and would match the letters.
    const untranslated = await scoreOne(
      { type: "matches", source: "\\p{Nope}", flags: "", written: "\\p{Nope}", problem: "no such property" },
      { output: "p{Nope}" },
    );
    expect(untranslated.reason).toBe("the pattern /\\p{Nope}/ can't be used: no such property");
    const endless = await scoreOne(matches("^(a+)+$"), { output: `${"a".repeat(60)}!` });
    expect(endless).toMatchObject({ status: "failed", reason: expect.stringContaining("stopped after 1000 ms") });
  });
});

describe("length", () => {
  it.each<["max_words" | "min_words" | "max_chars", limit: number, output: string, holds: boolean]>([
    ["max_words", 2, " a\n\tb ", true],
    ["max_words", 2, "a b c", false],
    ["max_words", 0, "", true],
    ["min_words", 3, "a\u00a0b c", true],
    ["min_words", 1, " ", false],
    ["max_chars", 2, "🍌🍌\n", true],
    ["max_chars", 1, "🍌🍌", false],
    ["max_chars", 1, "\ud83c", true],
  ])("%s %d: %j is %s", async (type, limit, output, holds) => {
    // Something that must be there, for what is empty.
    expect(await status({ type, limit }, output)).toBe(holds ? "passed" : "failed");
  });

  it("says how long it is", async () => {
    expect(await scoreOne({ type: "min_words", limit: 3 }, { output: "a b" })).toEqual({
      type: "min_words",
      status: "failed",
      reason: "the output has 2 words, expected at least 3",
      metrics: { words: 2 },
    });
  });
});
