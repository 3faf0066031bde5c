import { describe, expect, it } from "vitest";
import { processMark } from "../helpers/processes.js";
import { check, oneCheck, project } from "../helpers/project.js";

describe("a time limit", () => {
  it("ends a script that never ends, and says so", async () => {
    const p = project(oneCheck("print('so far', flush=True)\nwhile True: pass", "timeout_seconds: 1\n"));
    const { code, stdout } = await p.eb(["run"]);
    expect(code).toBe(1);
    expect(stdout).toContain("error: timed out after 1 s");
    expect(p.result("it")).toMatchObject({
      status: "error",
      score: 0,
      error_detail: "timed out after 1 s",
      stdout: "so far\n",
      exit_code: null,
      details: { timeout_seconds: 1 },
    });
  });

  it("that is far away keeps neither the check nor eb waiting", async () => {
    const p = project({
      "eval_checks/a.yaml": check("a", "pass", "timeout_seconds: 600\n"),
      "eval_checks/b.yaml": check("b", "pass", "timeout_seconds: 9999999999\n"),
    });
    const begin = performance.now();
    const { code, stderr } = await p.eb(["run"]);
    expect(performance.now() - begin).toBeLessThan(20_000);
    expect(stderr).toBe("");
    expect(code).toBe(0);
    expect(p.result("b").details["timeout_seconds"]).toBe(9999999999);
  });

  it("is none when the configuration says 0", async () => {
    const p = project({
      ...oneCheck("import time; time.sleep(0.2)"),
      ".eval-banana/config.toml": "[deterministic]\ntimeout_seconds = 0\n",
    });
    const { code } = await p.eb(["run"]);
    expect(code).toBe(0);
    expect(p.result("it").details["timeout_seconds"]).toBeNull();
  });

  it("of the configuration holds where the check has none of its own", async () => {
    const endless = "import time\nwhile True: time.sleep(1)";
    const p = project({
      "eval_checks/a.yaml": check("a", endless),
      "eval_checks/b.yaml": check("b", "pass", "timeout_seconds: 100\n"),
    });
    await p.eb(["run"], { env: { EVAL_BANANA_DETERMINISTIC_TIMEOUT_SECONDS: "1" } });
    expect(p.result("a").error_detail).toBe("timed out after 1 s");
    expect(p.result("b").status).toBe("passed");
  });

  it.each(["fork", "spawn"])("is an error even when the script ends well on SIGTERM, under %s", async (launcher) => {
    const script = `import signal, sys, time
signal.signal(signal.SIGTERM, lambda *_: (print('cleaned up'), sys.exit(0)))
while True: time.sleep(1)`;
    const mark = processMark();
    const p = project(oneCheck(script, "timeout_seconds: 1\n"));
    await p.eb(["run"], { env: { ...mark.env, EVAL_BANANA_DETERMINISTIC_LAUNCHER: launcher } });
    expect(p.result("it")).toMatchObject({ status: "error", error_detail: "timed out after 1 s", exit_code: 0 });
    expect(p.result("it").stdout).toBe("cleaned up\n");
    expect(mark.survivors()).toEqual([]);
  });
});
