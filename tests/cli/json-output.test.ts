import { describe, expect, it } from "vitest";
import { expectNoCommands } from "../helpers/hostile.js";
import { hostileProject } from "../helpers/hostile-project.js";
import { check, oneCheck, project } from "../helpers/project.js";

describe("eb run --json", () => {
  it("prints one JSON document on standard output: the report", async () => {
    const p = project({ ...oneCheck("print('x' * 5000)"), "eval_checks/b.yaml": check("bad", "exit(1)") });
    const { code, stdout, stderr } = await p.eb(["run", "--json"]);
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toEqual(p.report());
    expect(stderr).toBe("");
  });

  it("prints it once when a reporter asks for the same", async () => {
    const p = project(oneCheck("pass"));
    const { stdout } = await p.eb(["run", "--json", "--reporter", "json:-", "--reporter", "json:-"]);
    expect(JSON.parse(stdout)).toEqual(p.report());
  });

  it("prints it when the run is interrupted, too", async () => {
    const script = "import os, signal, time\nos.kill(os.getppid(), signal.SIGTERM)\ntime.sleep(20)";
    const p = project(oneCheck(script));
    const { code, stdout, stderr } = await p.eb(["run", "--json"]);
    expect(code).toBe(143);
    expect(JSON.parse(stdout)).toEqual(p.report());
    expect(JSON.parse(stdout).checks[0].error_detail).toBe("interrupted");
    expect(stderr).toContain("SIGTERM: ending what runs");
  });

  it("is a document that says why when there is no run", async () => {
    const { code, stdout, stderr } = await project({ "eval_checks/a.yaml": "id: 1" }).eb(["run", "--json"]);
    expect(code).toBe(2);
    expect(JSON.parse(stdout)).toMatchObject({
      error: { code: "invalid_checks", message: "some checks are not valid" },
    });
    expect(JSON.parse(stdout).error.problems.length).toBeGreaterThan(0);
    expect(stderr).toContain("some checks are not valid");
  });

  it("moves the lines for people to standard error where they are asked for", async () => {
    const p = project(oneCheck("pass"));
    const { stdout, stderr } = await p.eb(["run", "--json", "--reporter", "console"]);
    expect(JSON.parse(stdout)).toEqual(p.report());
    expect(stderr).toContain("✓ it");
    expect(stderr).toContain("PASSED  1 of 1 point");
  });

  it("prints nothing that GitHub's runner would take for a command", async () => {
    const p = hostileProject();
    const { stdout } = await p.eb(["run", "--json"]);
    expectNoCommands(stdout);
    expect(JSON.parse(stdout).checks[0].stdout).toContain("before ##[error]injected");
  });
});
