import { describe, expect, it } from "vitest";
import { type ParsedYaml, parseYaml } from "../../../src/core/yaml.js";

const parse = (text: string): ParsedYaml => parseYaml(Buffer.from(text));

/** What template engines and shells would fill in. */
const TEMPLATES = `{{x}} {% y %} \${HOME} \\n`;

/** `line:column message` of the only problem. */
function problemOf(text: string): string {
  const { problems } = parse(text);
  expect(problems).toHaveLength(1);
  const [{ line, column, message } = { message: "" }] = problems;
  return `${line}:${column} ${message}`;
}

describe("parseYaml", () => {
  it.each<[string, string, unknown]>([
    ["CRLF", "a: 1\r\nb: |\r\n  x\r\n  y\r\n", { a: 1, b: "x\ny\n" }],
    ["a BOM", "\ufeffa: 1\n", { a: 1 }],
    ["no final newline", "a: 1", { a: 1 }],
    ["words that YAML 1.1 took for booleans", "a: [yes, no, on, off, y]", { a: ["yes", "no", "on", "off", "y"] }],
    ["sexagesimal numbers and dates, as text", "a: [1:30, 2024-01-01]", { a: ["1:30", "2024-01-01"] }],
    ["YAML 1.2 whatever its directive says", "%YAML 1.1\n---\na: [yes, 1:30, 010]", { a: ["yes", "1:30", 10] }],
    ["merge keys, as keys like others", "a: {<<: {b: 1}}", { a: { "<<": { b: 1 } } }],
    ["anchors", "a: &x [1]\nb: *x", { a: [1], b: [1] }],
    ["tabs after the indentation", "a:\t1\nb: '\t'", { a: 1, b: "\t" }],
    ["nothing that looks like a template", `a: '${TEMPLATES}'`, { a: TEMPLATES }],
    ["document markers inside a block", "a: |\n  ---\n  ...\n", { a: "---\n...\n" }],
    ["an empty file", "", null],
  ])("reads %s", (_, text, value) => {
    const parsed = parse(text);
    expect(parsed.problems).toEqual([]);
    expect(parsed.value).toEqual(value);
  });

  it.each<[string, BufferEncoding | "utf16be", number[]]>([
    ["UTF-16 little endian", "utf16le", [0xff, 0xfe]],
    ["UTF-16 big endian", "utf16be", [0xfe, 0xff]],
  ])("reads %s with its byte order mark", (_, encoding, bom) => {
    const text = Buffer.from("a: ü", "utf16le");
    const bytes = Buffer.concat([Buffer.from(bom), encoding === "utf16be" ? text.swap16() : text]);
    expect(parseYaml(bytes).value).toEqual({ a: "ü" });
  });

  it("makes own properties of names that objects inherit", () => {
    const { value } = parse("__proto__: {polluted: 1}\nconstructor: 2");
    expect(Object.keys(value as object)).toEqual(["__proto__", "constructor"]);
    expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
  });

  it.each([
    ["duplicate keys", "a: 1\nb: 2\na: 3\n", "3:1 the same key stands twice in one mapping"],
    ["several documents", "a: 1\n---\nb: 2\n", "2:1 holds several YAML documents; one file is one document"],
    ["tabs as indentation", "a:\n\tb: 1\n", "2:1 not valid YAML: Tabs are not allowed as indentation"],
    ["an alias before its anchor", "a: 1\nb: [*x]\nc: &x 1\n", /^2:5 .*Unresolved alias .*: x$/],
    ["an unknown tag", "a: !!python/object x\n", /^1:4 .*Unresolved tag/],
    ["a mapping as a key", "? {a: 1}\n: 2\n", /^1:3 .*keys must be strings/],
    ["an open quote", 'a: 1\nb: "x\n', /^3:1 .*Missing closing "quote/],
  ])("refuses %s", (_, text, expected) => {
    expect(problemOf(text)).toEqual(typeof expected === "string" ? expected : expect.stringMatching(expected));
  });

  it("refuses bytes that are not UTF-8", () => {
    expect(parseYaml(Buffer.from([0x61, 0x3a, 0x20, 0xe4])).problems).toEqual([{ message: "is not valid UTF-8" }]);
  });

  it("lets anchors refer to what is around them", () => {
    const { value, problems } = parse("a: &x [*x]\n");
    expect(problems).toEqual([]);
    const { a } = value as { a: unknown[] };
    expect(a[0]).toBe(a);
  });

  it("refuses anchors that expand without bound", () => {
    const levels = "bcdefghi".split("").map((name, index) => {
      const before = `*${"abcdefgh"[index]}`;
      return `${name}: &${name} [${Array(9).fill(before).join(",")}]\n`;
    });
    expect(problemOf(`a: &a [x,x,x,x,x,x,x,x,x]\n${levels.join("")}`)).toMatch(/^1:1 .*Excessive alias count/);
  });

  // Each of these took minutes, or ended the process, with a parser that is not bounded.
  it.each([
    ["open brackets", "[".repeat(2e6), /nested too deeply: more than 100 levels/],
    ["closed brackets", "[".repeat(5e4) + "]".repeat(5e4), /nested too deeply/],
    ["open braces", "{a: ".repeat(5e5), /nested too deeply/],
    ["dashes", "- ".repeat(1e6), /nested too deeply/],
    ["question marks", "? ".repeat(1e6), /nested too deeply/],
    ["keys", Array.from({ length: 2e5 }, (_, index) => `k${index}: 1\n`).join(""), /after 100,000 YAML tokens/],
    ["items", `a: [${"1,".repeat(1e6)}]`, /after 100,000 YAML tokens/],
    ["anchors", "&a ".repeat(1e6), /after 100,000 YAML tokens/],
    ["documents", "---\n".repeat(1e6), /several YAML documents/],
  ])("refuses too many %s at once", (_, text, expected) => {
    expect(problemOf(text)).toMatch(expected);
  });

  it("reads 10 MB of text in one field, and refuses more than 16 MiB", () => {
    const script = "# line of a script\n".repeat(550_000);
    const { value, problems } = parse(`script: |\n${script.replaceAll(/^(?=.)/gm, "  ")}`);
    expect(problems).toEqual([]);
    expect((value as { script: string }).script).toBe(script);
    expect(parseYaml(Buffer.alloc(16 * 1024 * 1024 + 1, "#")).problems).toEqual([{ message: "is larger than 16 MiB" }]);
  });

  it("allows 99 levels", () => {
    expect(parse("[".repeat(99) + "]".repeat(99)).problems).toEqual([]);
  });
});

describe("locate", () => {
  const { locate } = parse('# comment\nid: x\n"tags":\n  - a\n  - {b: 1}\nnested: {k:   v}\nüü: 1\n');
  it.each<[string, PropertyKey[], "key" | "value", number, number]>([
    ["a value", ["id"], "value", 2, 5],
    ["a key", ["id"], "key", 2, 1],
    ["an item", ["tags", 1], "value", 5, 5],
    ["a value in an item", ["tags", 1, "b"], "value", 5, 9],
    ["a value in a flow mapping", ["nested", "k"], "value", 6, 15],
    ["what is not there by what is around it", ["nested", "missing"], "value", 6, 9],
    ["what is missing at the top by the first key", ["missing"], "value", 2, 1],
    ["a name with umlauts", ["üü"], "value", 7, 5],
  ])("finds %s", (_, path, part, line, column) => {
    expect(locate(path, part)).toEqual({ line, column });
  });
});
