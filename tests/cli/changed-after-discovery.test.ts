import { describe, expect, it } from "vitest";
import { check, fileCheck, project } from "../helpers/project.js";

/** A check that edits the file of the next one, which is then run after it. */
async function runEdited(edit: string) {
  const p = project({
    "eval_checks/a.yaml": check("a", `from pathlib import Path\nlater = Path("eval_checks/b.yaml")\n${edit}`),
    "eval_checks/b.yaml": check("b", "print('original')"),
    "eval_checks/c.yaml": check("c", "open('c-ran', 'w')"),
  });
  return { p, ...(await p.eb(["run", "--max-parallel-checks", "1"])) };
}

describe("a check file that is edited while its run goes on", () => {
  it.each([
    ["another script", "later.write_text(later.read_text().replace('original', 'edited'))"],
    ["another description", "later.write_text(later.read_text().replace('Checks b', 'Checks c'))"],
    ["a time limit", "later.write_text(later.read_text() + 'timeout_seconds: 5\\n')"],
    ["no YAML", "later.write_text('a: [')"],
    ["nothing: it is gone", "later.unlink()"],
  ])("stops the run when it comes to mean something else: %s", async (_, edit) => {
    const { p, code, stderr } = await runEdited(edit);
    expect(code).toBe(2);
    expect(stderr).toContain(`error: changed after discovery: ${p.path("eval_checks/b.yaml")}`);
    expect(stderr).toContain("hint: ");
    expect(stderr).not.toContain("    at ");
    const report = p.report();
    expect(report).toMatchObject({ total_checks: 3, passed_checks: 1, errored_checks: 2, run_passed: false });
    expect(p.result("a").status).toBe("passed");
    expect(p.result("b")).toMatchObject({
      status: "error",
      check_definition_sha256: null,
      error_detail: `changed after discovery: ${p.path("eval_checks/b.yaml")}`,
    });
    expect(p.result("c")).toMatchObject({ status: "error", error_detail: "interrupted" });
    expect(p.has("c-ran")).toBe(false);
  });

  it.each([
    ["a comment", "later.write_text('# a comment\\n' + later.read_text())"],
    [
      "another order and other quotes",
      "later.write_text('\"description\": \\'Checks b\\'\\n' + later.read_text().replace('description: Checks b\\n', ''))",
    ],
  ])("runs when it means the same: %s", async (_, edit) => {
    const { p, code } = await runEdited(edit);
    expect(code).toBe(0);
    expect(p.result("b").stdout).toBe("original\n");
  });

  it("may be taken away once its check runs", async () => {
    const p = project({
      "eval_checks/a.yaml": fileCheck("a", "a.py"),
      "eval_checks/a.py": "import os\nos.unlink('eval_checks/a.yaml')\nos.unlink(__file__)\nprint('fine')\n1/0",
    });
    await p.eb(["run"]);
    expect(p.result("a")).toMatchObject({ status: "failed", stdout: "fine\n" });
    expect(p.result("a").stderr).toContain("\n    1/0\n");
  });
});
