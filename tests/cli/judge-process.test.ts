import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { judge, runJudges, standIn } from "../helpers/agent.js";
import { processMark, startEb, until } from "../helpers/processes.js";

/** Starts a process with a session of its own that ignores SIGTERM, and waits until it is ready. */
const WITH_DAEMON = `
daemon = "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); print(flush=True); time.sleep(60)"
subprocess.Popen([sys.executable, "-c", daemon], start_new_session=True, stdout=subprocess.PIPE).stdout.readline()
`;

/** A helper that stays in the group of the agent. */
const START_HELPER = `
subprocess.Popen(["sleep", "60"])
`;
const HANG = "time.sleep(60)";

describe("the time limit", () => {
  it("ends the agent with all that it started, keeps what it printed, and quotes its last words", async () => {
    const mark = processMark();
    const { result, p } = await judge(
      `say("thinking…\\n")\nverdict(1)\nsys.stderr.write("retry 1\\nretry 2\\n")\nsys.stderr.flush()\n${START_HELPER}${WITH_DAEMON}${HANG}`,
      { check: { timeout_seconds: 2 }, env: mark.env },
    );
    expect(mark.survivors()).toEqual([]);
    expect(result).toMatchObject({ status: "error", score: 0, reason: null, exit_code: null });
    expect(result.error_detail).toBe("timed out after 2 s; the last it said on standard error: retry 1 ⏎ retry 2");
    expect(result.stdout).toContain("thinking…\n");
    expect(readFileSync(join(p.runDir(), `${result.details["raw_response_path"]}`), "utf8")).toBe(result.stdout);
    expect(result.duration_ms).toBeGreaterThanOrEqual(2000);
    expect(result.duration_ms).toBeLessThan(15_000);
  });

  it("is taken from the check, the flag, the environment, the file and the default, in this order", async () => {
    const p = standIn("verdict(1)", {
      config: "[harness]\ntimeout_seconds = 13",
      checks: { it: {}, own: { timeout_seconds: 10 } },
    });
    const limitOf = async (args: string[], env: NodeJS.ProcessEnv = {}) => {
      const { stdout } = await runJudges(p, ["--output-dir", "out", "--json", ...args], { env });
      const limits = JSON.parse(stdout).checks.map(
        ({ details }: { details: { timeout_seconds: number } }) => details.timeout_seconds,
      );
      expect(limits[1]).toBe(10);
      return limits[0];
    };
    const env = { EVAL_BANANA_HARNESS_TIMEOUT_SECONDS: "12" };
    expect(await limitOf(["--harness-timeout-seconds", "11"], env)).toBe(11);
    expect(await limitOf([], env)).toBe(12);
    expect(await limitOf([])).toBe(13);
    p.write({ ".eval-banana/config.toml": p.read(".eval-banana/config.toml").replace("timeout_seconds = 13", "") });
    expect(await limitOf([])).toBe(300);
  });

  it("does not keep eb alive when the agent is done", async () => {
    const started = performance.now();
    const { result } = await judge("verdict(1)", { check: { timeout_seconds: 600 } });
    expect(result.status).toBe("passed");
    expect(performance.now() - started).toBeLessThan(20_000);
  });
});

describe("an agent that leaves processes behind", () => {
  it("keeps its verdict; they are ended, and counted", async () => {
    const mark = processMark();
    const { result, code, stderr } = await judge(`verdict(1, 'done')\n${START_HELPER}${WITH_DAEMON}`, {
      env: mark.env,
    });
    expect(mark.survivors()).toEqual([]);
    expect(code).toBe(0);
    expect(stderr).toBe("");
    expect(result).toMatchObject({ status: "passed", reason: "done", details: { leftover_processes: 2 } });
  });

  it("is not one that leaves nothing", async () => {
    const { result } = await judge("subprocess.run(['true'])\nverdict(1)");
    expect(result.details).not.toHaveProperty("leftover_processes");
  });

  it("does not take those of other checks along", async () => {
    const mark = processMark();
    const p = standIn(
      `if check == "ends":
    subprocess.Popen(["sleep", "60"], start_new_session=True)
    verdict(1)
else:
    child = subprocess.Popen(["sh", "-c", "until [ -e go ]; do sleep 0.05; done; exit 5"], start_new_session=True)
    open("waits", "w")
    verdict(int(child.wait() == 5))`,
      { checks: { ends: {}, waits: {} } },
    );
    const running = startEb(p, ["run", "--harness-agent", "stand-in"], mark.env);
    await until("the first has a result", () => p.runDirs()[0] && journalHas(p.runDir(), "ends"));
    p.write({ go: "" });
    await running;
    expect(p.report().checks.map(({ status }) => status)).toEqual(["passed", "passed"]);
    expect(mark.survivors()).toEqual([]);
  });
});

describe("what an agent does to the file of its output", () => {
  it("can leave no hole in it, as programs do that open /dev/stdout by themselves", async () => {
    const { result } = await judge(`say("x" * 1000)
open("/dev/stdout", "w").write("again\\n")
verdict(1)`);
    expect(result).toMatchObject({ status: "passed", stdout: 'again\n{"score": 1, "reason": "so it is"}\n' });
  });

  it("is an error, and does not hang the run, when it puts a pipe in its place", async () => {
    const { result } = await judge(`path = os.readlink("/proc/self/fd/1")
os.unlink(path)
os.mkfifo(path)
verdict(1)`);
    expect(result.error_detail).toContain("its final answer is empty");
  });
});

describe("SIGINT to eb", () => {
  it("ends the judge with all that it started, and the check is interrupted", async () => {
    const mark = processMark();
    const p = standIn(
      `say("so far")\nsys.stderr.write("401 unauthorized\\n")\n${WITH_DAEMON}open("started", "w")\n${HANG}`,
      {
        check: { votes: 3, retries: 2 },
      },
    );
    const running = startEb(p, ["run", "--harness-agent", "stand-in"], mark.env);
    await until("the judge runs", () => p.has("started"));
    running.kill("SIGINT");
    const { exitCode, stdout } = await running;
    expect(mark.survivors()).toEqual([]);
    expect(exitCode).toBe(130);
    expect(p.result("it")).toMatchObject({ status: "error", error_detail: "interrupted", stdout: "so far" });
    expect(stdout).toContain("1 interrupted");
  });

  it("between votes leaves a check that did not end, whatever the votes before said", async () => {
    const p = standIn(
      `if os.path.exists("one"): open("two", "w"); ${HANG}
open("one", "w")
verdict(1)`,
      { check: { votes: 3 } },
    );
    const running = startEb(p, ["run", "--harness-agent", "stand-in"]);
    await until("the second vote runs", () => p.has("two"));
    running.kill("SIGINT");
    expect((await running).exitCode).toBe(130);
    expect(p.result("it")).toMatchObject({ status: "error", error_detail: "interrupted" });
    expect(p.result("it").details["attempts"]).toHaveLength(2);
  });
});

function journalHas(runDir: string, id: string): boolean {
  try {
    return readFileSync(join(runDir, "journal.jsonl"), "utf8").includes(`"check_id":"${id}"`);
  } catch {
    return false;
  }
}
