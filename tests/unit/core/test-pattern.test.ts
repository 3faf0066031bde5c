import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { execa } from "execa";
import { rolldown } from "rolldown";
import { describe, expect, it } from "vitest";
import { createStoppablePattern, isCheap, patternProblem, testPattern } from "../../../src/core/test-pattern.js";
import { temporaryDirectory } from "../../helpers/project.js";

const ENDLESS = { source: "^(a+)+$", flags: "" };
const TRAP = `${"a".repeat(60)}b`;

describe("testPattern", () => {
  it.each([
    ["b+", "", "aabb", true],
    ["B", "", "aabb", false],
    ["B", "i", "aabb", true],
    ["^b$", "m", "a\nb", true],
    ["a.b", "s", "a\nb", true],
    ["\\p{Lu}", "u", "éÉ", true],
    ["(?<x>a)\\k<x>", "", "aa", true],
    ["(ab)+c", "", "xababc", true],
    ["(ab)+d", "", "xababc", false],
  ])("/%s/%s in %j: %s", async (source, flags, text, expected) => {
    expect(await testPattern({ source, flags }, text)).toBe(expected);
    expect(createStoppablePattern({ source, flags })(text)).toBe(expected);
  });

  it("stops one that backtracks without end, and goes on with the next", async () => {
    const results = await Promise.all([
      testPattern(ENDLESS, TRAP, { timeoutMs: 150 }),
      testPattern({ source: "^(a+)+b$", flags: "" }, TRAP, { timeoutMs: 10_000 }),
      testPattern(ENDLESS, TRAP, { timeoutMs: 150 }),
      testPattern({ source: "(x|y)+z", flags: "" }, TRAP, { timeoutMs: 10_000 }),
    ]);
    const stopped = { problem: "it was stopped after 150 ms: the pattern backtracks without end, e.g. (a+)+ does" };
    expect(results).toEqual([stopped, true, stopped, false]);
  });

  it("takes an answer that came while this thread was busy", async () => {
    await testPattern({ source: "(a)+", flags: "" }, "a");
    const result = testPattern({ source: "(a)+", flags: "" }, "a", { timeoutMs: 100 });
    await Promise.resolve();
    await Promise.resolve();
    const until = performance.now() + 300;
    while (performance.now() < until);
    expect(await result).toBe(true);
  });

  it("says why a pattern is none", async () => {
    expect(await testPattern({ source: "(", flags: "" }, "")).toEqual({
      problem: expect.stringContaining("Unterminated group"),
    });
    expect(patternProblem({ source: "a", flags: "xx" })).toContain("Invalid flags");
    expect(patternProblem({ source: "a", flags: "i" })).toBeUndefined();
    expect(() => createStoppablePattern({ source: "(", flags: "" })).toThrow(SyntaxError);
  });

  it("for those who can't wait stops, too", () => {
    const pattern = createStoppablePattern(ENDLESS, { timeoutMs: 100 });
    expect(() => pattern(TRAP)).toThrow("stopped after 100 ms");
    expect(pattern("aaa")).toBe(true);
  });

  it("keeps no process alive", async () => {
    const directory = temporaryDirectory();
    const file = join(directory, "it.mjs");
    const bundle = await rolldown({
      input: resolve("src/core/test-pattern.ts"),
      platform: "node",
      resolve: { extensionAlias: { ".js": [".ts"] } },
    });
    await bundle.write({ file, format: "esm" });
    const script = `import { testPattern } from ${JSON.stringify(pathToFileURL(file).href)};
      console.log(await testPattern({ source: "(a)+", flags: "" }, "a"), await testPattern({ source: "(b)+", flags: "" }, "a"));`;
    const { stdout } = await execa(process.execPath, ["--input-type=module", "-e", script], { timeout: 20_000 });
    expect(stdout).toBe("true false");
  });
});

describe("isCheap", () => {
  const short = "x".repeat(300);

  it.each(["abc", "^\\d\\d$", "colou?r|gr[ae]y", "foo.*bar", "(?:yes|no)\\b", "total: \\d+"])(
    "takes /%s/",
    (source) => {
      expect(isCheap({ source, flags: "" }, short)).toBe(true);
    },
  );

  it.each(["(a+)+$", "(a|a)*b", "(a|ab){30}c", "(?:x*)*", "a*a*a*a*b", ".*.*.*=.*", "a?".repeat(30) + "a".repeat(30)])(
    "does not take /%s/",
    (source) => expect(isCheap({ source, flags: "" }, short)).toBe(false),
  );

  it("takes no class of words", () => {
    const words = { source: "[\\q{a|aa}]*b", flags: "v" };
    expect(new RegExp(words.source, words.flags).test("aab")).toBe(true);
    expect(isCheap(words, "aab")).toBe(false);
  });

  it("is right about the time: the worst that it takes is quick", () => {
    const worst = [
      "a*b",
      "a*a*b",
      "a?a?a?a?a?a?a?a?b",
      "(?:a|a)(?:a|a)(?:a|a)(?:a|a)(?:a|a)b",
      "a{1,500}b",
      "(?=a*b)",
      "(a*)\\1b",
    ];
    for (const source of worst) {
      let text = "a";
      while (isCheap({ source, flags: "" }, `${text}${text}`) && text.length < 1e6) text += text;
      const clock = performance.now();
      new RegExp(source).test(text);
      expect(performance.now() - clock, source).toBeLessThan(500);
    }
  });
});
