import { describe, expect, it } from "vitest";
import { parseJson } from "../../../src/core/json.js";

describe("parseJson", () => {
  const text = '{"a": "x\\"y",\n "b/c": [1,\n  {"d~": {"e": null}}, []]}';

  it("makes what JSON.parse makes", () => {
    expect(parseJson(text)).toMatchObject({ value: JSON.parse(text), problems: [] });
  });

  it.each<[PropertyKey[], "key" | "value", number, number]>([
    [[], "value", 1, 1],
    [["a"], "value", 1, 7],
    [["a"], "key", 1, 2],
    [["b/c"], "key", 2, 2],
    [["b/c", 0], "value", 2, 10],
    [["b/c", 1, "d~"], "key", 3, 4],
    [["b/c", 1, "d~", "e"], "value", 3, 16],
    [["b/c", 2], "value", 3, 24],
    // What is missing: where it would be.
    [["b/c", 1, "other", "e"], "value", 3, 3],
    [["nothing"], "value", 1, 1],
  ])("says where %j stands (%s)", (path, part, line, column) => {
    expect(parseJson(text).locate(path, part)).toEqual({ line, column });
  });

  it.each<[string, number, number, RegExp]>([
    ["", 1, 1, /^not valid JSON: Unexpected end/],
    ['{"a": 1,}', 1, 9, /^not valid JSON: .*property name/],
    ["[1,\n 2", 2, 3, /^not valid JSON: /],
    ['["a\nb"]', 1, 4, /^not valid JSON: Bad control character in string literal$/],
    ['{"a":\n [1, }, 2]}', 2, 6, /^not valid JSON: Unexpected token '}'$/],
    [`{"a": "${"x".repeat(500)}", "b": tru}`, 1, 519, /^not valid JSON: Unexpected token '}'$/],
    ["x", 1, 1, /^not valid JSON: Unexpected token 'x'$/],
    ["[1] 2", 1, 5, /^not valid JSON: Unexpected non-whitespace character after JSON$/],
    ['[{"a": 1,\n"a": 2}]', 2, 1, /^the same key stands twice in one object$/],
    ['{"a": 1, "\\u0061": 2}', 1, 10, /^the same key stands twice/],
    [`${"[".repeat(101)}${"]".repeat(101)}`, 1, 101, /^is nested too deeply: more than 100 levels$/],
  ])("says what is wrong with %j, and where", (wrong, line, column, message) => {
    expect(parseJson(wrong).problems).toEqual([{ line, column, message: expect.stringMatching(message) }]);
  });

  it("takes the same key in different objects, and brackets in strings", () => {
    expect(parseJson('[{"a": "}]"}, {"a": "{\\\\"}]').problems).toEqual([]);
  });

  it("is linear in what is large: a list of many, and one string of many escapes", () => {
    const many = JSON.stringify(Array.from({ length: 50_000 }, (_, id) => ({ id })));
    const parsed = parseJson(many);
    expect(parsed.locate([49_999, "id"])).toEqual({ line: 1, column: many.lastIndexOf("49999") + 1 });
    expect(parseJson(JSON.stringify(['"\n'.repeat(2e6), 1])).locate([1])).toEqual({ line: 1, column: 8e6 + 5 });
  });
});
