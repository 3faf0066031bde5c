import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { check, fileCheck, oneCheck, project } from "../helpers/project.js";

describe("surroundings that break other programs", () => {
  it("a locale without Unicode lets scripts print and read it", async () => {
    const p = project({
      ...oneCheck("import sys\nprint('✓ 你')\nprint('✗ ü', file=sys.stderr)\nassert open('ü.txt').read() == '你'"),
      "ü.txt": "你",
    });
    const { code } = await p.eb(["run"], { env: { LC_ALL: "C", LANG: "C" } });
    expect(p.result("it")).toMatchObject({ status: "passed", stdout: "✓ 你\n", stderr: "✗ ü\n" });
    expect(code).toBe(0);
  });

  it("paths with blanks, signs and umlauts work", async () => {
    const where = "-a b/#1 %20/ü:d'\"$HOME/eval_checks";
    const p = project({
      [`${where}/inline.yaml`]: check("inline", "import os, sys; print(os.environ['EVAL_BANANA_PROJECT_ROOT'])"),
      [`${where}/-dir/file.yaml`]: fileCheck("file", "- it%20:#ü.py"),
      [`${where}/-dir/- it%20:#ü.py`]: "import sibling\nprint(__file__)",
      [`${where}/-dir/sibling.py`]: "",
    });
    const root = p.path(where, "..");
    const { code } = await p.eb(["run", "--output-dir", "-out/#%20:ü"], { cwd: root });
    expect(code).toBe(0);
    const { stdout } = await p.eb(["run", "--json"], { cwd: root });
    const report = JSON.parse(stdout);
    expect(report).toMatchObject({ project_root: root, passed_checks: 2 });
    const printed = report.checks.map(({ stdout }: { stdout: string }) => stdout);
    expect(printed).toEqual([`${join(root, "eval_checks/-dir/- it%20:#ü.py")}\n`, `${root}\n`]);
  });

  it("a large environment reaches the script", async () => {
    const many = Object.fromEntries(Array.from({ length: 400 }, (_, i) => [`BIG_${i}`, "x".repeat(1000)]));
    const p = project(oneCheck("import os; print(sum(len(v) for k, v in os.environ.items() if k.startswith('BIG_')))"));
    await p.eb(["run"], { env: { ...many, BIG_LONG: "x".repeat(100_000) } });
    expect(p.result("it").stdout).toBe("500000\n");
  });
});
