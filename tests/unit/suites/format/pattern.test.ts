import { execFileSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { translatePattern } from "../../../../src/suites/format/pattern.js";
import { PYTHON } from "../../../helpers/project.js";

function matches(written: string, text: string): boolean {
  const pattern = translatePattern(written);
  if ("problem" in pattern) throw new Error(pattern.problem);
  return new RegExp(pattern.source, pattern.flags).test(text);
}

describe("a pattern of Python", () => {
  const texts = ["foo", "FOO", "foo bar", "a\nb", "foo\nbar", "bar\nfoo", "foofoo", "xfoo", "Zed A z", "", "# 1 2"];
  const patterns = [
    "(?i)foo",
    "(?s)a.b",
    "a.b",
    "(?m)^foo$",
    "(?im)^FOO",
    "(?i)(?m)^BAR$",
    "\\Afoo",
    "bar\\Z",
    "\\Afoo\\Z",
    "(?P<word>foo)(?P=word)",
    "(?x) f o+ # the rest\n $",
    "(?x) \\# \\  1 [ ] 2",
    "foo(?#a comment)bar|foo(?#another)$",
    "[\\\\A]z|\\\\Z",
    "(?a)\\w+ \\w",
    "f(?:o)o",
    "(?<=x)foo",
  ];

  it.each(patterns)("%j finds what Python finds", (written) => {
    const script =
      "import json, re, sys\np, texts = json.loads(sys.argv[1])\nprint(json.dumps([bool(re.search(p, t)) for t in texts]))";
    const output = execFileSync(PYTHON, ["-c", script, JSON.stringify([written, texts])], { encoding: "utf8" });
    expect(texts.map((text) => matches(written, text))).toEqual(JSON.parse(output));
  });
});

describe("translatePattern", () => {
  it.each<[string, { source: string; flags: string }]>([
    ["a+", { source: "a+", flags: "" }],
    ["/a+/", { source: "a+", flags: "" }],
    ["/A.b/ims", { source: "A.b", flags: "ims" }],
    ["/a\\/b/g", { source: "a\\/b", flags: "" }],
    ["/[/]/i", { source: "[/]", flags: "i" }],
    // No literals: what a person means by these is the text.
    ["/usr/bin/", { source: "/usr/bin/", flags: "" }],
    ["/usr/local", { source: "/usr/local", flags: "" }],
    ["/a/x", { source: "/a/x", flags: "" }],
    // .NET: https://learn.microsoft.com/dotnet/standard/base-types/grouping-constructs-in-regular-expressions
    ["(?'year'\\d+)-\\k'year'", { source: "(?<year>\\d+)-\\k<year>", flags: "" }],
    ["(?s-i)a", { source: "a", flags: "s" }],
    ["a\\z", { source: "a(?![\\s\\S])", flags: "" }],
    ["\\p{Lu}", { source: "\\p{Lu}", flags: "u" }],
    ["\\\\p{2}", { source: "\\\\p{2}", flags: "" }],
    ["(?x)", { source: "(?:)", flags: "" }],
  ])("%j becomes %j", (written, expected) => {
    expect(translatePattern(written)).toEqual(expected);
  });

  it("takes the end before a last line break for the end, as .NET does", () => {
    expect(["a", "a\n", "a\n\n", "a\nb"].map((text) => matches("a\\Z", text))).toEqual([true, true, false, false]);
    expect(["a", "a\n"].map((text) => matches("a\\z", text))).toEqual([true, false]);
  });

  it("ignores case where the field does, unless the pattern says otherwise", () => {
    expect(translatePattern("a", { ignoreCase: true })).toEqual({ source: "a", flags: "i" });
    expect(translatePattern("/a/s", { ignoreCase: true })).toEqual({ source: "a", flags: "is" });
    expect(translatePattern("(?-i)a", { ignoreCase: true })).toEqual({ source: "a", flags: "" });
  });

  it.each<[string, RegExp]>([
    ["(", /^not a valid regular expression: Unterminated group$/],
    ["*a", /Nothing to repeat/],
    ["[z-a]", /Range out of order/],
    ["a(?i)b", /Invalid group/],
    ["(?L)a", /^the flag 'L' in \(\?L\) has no counterpart in JavaScript$/],
    ["(?P>name)", /Invalid group/],
    ["(?(1)a|b)", /Invalid group/],
    ["(?>a)", /Invalid group/],
    ["\\p{Nonsense}", /Invalid property name/],
    ["/a/uv", /flags/],
  ])("says what is wrong with %j", (written, message) => {
    expect(translatePattern(written)).toEqual({ problem: expect.stringMatching(message) });
  });

  it("is quick with what is long", () => {
    const long = "\\A(a|[b\\]c])".repeat(20_000);
    expect(translatePattern(long)).toHaveProperty("source");
  });
});
