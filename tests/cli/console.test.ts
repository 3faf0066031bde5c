import { existsSync } from "node:fs";
import { execa } from "execa";
import { describe, expect, it } from "vitest";
import { expectInert } from "../helpers/hostile.js";
import { describedCheck, hostileProject } from "../helpers/hostile-project.js";
import { check, cleanEnv, EB, oneCheck, type Project, project } from "../helpers/project.js";
import { ebOnTerminal } from "../helpers/terminal.js";

const ESCAPE = "\u001b";

/** Escape sequences for colours only. */
const COLOR = new RegExp(`${ESCAPE}\\[[0-9;]*m`);
/** Escape sequences that move the cursor, erase or hide. */
const DRAWING = new RegExp(`${ESCAPE}\\[[0-9?]*[A-HJKlh]`);

function failing(count: number): Project {
  const files = Array.from({ length: count }, (_, n) => [`eval_checks/${n}.yaml`, check(`c${n}`, "exit(1)")]);
  return project({ ...Object.fromEntries(files), ...oneCheck("pass") });
}

/** Runs a shell line in which `$EB` is the program. */
function shell(p: Project, line: string) {
  const env = cleanEnv({ EB: `${process.execPath} ${EB}` });
  return execa("bash", ["-c", line], { cwd: p.root, extendEnv: false, env, stdin: "ignore", reject: false });
}

describe("off a terminal", () => {
  it("prints one plain line per finished check, then the verdict and where the run is", async () => {
    const p = project({ ...oneCheck("print('hi')"), "eval_checks/a.yaml": check("also", "pass") });
    const { stdout, stderr } = await p.eb(["run"]);
    const lines = stdout.split("\n");
    expect(lines.slice(0, 2).sort()).toEqual([
      expect.stringMatching(/^✓ also \d+(\.\d)? m?s$/),
      expect.stringMatching(/^✓ it \d+(\.\d)? m?s$/),
    ]);
    expect(lines.slice(2)).toEqual([
      "",
      expect.stringMatching(/^PASSED {2}2 of 2 points · 100\.0%, 100% needed · \d+(\.\d)? m?s$/),
      `report: .eval-banana/results/${p.report().run_id}/report.html · report.md`,
      "",
    ]);
    expect(stderr).toBe("");
  });

  it("says for each check that did not pass why, where its output is, and how to run it again", async () => {
    const p = project({
      "eval_checks/a.yaml": check("bad", "print('one')\nprint('two')\nexit(3)"),
      "eval_checks/b.yaml": check("broken", "import os; os.kill(os.getpid(), 9)"),
      "eval_checks/c.yaml": check("raises", "x = {}\nx['key']"),
    });
    const { stdout } = await p.eb(["run"]);
    const stem = (id: string, stream: string) =>
      `.eval-banana/results/${p.report().run_id}/${p.result(id).details[`${stream}_path`]}`;
    const [, bad, broken, raises, end] = stdout.split("\n\n");
    expect(bad?.split("\n")).toEqual([
      "✗ bad",
      "  Checks bad",
      "  failed: exit code 3",
      "    │ one",
      "    │ two",
      "  check:  eval_checks/a.yaml",
      `  stdout: ${stem("bad", "stdout")}`,
      "  again:  eb run --check-id bad",
    ]);
    expect(existsSync(p.path(stem("bad", "stdout")))).toBe(true);
    expect(broken?.split("\n")).toEqual([
      "! broken",
      "  Checks broken",
      "  error: the script was killed by SIGKILL",
      "  check:  eval_checks/b.yaml",
      "  again:  eb run --check-id broken",
    ]);
    expect(raises).toContain("  failed: exit code 1: KeyError: 'key'\n    │ ");
    // The line that the reason quotes is not said twice.
    expect(raises?.match(/KeyError/g)).toHaveLength(1);
    expect(raises).toContain("x['key']");
    expect(end).toMatch(/^NOT PASSED {2}0 of 3 points · 0\.0%, 100% needed · 2 failed · 1 error · /);
  });

  it("the line to run a check again works, for an id that looks like an option too", async () => {
    const p = project({ "eval_checks/a.yaml": check("-x", "exit(1)"), "eval_checks/b.yaml": check("b", "pass") });
    const { stdout } = await p.eb(["run"]);
    const again = /again: {2}eb (.*)/.exec(stdout)?.[1]?.split(" ") ?? [];
    expect((await p.eb(again)).stdout).toContain("0 of 1 point");
  });

  it("the line to run a check again works from outside of the project, too", async () => {
    const p = project({ "my project/eval_checks/a.yaml": check("a", "exit(1)") });
    const { stdout } = await p.eb(["run", "--cwd", "my project"]);
    const again = await shell(p, `$EB ${/again: {2}eb (.*)/.exec(stdout)?.[1]}`);
    expect(again.stdout).toContain("0 of 1 point");
  });

  it("prints an error about files with hostile names inertly", async () => {
    const names = ["::error::x.yaml", "\u001b[2Jx.yaml", "x\nPASSED.yaml"];
    const p = project(Object.fromEntries(names.map((name) => [`eval_checks/${name}`, "id: 1"])));
    p.write({ ".eval-banana/config.toml": "" });
    const { code, stderr } = await p.eb(["run"], { cwd: p.path("eval_checks") });
    expect(code).toBe(2);
    expect(stderr).toContain("·::error::x.yaml:1:");
    expect(stderr).toContain("x ⏎ PASSED.yaml:1:");
    expectInert(stderr);
  });

  it("lists 50 failures and sums up the rest", async () => {
    const { stdout } = await failing(53).eb(["run", "--max-parallel-checks", "8"]);
    const listed = stdout.slice(stdout.indexOf("\n\n"));
    expect(listed.match(/^✗ c\d+$/gm)).toHaveLength(50);
    expect(listed).toContain("… and 3 more that did not pass; all are in report.md\n");
    expect(stdout).toContain("53 failed");
  });

  it("prints hostile text inertly, each in its line", async () => {
    const { stdout, stderr } = await hostileProject().eb(["run"]);
    expectInert(stdout + stderr);
    expect(stdout.split("\n").filter((line) => /^(✓|PASSED)/.test(line))).toEqual([]);
  });

  it("cuts 1 MB on one line", async () => {
    const p = project({ "eval_checks/it.yaml": describedCheck("it", "d ".repeat(500_000), "exit('x' * 1_000_000)") });
    const { stdout } = await p.eb(["run"]);
    expect(stdout.length).toBeLessThan(3000);
  });
});

describe("a reader that goes away", () => {
  it.each(["$EB run | head -1", "$EB run 2>&1 | head -1", "$EB run --json | head -1", "$EB run 2>&1 | true"])(
    "does not end the run: %s",
    async (line) => {
      const p = failing(2);
      const { stdout, stderr } = await shell(p, `set -o pipefail; ${line}; echo "status \${PIPESTATUS[0]}"`);
      expect(stdout).toMatch(/status 1$/);
      expect(stderr).toBe("");
      expect(p.report()).toMatchObject({ total_checks: 3, failed_checks: 2 });
    },
  );

  it("does not end the run when standard error is gone and there is something to say", async () => {
    const p = project(oneCheck("pass"));
    const line = `$EB run --reporter junit:/dev/null/x 2>&1 >/dev/null | true; echo "status \${PIPESTATUS[0]}"`;
    expect((await shell(p, line)).stdout).toBe("status 2");
    expect(p.report().run_passed).toBe(true);
  });

  it.skipIf(!existsSync("/dev/full"))("is told apart from a full disk, which is said once", async () => {
    const p = failing(2);
    const { exitCode, stderr } = await shell(p, "$EB run > /dev/full");
    expect(exitCode).toBe(2);
    expect(stderr).toBe("error: cannot write to standard output (ENOSPC)");
    expect(p.report().total_checks).toBe(3);
  });
});

describe("colour", () => {
  const piped = async (env: NodeJS.ProcessEnv) => (await project(oneCheck("pass")).eb(["run"], { env })).stdout;

  it("is off when piped, unless forced", async () => {
    expect(await piped({})).not.toContain(ESCAPE);
    expect(await piped({ FORCE_COLOR: "" })).not.toContain(ESCAPE);
    expect(await piped({ FORCE_COLOR: "1", NO_COLOR: "1", TERM: "dumb" })).toMatch(COLOR);
  });

  it("is on on a terminal, with a live display", async () => {
    const output = await ebOnTerminal(["run"], project(oneCheck("pass")).root);
    expect(output).toMatch(COLOR);
    expect(output).toContain(`${ESCAPE}[?25l`);
    expect(output.lastIndexOf(`${ESCAPE}[?25h`)).toBeGreaterThan(output.lastIndexOf(`${ESCAPE}[?25l`));
  });

  it("is off on a terminal with NO_COLOR", async () => {
    const { root } = project(oneCheck("pass"));
    expect(await ebOnTerminal(["run"], root, { NO_COLOR: "1" })).not.toMatch(COLOR);
    expect(await ebOnTerminal(["run"], root, { NO_COLOR: "" })).toMatch(COLOR);
  });

  it("is off with TERM=dumb, and so is the live display", async () => {
    const output = await ebOnTerminal(["run"], project(oneCheck("pass")).root, { TERM: "dumb" });
    expect(output).toContain("✓ it");
    expect(output).not.toContain(ESCAPE);
  });

  it("stays on in CI with a terminal, but nothing is redrawn", async () => {
    const output = await ebOnTerminal(["run"], project(oneCheck("pass")).root, { CI: "true" });
    expect(output).toMatch(COLOR);
    expect(output).not.toMatch(DRAWING);
  });
});
