import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { caseOf, runSuite, suiteProject, suiteReport } from "../helpers/suite.js";
import { git } from "../helpers/trial.js";

/** A target that notes what it finds in `a.txt`, adds a line, and is counted. */
const EDITS = `type: command
command: [sh, -c, 'echo "$EVAL_BANANA_SESSION_ID" >> "$CALLS"; cat a.txt; echo more >> a.txt; echo new > new.txt']
`;

describe("a workspace", () => {
  it("is fresh for each run: none sees another's edit, nor the template", async () => {
    const p = suiteProject(
      `runs: 4
workspace: { template: ../../t }
cases:
  - { id: a, task: x, expect_regex: ["^begin$"], checks: { files: { must_change: [a.txt, new.txt], contains: { new.txt: new } } } }
  - { id: b, task: x, expect_regex: ["^begin$"], checks: { files: { must_not_change: [a.txt] } } }
`,
      { "t/a.txt": "begin\n", ".eval-banana/targets/default.yaml": EDITS },
    );
    await runSuite(p, ["--max-parallel", "4"]);
    expect(caseOf(p, "a")).toMatchObject({ passed: true, runs: 4 });
    expect(caseOf(p, "b")).toMatchObject({ passed: false });
    expect(p.read("t/a.txt")).toBe("begin\n");
    const [trial] = caseOf(p, "a").trials;
    expect(trial?.changes).toMatchObject([
      { path: "a.txt", status: "modified", added: 1, removed: 0 },
      { path: "new.txt", status: "added", added: 1 },
    ]);
    const patch = readFileSync(join(p.runDir(), String(trial?.evidence["changes"])), "utf8");
    expect(patch).toContain("+more");
    // Those that failed are kept, and told of.
    const kept = caseOf(p, "b").trials.map(({ workspace }) => workspace ?? "");
    expect(kept.every((path) => readdirSync(path).includes("new.txt"))).toBe(true);
    expect(caseOf(p, "a").trials.map(({ workspace }) => workspace)).toEqual([null, null, null, null]);
  });

  it("that was kept though its run passed is on the console", async () => {
    const p = suiteProject(
      "workspace: { template: ../../t, keep: always }\ncases: [{ id: a, task: x, expect_keywords: begin }]\n",
      { "t/a.txt": "begin\n", ".eval-banana/targets/default.yaml": EDITS },
    );
    const { stdout } = await runSuite(p);
    const kept = caseOf(p, "a").trials[0]?.workspace ?? "";
    expect(readdirSync(kept)).toContain("new.txt");
    expect(stdout).toContain(`workspaces kept: ${kept}\n`);
    expect(suiteReport(p).kept_workspaces).toEqual([kept]);
  });

  it("of a commit holds what was there then", async () => {
    const p = suiteProject(
      "cases:\n  - { id: a, task: x, expect_regex: [^first$], workspace: { repo: ../../r, ref: v1, keep: never } }\n",
      { "r/a.txt": "first\n", ".eval-banana/targets/default.yaml": EDITS },
    );
    git(p.path("r"), "init", "-q");
    git(p.path("r"), "add", ".");
    git(p.path("r"), "commit", "-qm", "one");
    git(p.path("r"), "tag", "v1");
    p.write({ "r/a.txt": "second\n" });
    git(p.path("r"), "commit", "-qam", "two");
    await runSuite(p);
    expect(caseOf(p, "a")).toMatchObject({ passed: true });
    expect(git(p.path("r"), "status", "--porcelain")).toBe("");
  });

  it("is edited again from the cache, without a call", async () => {
    const suite = (text: string) => `workspace: { template: ../../t }
cases:
  - { id: a, task: x, checks: { files: { must_change: [a.txt], contains: { a.txt: ${text} } } } }
`;
    const p = suiteProject(suite("more"), { "t/a.txt": "begin\n", ".eval-banana/targets/default.yaml": EDITS });
    const calls = () => p.read("calls.jsonl").trim().split("\n").length;
    await runSuite(p);
    await runSuite(p);
    expect(suiteReport(p)).toMatchObject({ cached_runs: 1, passed_cases: 1 });
    p.write({ ".eval-banana/evals/suite.yaml": suite("less") });
    await runSuite(p);
    expect(caseOf(p, "a")).toMatchObject({ passed: false, cached: 1 });
    expect(calls()).toBe(1);
    p.write({ "t/a.txt": "another\n" });
    await runSuite(p);
    expect(calls()).toBe(2);
  });

  it("is torn down, and fails its case where it can't be laid out", async () => {
    const p = suiteProject(
      `cases:
  - { id: bad, task: x, expect_keywords: [x], workspace: { setup: ["echo no >&2; exit 3"] } }
  - { id: good, task: x, expect_keywords: [begin], workspace: { files: { a.txt: begin }, setup: ["echo up >> $LOG"], teardown: ["echo down >> $LOG"] } }
`,
      { ".eval-banana/targets/default.yaml": EDITS },
    );
    const log = p.path("log.txt");
    await runSuite(p, ["--max-parallel", "1"], { LOG: log });
    expect(caseOf(p, "bad").failure_reasons.join()).toContain("ended with exit code 3: no");
    expect(caseOf(p, "good")).toMatchObject({ passed: true });
    expect(readFileSync(log, "utf8")).toBe("up\ndown\n");
    expect(existsSync(p.path("a.txt"))).toBe(false);
  });
});
