import { describe, expect, it } from "vitest";
import { printable } from "../../../../src/core/text.js";
import { checksView } from "../../../../src/report/checks-view.js";
import { markdownDocument } from "../../../../src/report/reporters/markdown.js";
import type { CheckResult } from "../../../../src/report/schema.js";
import { expectInert, HOSTILE } from "../../../helpers/hostile.js";
import { expectOnlyReportElements, renderMarkdown, unescapeHtml } from "../../../helpers/markdown.js";
import { result, runEnd } from "../../../helpers/results.js";

function render(results: CheckResult[]): string {
  return [
    ...markdownDocument(
      runEnd(() => results),
      checksView,
    ),
  ].join("");
}

const failed = (more: Partial<CheckResult>) => result({ status: "failed", reason: "no", ...more });

describe("markdownDocument", () => {
  it("shows text that tries to be markup as text", () => {
    const markdown = render([
      failed({ description: HOSTILE, reason: HOSTILE, stdout: HOSTILE, stderr: HOSTILE, source_path: `/p/${HOSTILE}` }),
      result({ check_id: "fine" }),
    ]);
    expectInert(markdown);
    const page = renderMarkdown(markdown);
    expectOnlyReportElements(page);
    expect(page.rows.map((row) => row.length)).toEqual([5, 5, 5]);
    expect([page.tags.get("h1"), page.tags.get("h2"), page.tags.get("h3"), page.tags.get("details")]).toEqual([
      1, 1, 1, 2,
    ]);
    // What was printed is all there, in the block.
    const blocks = [...page.html.matchAll(/<code class="language-text">(.*?)<\/code>/gs)];
    expect(blocks.map(([, code = ""]) => unescapeHtml(code).trimEnd())).toEqual([
      printable(HOSTILE),
      printable(HOSTILE),
    ]);
  });

  it.each(HOSTILE.split("\n"))("shows %j in a cell, a list and a block as it is", (line) => {
    const page = renderMarkdown(render([failed({ reason: line, description: line, stdout: line })]));
    expectOnlyReportElements(page);
    const shown = printable(line).trim();
    const cell = page.rows[1]?.at(-1)?.replaceAll("\u200b", "");
    // A cell may be cut, and a web address becomes a link.
    if (shown.length < 200 && !page.tags.has("a")) expect(cell).toBe(shown);
    expect(page.tags.get("h3")).toBe(1);
  });

  it.each([1, 3, 4, 500])("puts output with %i backticks in a row into one block", (length) => {
    const page = renderMarkdown(render([failed({ stdout: `a\n${"`".repeat(length)}\n# b\n<img>` })]));
    expectOnlyReportElements(page);
    expect(page.tags.get("pre")).toBe(1);
    expect(page.tags.get("h1")).toBe(1);
  });

  it("cuts 1 MB on one line in the table and the list", () => {
    const text = "x|`<b>".repeat(170_000);
    const markdown = render([failed({ reason: text, description: text })]);
    expect(markdown.length).toBeLessThan(10_000);
    expectOnlyReportElements(renderMarkdown(markdown));
  });

  it("names no one and no issue on GitHub", () => {
    const { html } = renderMarkdown(render([failed({ reason: "@octocat see #12 and a@b.c" })]));
    expect(html).toContain("see ");
    expect(unescapeHtml(html)).not.toMatch(/@\w|#\d/);
  });

  it.each(["-", "---", "_judge_", "__proto__", "1", "a".repeat(600)])("takes the id %s for a name only", (id) => {
    const page = renderMarkdown(render([failed({ check_id: id })]));
    expect(page.html).toContain(`<h3>${id}</h3>`);
    expect(page.rows[1]?.[0]).toBe(id);
  });

  it("sums up the checks that never ran instead of listing them", () => {
    const stopped = (id: string) => result({ check_id: id, status: "error", error_detail: "interrupted" });
    const markdown = render([failed({ check_id: "bad" }), stopped("b"), stopped("c")]);
    expect(markdown.match(/^### .*/gm)).toEqual(["### bad"]);
    expect(markdown).toContain("2 checks did not end: the run was stopped.");
  });

  it("has no section of failures when all passed", () => {
    expect(render([result()])).not.toContain("## What did not pass");
  });
});
