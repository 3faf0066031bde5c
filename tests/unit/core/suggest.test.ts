import { describe, expect, it } from "vitest";
import { didYouMean, nearest } from "../../../src/core/suggest.js";

describe("nearest", () => {
  it.each([
    ["scrpt", ["script", "script_path"], "script"],
    ["script_pth", ["script", "script_path"], "script_path"],
    ["instruction", ["instructions", "description"], "instructions"],
    ["Script", ["script"], "script"],
    ["tag", ["tags", "type"], "tags"],
    ["colour", ["script", "tags"], undefined],
    ["json_schema", ["valid_json", "max_words", "equals"], undefined],
    ["", ["id"], undefined],
    ["x", [], undefined],
  ])("for %j among %j is %j", (written, known, expected) => {
    expect(nearest(written, known)).toBe(expected);
  });
});

describe("didYouMean", () => {
  it.each([
    ["json_schema", ["valid_json", "max_words", "equals"], "valid_json"],
    ["maxOutputWords", ["max_words", "max_chars"], "max_words"],
  ])("also finds the one name of the same words: %j among %j", (written, known, expected) => {
    expect(didYouMean(written, known)).toBe(` (did you mean '${expected}'?)`);
  });

  it("says nothing where several have as many of its words", () => {
    expect(didYouMean("must_have", ["must_contain", "must_match"])).toBe("");
  });

  it("is worded for the end of a message", () => {
    expect(didYouMean("scrpt", ["script"])).toBe(" (did you mean 'script'?)");
    expect(didYouMean("colour", ["script"])).toBe("");
  });
});
