import { describe, expect, it } from "vitest";
import { processMark } from "../helpers/processes.js";
import { check, EB, oneCheck, project } from "../helpers/project.js";

const IGNORE = "import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN)";

/** Starts `python -c code` and waits until it has said that it is ready. */
const spawnReady = (code: string, options = "") => `import subprocess, sys, time
child = subprocess.Popen([sys.executable, "-c", ${JSON.stringify(`${code}; print('ready', flush=True); import time; time.sleep(60)`)}], stdout=subprocess.PIPE${options})
child.stdout.readline()`;

const DAEMON = `import os, sys, time
read, write = os.pipe()
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN)
        os.write(write, b"x")
        time.sleep(60)
    os._exit(0)
os.wait()
os.read(read, 1)`;

const LIMIT = "timeout_seconds: 1\n";

describe.each(["fork", "spawn"])("nothing is left of a check under %s", (launcher) => {
  const LAUNCHER = { EVAL_BANANA_DETERMINISTIC_LAUNCHER: launcher };

  it("that ran into its limit, however its processes hide", async () => {
    const mark = processMark();
    const endless = "\nwhile True: time.sleep(1)";
    const p = project({
      "eval_checks/ignores.yaml": check("ignores", `${IGNORE}\nimport time${endless}`, LIMIT),
      "eval_checks/child-ignores.yaml": check("child-ignores", spawnReady(IGNORE) + endless, LIMIT),
      "eval_checks/session.yaml": check("session", spawnReady("0", ", start_new_session=True") + endless, LIMIT),
      "eval_checks/daemon.yaml": check("daemon", DAEMON + endless, LIMIT),
      "eval_checks/stopped.yaml": check("stopped", "import os, signal; os.kill(os.getpid(), signal.SIGSTOP)", LIMIT),
      "eval_checks/breeds.yaml": check(
        "breeds",
        `import os, signal, time
def again(*_):
    if os.fork() == 0: os.setpgrp()
signal.signal(signal.SIGTERM, again)${endless}`,
        LIMIT,
      ),
    });
    const { code, stderr } = await p.eb(["run", "--max-parallel-checks", "6"], { env: { ...mark.env, ...LAUNCHER } });
    expect(mark.survivors()).toEqual([]);
    // Nothing was left for the end of the run.
    expect(stderr).toBe("");
    expect(code).toBe(1);
    for (const { check_id, status, error_detail, duration_ms } of p.report().checks) {
      expect({ status, error_detail }, check_id).toEqual({ status: "error", error_detail: "timed out after 1 s" });
      // The limit, the grace period of two seconds, and the slowness of a busy machine.
      expect(duration_ms, check_id).toBeLessThan(7000);
    }
  });

  it("whose leader has ended: what it left in its group goes at once or after the grace period", async () => {
    const mark = processMark();
    const p = project({
      "eval_checks/a.yaml": check("a", spawnReady("0")),
      "eval_checks/b.yaml": check("b", spawnReady(IGNORE)),
    });
    const { code, stderr } = await p.eb(["run"], { env: { ...mark.env, ...LAUNCHER } });
    expect(mark.survivors()).toEqual([]);
    expect(stderr).toBe("");
    expect(code).toBe(0);
    expect(p.result("a").duration_ms).toBeLessThan(10_000);
    expect(p.result("b").duration_ms).toBeGreaterThanOrEqual(2000);
    expect(p.result("b").duration_ms).toBeLessThan(10_000);
  });

  it("that left daemons behind: they are ended with the run, with a warning", async () => {
    const mark = processMark();
    const p = project(oneCheck(DAEMON));
    const { code, stderr } = await p.eb(["run"], { env: { ...mark.env, ...LAUNCHER } });
    expect(mark.survivors()).toEqual([]);
    expect(code).toBe(0);
    expect(stderr).toBe("warning: checks left 1 process(es) running, which were ended\n");
  });

  it("but what other checks do goes on", async () => {
    const p = project({
      "eval_checks/a.yaml": check("a", "import time\nwhile True: time.sleep(1)", LIMIT),
      "eval_checks/b.yaml": check(
        "b",
        `import subprocess, sys
child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(3)"], start_new_session=True)
sys.exit(child.wait())`,
      ),
    });
    await p.eb(["run"], { env: LAUNCHER });
    expect(p.result("a").error_detail).toBe("timed out after 1 s");
    expect(p.result("b").status).toBe("passed");
  });

  it("that is a run itself", async () => {
    const mark = processMark();
    const p = project({
      "inner/eval_checks/it.yaml": check("it", `${spawnReady(IGNORE, ", start_new_session=True")}\ntime.sleep(60)`),
      "eval_checks/it.yaml": check(
        "it",
        "import subprocess, os\nsubprocess.run([os.environ['NODE'], os.environ['EB'], 'run', '--cwd', 'inner', '--no-project-config'])",
        "timeout_seconds: 3\n",
      ),
    });
    await p.eb(["run", "--check-dir", "eval_checks"], {
      env: { ...mark.env, ...LAUNCHER, NODE: process.execPath, EB },
    });
    expect(p.result("it").error_detail).toBe("timed out after 3 s");
    expect(mark.survivors()).toEqual([]);
  });
});
