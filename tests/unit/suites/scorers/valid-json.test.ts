import { describe, expect, it } from "vitest";
import type { Json } from "../../../../src/suites/json.js";
import { compileSchema } from "../../../../src/suites/scorers/valid-json.js";
import { scoreOne } from "../../../helpers/scored-trial.js";

const score = (output: string, schema?: Json, stripFences = false) =>
  scoreOne({ type: "valid_json", stripFences, ...(schema !== undefined && { schema }) }, { output });
const reason = async (output: string, schema?: Json) => (await score(output, schema)).reason;

describe("valid_json", () => {
  it.each(["0", "false", "null", '""', " [1]\n", '{"a": {}}'])("takes %s", async (output) => {
    expect((await score(output)).status).toBe("passed");
  });

  it.each(["", "hello", "{'a': 1}", "[1,]", "NaN", "{} and more", "{}{}"])("does not take %j", async (output) => {
    expect((await score(output)).status).toBe("failed");
  });

  it("says where it is none", async () => {
    expect(await reason("")).toBe("the output is empty");
    expect(await reason('[1, 2 "x"]')).toMatch(/^the output is not valid JSON \(at position 6 of "\[1, 2 "x"\]"\)$/);
  });

  it.each([
    ["```json\n[1]\n```", true],
    ["```\n[1]\n```\n", true],
    ["````JSON5\n[1]\n````", true],
    ["~~~\n[1]\n~~~", true],
    ["[1]", true],
    ["```json\n[1]", false],
    ["```json\n[1]\n````", false],
    ["Here it is:\n```json\n[1]\n```", false],
    ["```json\n[1]\n```\n```json\n[2]\n```", false],
  ])("with strip_fences takes %j: %s", async (output, holds) => {
    expect((await score(output, undefined, true)).status).toBe(holds ? "passed" : "failed");
  });

  it("takes a fence of any kind in linear time", async () => {
    const ticks = "`".repeat(500_000);
    const clock = performance.now();
    expect((await score(`${ticks}\n${ticks}`, undefined, true)).status).toBe("failed");
    expect((await score("```\n".repeat(200_000), undefined, true)).status).toBe("failed");
    expect(performance.now() - clock).toBeLessThan(2_000);
    expect((await score("```json\r\n[1]\r\n```", undefined, true)).status).toBe("passed");
    expect((await score("```\n```", undefined, true)).status).toBe("failed");
  });

  it("without it names it", async () => {
    expect(await reason("```json\n[1]\n```")).toMatch(/it stands in a code fence: strip_fences: true allows that$/);
    expect(await reason("```json\n[1]")).not.toContain("strip_fences");
  });
});

describe("the JSON Schema", () => {
  const schema: Json = {
    type: "object",
    properties: { price: { type: "number", minimum: 0 }, kind: { enum: ["a", "b"] } },
    required: ["price"],
    additionalProperties: false,
  };

  it.each<[output: string, reason: string]>([
    ['{"price": 1}', ""],
    ['{"price": "1"}', 'at /price: it must be number, found "1"'],
    ["{}", "at the top: it must have required property 'price'"],
    ['{"price": 1, "kind": "c"}', 'at /kind: it must be equal to one of the allowed values: ["a","b"], found "c"'],
    ['{"price": 1, "x": 1}', 'at the top: it must NOT have additional properties: "x"'],
    [
      '{"price": -1, "kind": 1}',
      'at /price: it must be >= 0, found -1; at /kind: it must be equal to one of the allowed values: ["a","b"], found 1',
    ],
  ])("says of %s: %j", async (output, expected) => expect(await reason(output, schema)).toBe(expected));

  it("shows three errors at most", async () => {
    const text = await reason('["a", "b", "c", "d", "e"]', { items: { type: "number" } });
    expect(text.split("; ")).toHaveLength(4);
    expect(text).toMatch(/; and 2 more$/);
  });

  it("may be true or false", async () => {
    expect((await score("1", true)).status).toBe("passed");
    expect((await score("1", false)).status).toBe("failed");
  });

  it("is of draft 2020-12, or of the one it names", async () => {
    const tuple = { items: [{ type: "number" }] };
    const draft7 = { $schema: "http://json-schema.org/draft-07/schema#", ...tuple };
    expect((await score('["x"]', draft7)).status).toBe("failed");
    expect((await score("[1]", draft7)).status).toBe("passed");
    expect((await score('["x"]', { prefixItems: [{ type: "number" }] })).status).toBe("failed");
    const draft2019 = { $schema: "https://json-schema.org/draft/2019-09/schema", ...tuple };
    expect((await score('["x"]', draft2019)).status).toBe("failed");
    expect(await reason("[1]", tuple)).toMatch(/^the JSON Schema can't be used: schema is invalid: .*items/);
    expect(await reason("[1]", { $schema: "http://json-schema.org/draft-04/schema#" })).toContain("unknown $schema");
  });

  it.each<[Json, string]>([
    [{ type: "strnig" }, "schema is invalid"],
    [{ $ref: "https://example.org/other.json" }, "can't resolve reference"],
    [{ $async: true, type: "number" }, "$async is not supported"],
    [{ pattern: "(" }, "Invalid regular expression"],
    ["number", "expected a mapping"],
    [[], "expected a mapping"],
    [null, "expected a mapping"],
  ])("that can't be used is a failure: %j", async (schema, expected) => {
    expect(await score('"x"', schema)).toMatchObject({ status: "failed", reason: expect.stringContaining(expected) });
  });

  it("lets no format be checked, and knows names that are in it", async () => {
    expect((await score('"x"', { type: "string", format: "email" })).status).toBe("passed");
    const named = (type: string): Json => ({
      $id: "https://example.org/a",
      $ref: "#/$defs/x",
      $defs: { x: { $id: "b", type } },
    });
    expect((await score("1", named("number"))).status).toBe("passed");
    expect((await score("1", named("string"))).status).toBe("failed");
  });

  it("with a pattern that backtracks without end is stopped", async () => {
    const text = await reason(`"${"a".repeat(60)}b"`, { pattern: "^(a+)+$" });
    expect(text).toContain("could not be applied: it was stopped after 1000 ms");
  });

  it("holds each text to its own pattern", async () => {
    const schema = {
      properties: { a: { pattern: "^a" }, b: { pattern: "^b" } },
      patternProperties: { "^n": { type: "number" } },
    };
    expect((await score('{"a": "a", "b": "b", "n": 1}', schema)).status).toBe("passed");
    expect(await reason('{"a": "b", "b": "a", "n": ""}', schema)).toBe(
      'at /a: it must match pattern "^a", found "b"; at /b: it must match pattern "^b", found "a"; at /n: it must be number, found ""',
    );
  });

  it("copes with what is nested without end", async () => {
    const deep = `${"[".repeat(100_000)}${"]".repeat(100_000)}`;
    const text = await reason(deep, { $ref: "#/$defs/x", $defs: { x: { items: { $ref: "#/$defs/x" } } } });
    expect(text).toContain("could not be applied");
  });

  it("is compiled once for the same content", async () => {
    const make = (): Json => ({ type: "object", required: ["once"] });
    expect(await compileSchema(make())).toBe(await compileSchema(make()));
  });
});
