import { describe, expect, it } from "vitest";
import { checksView } from "../../../../src/report/checks-view.js";
import { jsonDocument } from "../../../../src/report/reporters/json.js";
import { expectNoCommands, HOSTILE } from "../../../helpers/hostile.js";
import { result, runEnd } from "../../../helpers/results.js";

describe("jsonDocument", () => {
  it("is the summary and the results, whatever text they hold, and no command to GitHub's runner", () => {
    const results = [
      result({ stdout: `${HOSTILE}\ud800 \\##[error]x`, description: HOSTILE }),
      result({ check_id: "b" }),
    ];
    const end = runEnd(() => results);
    const text = [...jsonDocument(end, checksView)].join("");
    expect(JSON.parse(text)).toEqual({ ...end.summary, checks: results });
    expectNoCommands(text);
  });

  it("is indented as JSON.stringify would", () => {
    const results = [result({ tags: ["a"], details: { nested: { list: [1, "x"] } } })];
    const end = runEnd(() => results);
    expect([...jsonDocument(end, checksView)].join("")).toBe(
      `${JSON.stringify({ ...end.summary, checks: results }, null, 2)}\n`,
    );
  });
});
