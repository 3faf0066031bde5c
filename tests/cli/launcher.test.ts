import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { describe, expect, it } from "vitest";
import { agentTable, judgeCheck } from "../helpers/agent.js";
import { isGuarded, processMark, startEb, until } from "../helpers/processes.js";
import { check, oneCheck, type Project, PYTHON, project } from "../helpers/project.js";

const FORK = { EVAL_BANANA_DETERMINISTIC_LAUNCHER: "fork" };
const SPAWN = { EVAL_BANANA_DETERMINISTIC_LAUNCHER: "spawn" };

/** Checks named `a0`, `a1`, … that run the same script. */
function several(count: number, script: string): Record<string, string> {
  return Object.fromEntries(
    Array.from({ length: count }, (_, n) => [`eval_checks/a${n}.yaml`, check(`a${n}`, script)]),
  );
}

const launchers = (p: Project) => [...new Set(p.report().checks.map(({ details }) => details["launcher"]))];

describe("the launcher", () => {
  it.each([
    [3, {}, "spawn"],
    [4, {}, "fork"],
    [1, FORK, "fork"],
    [4, SPAWN, "spawn"],
  ])("of %d checks with %o is %s", async (count, env, launcher) => {
    const p = project(several(count, "import os; assert os.getpid() == os.getsid(0)"));
    const { code, stderr } = await p.eb(["run"], { env });
    expect([code, stderr]).toEqual([0, ""]);
    expect(launchers(p)).toEqual([launcher]);
  });

  it("that is unknown is an error with the known ones", async () => {
    const p = project({ ...oneCheck("pass"), ".eval-banana/config.toml": '[deterministic]\nlauncher = "forks"\n' });
    const { code, stderr } = await p.eb(["run"], { env: { EVAL_BANANA_DETERMINISTIC_LAUNCHER: "x" } });
    expect(code).toBe(2);
    expect(stderr).toContain(`expected "auto" or "fork" or "spawn" (did you mean 'fork'?), found "forks"`);
    expect(stderr).toContain('EVAL_BANANA_DETERMINISTIC_LAUNCHER: expected "auto" or "fork" or "spawn", found "x"');
  });

  it("is spawn where the start of Python prints, and all checks print it", async () => {
    const p = project({ ...several(4, "print('me')"), "lib/sitecustomize.py": "print('start')" });
    const env = { PYTHONPATH: p.path("lib") };
    expect((await p.eb(["run"], { env })).stderr).toBe("");
    expect(launchers(p)).toEqual(["spawn"]);
    expect(new Set(p.report().checks.map(({ stdout }) => stdout))).toEqual(new Set(["start\nme\n"]));
    const { code, stderr } = await p.eb(["run"], { env: { ...env, ...FORK } });
    expect(code).toBe(0);
    expect(stderr).toBe(
      "warning: the checks cannot be forked from one Python: its start prints something; Python is started anew for each\n",
    );
  });

  it.each([
    ["starts a thread", "import threading, time\nthreading.Thread(target=time.sleep, args=(1,), daemon=True).start()"],
    ["traces", "import sys\nsys.setprofile(lambda *a: None)"],
    ["opens a file", "import sys\nsys.kept = open(__file__)"],
    ["changes the environment", "import os\nos.environ['X'] = '1'"],
  ])("is spawn where the start of Python %s", async (_, site) => {
    const p = project({ ...several(4, "pass"), "lib/sitecustomize.py": site });
    const { code, stderr } = await p.eb(["run"], { env: { PYTHONPATH: p.path("lib") } });
    expect([code, stderr, launchers(p)]).toEqual([0, "", ["spawn"]]);
  });

  it("is spawn where Python is to tell about its start", async () => {
    const p = project(several(4, "pass"));
    await p.eb(["run"], { env: { PYTHONVERBOSE: "1" } });
    expect(launchers(p)).toEqual(["spawn"]);
    for (const { stderr } of p.report().checks) expect(stderr).toContain("# cleanup");
  });

  it("is spawn where the interpreter is a program that sets something up", async () => {
    const p = project(several(4, "import os; print(os.environ['EVAL_BANANA_CHECK_ID'], os.environ['SET_UP'])"));
    const wrapper = p.writeProgram("wrapper", `#!/bin/sh\nSET_UP=$EVAL_BANANA_CHECK_ID exec ${PYTHON} "$@"\n`);
    expect((await p.eb(["run"], { env: { EVAL_BANANA_PYTHON: wrapper } })).code).toBe(0);
    expect(launchers(p)).toEqual(["spawn"]);
    expect(p.result("a2").stdout).toBe("a2 a2\n");
  });

  it("is fork for long ids, and spawn for those that have no room", async () => {
    const [long, longer] = ["x".repeat(600), "y".repeat(50_000)];
    const show = "import os; print(len(os.environ['EVAL_BANANA_CHECK_ID']))";
    const p = project({
      ...several(3, "pass"),
      "eval_checks/long.yaml": check(long, show),
      "eval_checks/longer.yaml": check(longer, show),
    });
    expect((await p.eb(["run"])).code).toBe(0);
    expect(p.result(long)).toMatchObject({ stdout: "600\n", details: { launcher: "fork" } });
    expect(p.result(longer)).toMatchObject({ stdout: "50000\n", details: { launcher: "spawn" } });
  });
});

describe.each(["fork", "spawn"])("a check under %s that kills its parent", (launcher) => {
  it("loses nothing, and eb goes on", async () => {
    const mark = processMark();
    const always = "import os, time; os.kill(os.getppid(), 9); time.sleep(0.3)";
    const p = project({
      ...several(6, "import time; time.sleep(0.2); print('ran')"),
      "eval_checks/a-always.yaml": check("always", always),
      "eval_checks/once.yaml": check("once", `import os\nif not os.path.exists('on'): open('on', 'w'); ${always}`),
    });
    // In turn: the second one that kills begins when the process for all is gone.
    const { code, stderr } = await p.eb(["run", "--max-parallel-checks", "1"], {
      env: { ...mark.env, EVAL_BANANA_DETERMINISTIC_LAUNCHER: launcher },
    });
    expect(code).toBe(1);
    expect(stderr.match(/warning: the process that starts Python for the checks was killed/g)).toHaveLength(1);
    expect(p.report()).toMatchObject({ passed_checks: 7, errored_checks: 1 });
    expect(p.result("always").error_detail).toBe("the process that started the script was killed twice");
    expect(p.result("a5").stdout).toBe("ran\n");
    expect(mark.survivors()).toEqual([]);
  });
});

const HIDES = `import os, time
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0: time.sleep(60)
    os._exit(0)
open("here-" + os.environ["EVAL_BANANA_CHECK_ID"], "w")
time.sleep(60)`;

describe.each(["fork", "spawn"])("when eb is killed under %s", (launcher) => {
  it.each([4, 1])("nothing is left of %d checks and a judge", async (count) => {
    const mark = processMark();
    const p = project({
      ...several(count, HIDES),
      "agent.py": HIDES,
      "eval_checks/judge.yaml": judgeCheck({ id: "judge" }),
      ".eval-banana/config.toml": `[harness]\nagent = "mine"\n${agentTable("mine", { command: [PYTHON, "agent.py"] })}`,
      "tmp/keep": "",
    });
    const running = startEb(p, ["run", "--max-parallel-checks", "5"], {
      ...mark.env,
      EVAL_BANANA_DETERMINISTIC_LAUNCHER: launcher,
      TMPDIR: p.path("tmp"),
    });
    await until("all run", () => readdirSync(p.root).filter((name) => name.startsWith("here-")).length === count + 1);
    await until("all can be seen", () => mark.survivors().length > 2 * count + 2);
    await until("the guard is there", () => isGuarded(basename(p.runDir())));
    running.kill("SIGKILL");
    await running;
    await until("all are gone", () => mark.survivors().length === 0);
    await until("the directory is gone", () => readdirSync(p.path("tmp")).length === 1);
    expect(readFileSync(join(p.runDir(), "journal.jsonl"), "utf8")).toContain("run.start");
  });
});
