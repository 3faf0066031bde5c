import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { expectInert } from "../helpers/hostile.js";
import { describedCheck, hostileProject } from "../helpers/hostile-project.js";
import { expectOnlyReportElements, renderMarkdown } from "../helpers/markdown.js";
import { check, oneCheck, type Project, project } from "../helpers/project.js";

const reportMd = (p: Project) => readFileSync(join(p.runDir(), "report.md"), "utf8");

/** Interrupts eb, whoever of its processes is the parent. */
const INTERRUPT = `import os, signal, time
pid = os.getpid()
while b"main.cjs" not in open(f"/proc/{pid}/cmdline", "rb").read():
    pid = int(open(f"/proc/{pid}/stat").read().rpartition(")")[2].split()[1])
os.kill(pid, signal.SIGINT)
time.sleep(20)`;

describe("report.md", () => {
  it("has the verdict, a row for each check, and a section for each that did not pass", async () => {
    const p = project({
      ...oneCheck("pass"),
      "eval_checks/bad.yaml": check("bad", "raise SystemExit('3 links are dead')"),
    });
    await p.eb(["run"]);
    const markdown = reportMd(p);
    expect(markdown).toMatch(/^# ❌ Not passed: 1 of 2 points, 50\.0%\n/);
    const { rows, html } = renderMarkdown(markdown);
    expect(rows.map(([id, type, status]) => [id, type, status])).toEqual([
      ["check", "type", "status"],
      ["bad", "deterministic", "❌ failed"],
      ["it", "deterministic", "✅ passed"],
    ]);
    expect(rows[1]?.at(-1)).toBe("exit code 1: 3 links are dead");
    expect([...html.matchAll(/<h3>(.*?)<\/h3>/g)].map(([, id]) => id)).toEqual(["bad"]);
    expect(html).toMatch(/<details><summary>stderr<\/summary>.*3 links are dead.*<\/details>/s);
  });

  it("shows hostile descriptions, output and reasons as text", async () => {
    const p = hostileProject();
    await p.eb(["run"]);
    const markdown = reportMd(p);
    expectInert(markdown);
    const page = renderMarkdown(markdown);
    expectOnlyReportElements(page);
    expect(page.rows.map((row) => row.length)).toEqual([5, 5]);
    expect([page.tags.get("h1"), page.tags.get("h2"), page.tags.get("h3")]).toEqual([1, 1, 1]);
    expect(page.tags.get("img")).toBeUndefined();
    expect(page.rows[1]?.at(-1)).toContain("</script>|<img src=x onerror=alert(1)>");
  });

  it("stays small with 1 MB on one line in the description, on both streams and in the reason", async () => {
    const script = "import sys\nprint('|<b>`' * 250_000)\nprint('|<i>`' * 250_000, file=sys.stderr)\nexit(1)";
    const p = project({ "eval_checks/it.yaml": describedCheck("it", "|<u>`".repeat(200_000), script) });
    await p.eb(["run"]);
    const markdown = reportMd(p);
    expect(markdown.length).toBeLessThan(20_000);
    const page = renderMarkdown(markdown);
    expectOnlyReportElements(page);
    expect(page.rows.map((row) => row.length)).toEqual([5, 5]);
  });

  it("sums up what an interruption left", async () => {
    const many = Array.from({ length: 30 }, (_, n) => [`eval_checks/z${n}.yaml`, check(`z${n}`, "pass")]);
    const p = project({
      "eval_checks/a.yaml": check("a", INTERRUPT),
      ...Object.fromEntries(many),
    });
    const { code, stdout } = await p.eb(["run", "--max-parallel-checks", "1"]);
    expect(code).toBe(130);
    expect(reportMd(p).match(/^### /gm)).toBeNull();
    expect(reportMd(p)).toMatch(/^# ⚠️ Interrupted, not passed: 0 of 31 points/);
    expect(reportMd(p)).toContain("- Checks: 0 passed, 0 failed, 0 errors, 31 interrupted\n");
    expect(reportMd(p)).toContain("31 checks did not end: the run was stopped.");
    expect(stdout.trim().split("\n")).toEqual([
      "! 31 checks did not end: the run was stopped",
      "",
      expect.stringMatching(/^INTERRUPTED {2}0 of 31 points · 0\.0%, 100% needed · 31 interrupted · /),
      expect.stringMatching(/^report: /),
    ]);
  });
});
