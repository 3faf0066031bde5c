import { describe, expect, it } from "vitest";
import { didYouMean, suggest } from "../../../src/core/suggest.js";

describe("suggest", () => {
  it.each([
    ["scrpt", ["script", "script_path"], "script"],
    ["script_pth", ["script", "script_path"], "script_path"],
    ["instruction", ["instructions", "description"], "instructions"],
    ["Script", ["script"], "script"],
    ["tag", ["tags", "type"], "tags"],
    ["colour", ["script", "tags"], undefined],
    ["json_schema", ["valid_json", "max_words", "equals"], "valid_json"],
    ["maxOutputWords", ["max_words", "max_chars"], "max_words"],
    ["must_have", ["must_contain", "must_match"], undefined],
    ["", ["id"], undefined],
    ["x", [], undefined],
  ])("for %j among %j is %j", (written, known, expected) => {
    expect(suggest(written, known)).toBe(expected);
  });

  it("is worded for the end of a message", () => {
    expect(didYouMean("scrpt", ["script"])).toBe(" (did you mean 'script'?)");
    expect(didYouMean("colour", ["script"])).toBe("");
  });
});
