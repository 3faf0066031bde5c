import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { judge, judgeCheck, runJudges, standIn } from "../helpers/agent.js";
import { type Project, project } from "../helpers/project.js";

/** Each attempt of a check does the next of the steps in its file: `1`, `0`, or `!` for an error. */
const STEPS = `n = len([x for x in os.listdir() if x.startswith("did-" + check + ".")])
open(f"did-{check}.{n}", "w")
step = open("steps-" + check).read()[n]
if step == "!": sys.stderr.write(f"attempt {n} broke"); sys.exit(4)
verdict(int(step), f"vote {n} says {step}")`;

interface Wanted {
  steps: string;
  votes?: number;
  retries?: number;
}

/** Judges checks whose attempts go as told. */
async function vote(wanted: Record<string, Wanted>): Promise<Project> {
  const entries = Object.entries(wanted);
  const p = standIn(STEPS, {
    checks: Object.fromEntries(entries.map(([id, { steps: _, ...fields }]) => [id, fields])),
    files: Object.fromEntries(entries.map(([id, { steps }]) => [`steps-${id}`, steps])),
  });
  await runJudges(p);
  return p;
}

interface AttemptDetails {
  status: string;
  raw_response_path: string | null;
}

const attemptsOf = (p: Project, id: string) => (p.result(id).details["attempts"] ?? []) as unknown as AttemptDetails[];

describe("of several votes", () => {
  it("the majority decides, and the split is told", async () => {
    const p = await vote({
      all: { steps: "111", votes: 3 },
      most: { steps: "011", votes: 3 },
      few: { steps: "100", votes: 3 },
      "one-error": { steps: "1!1", votes: 3 },
      "no-majority": { steps: "1!0", votes: 3 },
      "half-is-not-enough": { steps: "11!!0", votes: 5 },
      "all-errors": { steps: "!!!", votes: 3 },
    });
    const seen = Object.fromEntries(
      p
        .report()
        .checks.map(({ check_id, status, reason, details }) => [check_id, { status, reason, votes: details["votes"] }]),
    );
    const votes = (passed: number, failed: number, error: number) => ({ passed, failed, error });
    expect(seen).toEqual({
      all: { status: "passed", reason: "vote 0 says 1", votes: votes(3, 0, 0) },
      most: { status: "passed", reason: "vote 1 says 1", votes: votes(2, 1, 0) },
      few: { status: "failed", reason: "vote 1 says 0", votes: votes(1, 2, 0) },
      "one-error": { status: "passed", reason: "vote 0 says 1", votes: votes(2, 0, 1) },
      "no-majority": { status: "error", reason: null, votes: votes(1, 1, 1) },
      "half-is-not-enough": { status: "error", reason: null, votes: votes(2, 1, 2) },
      "all-errors": { status: "error", reason: null, votes: votes(0, 0, 3) },
    });
    expect(p.result("no-majority")).toMatchObject({ exit_code: 4, stderr: "attempt 1 broke" });
    expect(p.result("no-majority").error_detail).toBe(
      "no majority: 1 of 3 votes ended in an error: the agent ended with exit code 4: attempt 1 broke",
    );
  });

  it("each is kept on disk, and the result is that of one which decided", async () => {
    const p = await vote({ it: { steps: "011", votes: 3 } });
    const attempts = attemptsOf(p, "it");
    expect(attempts).toMatchObject([
      { status: "failed", reason: "vote 0 says 0", error_detail: null, exit_code: 0 },
      { status: "passed", reason: "vote 1 says 1" },
      { status: "passed", reason: "vote 2 says 1" },
    ]);
    for (const [index, { raw_response_path }] of attempts.entries()) {
      const output = readFileSync(join(p.runDir(), `${raw_response_path}`), "utf8");
      expect(JSON.parse(output).reason).toBe(attempts.map((_, n) => `vote ${n} says ${n === 0 ? 0 : 1}`)[index]);
    }
    const { stdout, details } = p.result("it");
    expect(JSON.parse(stdout).reason).toBe("vote 1 says 1");
    expect(details["raw_response_path"]).toBe(attempts[1]?.raw_response_path);
    expect(details["stdout_path"]).toBe(attempts[1]?.raw_response_path);
  });

  it("usage and cost are those of all", async () => {
    const { result } = await judge(
      `say(json.dumps({"type": "result", "is_error": False, "result": '{"score": 1}', "total_cost_usd": 0.5, "usage": {"input_tokens": 2, "output_tokens": 1}}))`,
      { check: { votes: 3 } },
    );
    expect(result.details).toMatchObject({
      cost_usd: 1.5,
      usage: { input_tokens: 6, output_tokens: 3, cached_input_tokens: 0 },
    });
  });

  it.each([2, 0, -1, 1.5, "3"])("an odd number is wanted, not %j", async (votes) => {
    const p = project({ "eval_checks/it.yaml": judgeCheck({ id: "it", votes }) });
    const { code, stdout } = await p.eb(["validate"]);
    expect(code).toBe(1);
    expect(stdout).toContain("votes");
  });
});

describe("retries", () => {
  it("come after an error only, as many as are needed and allowed", async () => {
    const p = await vote({
      helped: { steps: "!!1", retries: 2 },
      "not-enough": { steps: "!!!1", retries: 2 },
      "not-after-a-verdict": { steps: "01", retries: 5 },
      none: { steps: "!1" },
      "for-each-vote": { steps: "!1!1!0", votes: 3, retries: 1 },
    });
    const tried = (id: string) => attemptsOf(p, id).map(({ status }) => status);
    expect(p.result("helped")).toMatchObject({ status: "passed", reason: "vote 2 says 1", exit_code: 0 });
    expect(tried("helped")).toEqual(["error", "error", "passed"]);
    expect(p.result("not-enough")).toMatchObject({ status: "error", exit_code: 4 });
    expect(p.result("not-enough").error_detail).toBe("the agent ended with exit code 4: attempt 2 broke");
    expect(tried("not-enough")).toEqual(["error", "error", "error"]);
    expect(p.result("not-after-a-verdict")).toMatchObject({ status: "failed" });
    expect(p.has("did-not-after-a-verdict.1")).toBe(false);
    expect(p.result("none").status).toBe("error");
    expect(p.has("did-none.1")).toBe(false);
    expect(p.result("for-each-vote")).toMatchObject({
      status: "passed",
      details: { votes: { passed: 2, failed: 1, error: 0 } },
    });
    expect(tried("for-each-vote")).toEqual(["error", "passed", "error", "passed", "error", "failed"]);
  });

  it("do not bring a model in that can't be handed over", async () => {
    const { result } = await judge("open('started', 'w')", { check: { model: "m", retries: 3, votes: 3 } });
    expect(result.error_detail).toMatch(/^cannot inject model 'm'/);
    expect(result.details).not.toHaveProperty("attempts");
  });
});

describe("--max-parallel-checks", () => {
  it.each([1, 3])("covers judges: %d at a time", async (limit) => {
    const p = standIn(
      `open("running-" + check, "w")
deadline = time.monotonic() + 0.3
most = 0
while time.monotonic() < deadline:
    most = max(most, len([x for x in os.listdir() if x.startswith("running-")]))
    time.sleep(0.01)
os.unlink("running-" + check)
verdict(1, str(most))`,
      { checks: Object.fromEntries(["a", "b", "c", "d", "e", "f"].map((id) => [id, {}])) },
    );
    await runJudges(p, ["--max-parallel-checks", String(limit)]);
    const most = Math.max(...p.report().checks.map(({ reason }) => Number(reason)));
    if (limit === 1) expect(most).toBe(1);
    else expect([2, 3]).toContain(most);
  });
});
