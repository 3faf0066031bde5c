import { symlinkSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { processMark, startEb, until } from "../helpers/processes.js";
import { oneCheck, PYTHON, project } from "../helpers/project.js";

const SCRIPT = oneCheck("import os, sys\nprint(sys.executable, os.environ.get('EB_TEST_WRAPPED'))");
const unset = { EVAL_BANANA_PYTHON: "" };

describe("the interpreter", () => {
  it("is the first of python3 and python on the path that works", async () => {
    const p = project(SCRIPT);
    p.writeProgram("bin1/python3", "#!/bin/sh\necho 'pyenv: no version is set' >&2; exit 127\n");
    p.writeProgram("bin2/python", `#!/bin/sh\nexec ${PYTHON} "$@"\n`);
    const { code } = await p.eb(["run"], { env: { ...unset, PATH: `${p.path("bin1")}:${p.path("bin2")}` } });
    expect(code).toBe(0);
    expect(p.result("it").details["python"]).toBe(PYTHON);
  });

  it("is asked for once where it is a shim, which is then left out", async () => {
    const p = project({
      ...SCRIPT,
      "eval_checks/b.yaml": (SCRIPT["eval_checks/it.yaml"] ?? "").replace("id: it", "id: b"),
    });
    p.writeProgram("bin/python3", `#!/bin/sh\necho called >> ${p.path("calls")}\nexec ${PYTHON} "$@"\n`);
    const { code } = await p.eb(["run"], { env: { ...unset, PATH: `${p.path("bin")}:${process.env["PATH"]}` } });
    expect(code).toBe(0);
    expect(p.read("calls")).toBe("called\n");
  });

  it("is a configured path as it is: a wrapper may set up more", async () => {
    const p = project({ ...SCRIPT, ".eval-banana/config.toml": '[deterministic]\npython = "tools/py"\n', "sub/x": "" });
    p.writeProgram("tools/py", `#!/bin/sh\nexport EB_TEST_WRAPPED=yes\nexec ${PYTHON} "$@"\n`);
    await p.eb(["run"], { env: unset, cwd: p.path("sub") });
    expect(p.result("it")).toMatchObject({ stdout: `${PYTHON} yes\n`, details: { python: p.path("tools/py") } });
  });

  it("is not Python 2, nor what does not work: each check is an error that says how to set it", async () => {
    const p = project(SCRIPT);
    p.writeProgram("two/python3", "#!/bin/sh\necho\n");
    p.writeProgram("broken/python", "#!/bin/sh\necho 'cannot load libpython' >&2; exit 1\n");
    const { code, stdout } = await p.eb(["run"], { env: { ...unset, PATH: `${p.path("two")}:${p.path("broken")}` } });
    expect(code).toBe(1);
    expect(p.result("it")).toMatchObject({ status: "error", score: 0, stdout: "", exit_code: null });
    expect(p.result("it").error_detail).toBe(
      "no Python was found ('python3' is not Python 3; 'python' does not work: cannot load libpython); " +
        "set [deterministic] python in .eval-banana/config.toml, or EVAL_BANANA_PYTHON, to a Python 3 interpreter",
    );
    expect(stdout).toContain("error: no Python was found");
  });

  it.each([
    ["a path that is not there", "nowhere/python3", "is not there or not executable"],
    ["a directory", "eval_checks/", "is not there or not executable"],
    ["a name that is not on the path", "python-of-mine", "is not there or not executable"],
    ["a program that is not Python", "other", "'other' does not work: no such option"],
    ["a program that is killed", "killed", "'killed' does not work: it ended with SIGKILL"],
  ])("that is configured as %s is an error of each check", async (_, python, message) => {
    const p = project(SCRIPT);
    p.writeProgram("bin/other", "#!/bin/sh\necho 'no such option' >&2; exit 2\n");
    p.writeProgram("bin/killed", "#!/bin/sh\nkill -9 $$\n");
    const PATH = `${p.path("bin")}:/usr/bin:/bin`;
    const { code } = await p.eb(["run"], { env: { EVAL_BANANA_PYTHON: python, PATH } });
    expect(code).toBe(1);
    expect(p.result("it").status).toBe("error");
    expect(p.result("it").error_detail).toContain(message);
    expect(p.result("it").error_detail).toContain("EVAL_BANANA_PYTHON");
  });

  it("that can be found but not started is an error of each check", async () => {
    const p = project(SCRIPT);
    p.writeProgram("py", "#!/nowhere/sh\n");
    await p.eb(["run"], { env: { EVAL_BANANA_PYTHON: "./py" } });
    expect(p.result("it").status).toBe("error");
    expect(p.result("it").error_detail).toContain("does not work: no such file or directory (ENOENT)");
  });

  it("may be a link to one, as in a virtual environment", async () => {
    const p = project(SCRIPT);
    p.write({ "venv/bin/x": "" });
    symlinkSync(PYTHON, p.path("venv/bin/python3"));
    const { code } = await p.eb(["run"], { env: { ...unset, PATH: `${p.path("venv/bin")}:/usr/bin:/bin` } });
    expect(code).toBe(0);
    expect(p.result("it").stdout).toBe(`${p.path("venv/bin/python3")} None\n`);
  });

  it("that hangs when it is asked does not outlive an interrupt", async () => {
    const mark = processMark();
    const p = project(SCRIPT);
    p.writeProgram("bin/python3", `#!/bin/sh\necho > ${p.path("asked")}\nsleep 60\n`);
    const running = startEb(p, ["run"], { ...unset, ...mark.env, PATH: `${p.path("bin")}:/usr/bin:/bin` });
    await until("the shim is asked", () => p.has("asked"));
    running.kill("SIGTERM");
    expect((await running).exitCode).toBe(143);
    expect(p.result("it")).toMatchObject({ status: "error", error_detail: "interrupted" });
    expect(mark.survivors()).toEqual([]);
  });
});
