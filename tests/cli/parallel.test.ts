import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { runReportSchema } from "../../src/index.js";
import { check, type Project, project } from "../helpers/project.js";

/** Notes its begin and waits, up to a bound, until `wanted` checks are there at the same time. */
const meet = (wanted: number) => `import os, time
me = os.environ["EVAL_BANANA_CHECK_ID"]
os.makedirs("here", exist_ok=True)
open("here/" + me, "w").close()
most = 0
end = time.monotonic() + 10
while most < ${wanted} and time.monotonic() < end:
    most = max(most, len(os.listdir("here")))
    time.sleep(0.005)
# Long enough for one too many to be seen by the others.
for _ in range(20):
    most = max(most, len(os.listdir("here")))
    time.sleep(0.005)
os.unlink("here/" + me)
print(most)`;

const ids = (n: number) => Array.from({ length: n }, (_, i) => `c${String(i).padStart(2, "0")}`);

function meeting(count: number, wanted: number): Project {
  return project(Object.fromEntries(ids(count).map((id) => [`eval_checks/${id}.yaml`, check(id, meet(wanted))])));
}

describe("checks", () => {
  it.each([
    [1, 3],
    [3, 9],
  ])("run %d at a time and no more", async (limit, count) => {
    const p = meeting(count, limit);
    const { code } = await p.eb(["run", "--max-parallel-checks", String(limit)]);
    expect(code).toBe(0);
    expect(p.report().checks.map(({ stdout }) => Number(stdout))).toEqual(Array(count).fill(limit));
  });

  it("run all at once when there are fewer than may", async () => {
    const p = meeting(3, 3);
    await p.eb(["run", "--max-parallel-checks", "1000000000"]);
    expect(p.report().checks.map(({ stdout }) => Number(stdout))).toEqual([3, 3, 3]);
  });

  it("are reported by path, in whatever order they end", async () => {
    const waitFor = (id: string) => `import glob, os, time
end = time.monotonic() + 20
while not glob.glob(os.environ["EVAL_BANANA_RUN_OUTPUT_DIR"] + "/checks/${id}-*.json") and time.monotonic() < end:
    time.sleep(0.005)`;
    const p = project({
      "eval_checks/1.yaml": check("z", waitFor("a")),
      "eval_checks/2.yaml": check("a", waitFor("m")),
      "eval_checks/10.yaml": check("m", "pass"),
    });
    const { code } = await p.eb(["run"]);
    expect(code).toBe(0);
    expect(p.report().checks.map(({ check_id }) => check_id)).toEqual(["z", "m", "a"]);
    const journal = readFileSync(join(p.runDir(), "journal.jsonl"), "utf8").trimEnd().split("\n").slice(1);
    expect(journal.map((line) => JSON.parse(line).result.check_id)).toEqual(["m", "a", "z"]);
  });
});

describe("runs", () => {
  it("of the same second in the same project are separate, and lose nothing", async () => {
    const p = project(
      Object.fromEntries(
        ids(5).map((id) => [`eval_checks/${id}.yaml`, check(id, "import os; print(os.environ['EVAL_BANANA_RUN_ID'])")]),
      ),
    );
    const ended = await Promise.all([1, 2, 3].map(() => p.eb(["run"])));
    expect(ended.map(({ code }) => code)).toEqual([0, 0, 0]);
    expect(p.runDirs()).toHaveLength(3);
    for (const directory of p.runDirs()) {
      const report = runReportSchema.parse(JSON.parse(readFileSync(join(directory, "report.json"), "utf8")));
      expect(report.checks.map(({ stdout }) => stdout.trim())).toEqual(Array(5).fill(report.run_id));
      expect(readdirSync(join(directory, "checks"))).toHaveLength(10);
    }
  });
});
