import { describe, expect, it } from "vitest";
import { checksView } from "../../../../src/report/checks-view.js";
import { htmlDocument } from "../../../../src/report/reporters/html.js";
import type { CheckResult } from "../../../../src/report/schema.js";
import type { PageData } from "../../../../src/viewer/page-data.js";
import { result, runEnd } from "../../../helpers/results.js";

function pageOf(results: () => Iterable<CheckResult>, more = {}) {
  const options = { view: checksView, path: "/p/out/report.html", again: "eb run", ...more };
  return [...htmlDocument(runEnd(results), options)].join("");
}

function dataOf(page: string): PageData {
  return JSON.parse(/<script type="application\/json" id="data">(.*?)<\/script>/s.exec(page)?.[1] ?? "");
}

describe("htmlDocument", () => {
  it("holds what is said of the run and of every item", () => {
    const { run, items } = dataOf(
      pageOf(() => [
        result({ check_id: "bad", status: "failed", reason: "no", tags: ["x"], stdout: "</script><!--" }),
        result({ check_id: "stopped", status: "error", error_detail: "interrupted" }),
      ]),
    );
    expect(run).toMatchObject({ passed: false, interrupted: 1, score: { value: 0, needed: 1 }, noun: "check" });
    expect(items[0]).toMatchObject({ id: "bad", why: "no", tags: ["x"], again: "eb run --check-id bad", marks: [] });
    expect(items[0]?.blocks).toContainEqual({ kind: "text", title: "Standard output", text: "</script><!--" });
    expect(items[1]?.marks).toEqual(["interrupted"]);
  });

  it("links files only from the directory of the run", () => {
    const kinds = (path: string) =>
      dataOf(pageOf(() => [result()], { path })).items[0]?.blocks?.map(({ kind }) => kind);
    expect(kinds("/p/out/report.html")).toContain("files");
    expect(kinds("/p/elsewhere.html")).not.toContain("files");
    expect(kinds("-")).not.toContain("files");
  });

  it("leaves out first the details of what passed where there is too much of everything", () => {
    function* many() {
      const text = "x".repeat(4000);
      for (let n = 0; n < 1000; n++)
        yield result({ check_id: `c${n}`, status: n % 2 ? "passed" : "failed", stdout: text, stderr: text });
    }
    const page = pageOf(many, { mostDetails: 320e3 });
    expect(page.length).toBeLessThan(1.5e6);
    const { items } = dataOf(page);
    expect(items).toHaveLength(1000);
    expect(items[1]?.blocks).not.toBeNull();
    const without = (status: string) => items.findIndex((item) => item.blocks === null && item.status === status);
    expect(without("passed")).toBeGreaterThan(1);
    expect(without("failed")).toBeGreaterThan(without("passed"));
  });
});
