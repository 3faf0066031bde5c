import { describe, expect, it } from "vitest";
import { runReportSchema } from "../../src/index.js";
import { check, oneCheck, project } from "../helpers/project.js";

describe("eb run", () => {
  it("passes when the script ends with 0", async () => {
    const p = project(oneCheck("print('fine')"));
    const { code, stdout } = await p.eb(["run"]);
    expect(code).toBe(0);
    expect(stdout).toContain("✓ it");
    expect(stdout).toContain("PASSED  1 of 1 point");
    expect(runReportSchema.parse(p.report())).toMatchObject({ run_passed: true, percentage: 100 });
    expect(p.result("it")).toMatchObject({ status: "passed", score: 1, stdout: "fine\n", exit_code: 0 });
  });

  it("fails when a script ends with anything else, and says where its output is", async () => {
    const p = project({ ...oneCheck("pass"), "eval_checks/b.yml": check("b", "raise ValueError('nope')") });
    const { code, stdout } = await p.eb(["run"]);
    expect(code).toBe(1);
    expect(stdout).toContain("failed: exit code 1: ValueError: nope");
    expect(stdout).toMatch(/stderr: \.eval-banana\/results\/.*\.stderr\.txt/);
    expect(p.report()).toMatchObject({ percentage: 50, failed_checks: 1, run_passed: false });
  });
});
