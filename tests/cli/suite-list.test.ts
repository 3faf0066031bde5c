import { describe, expect, it } from "vitest";
import { project } from "../helpers/project.js";

const SUITE = `name: Mine
config: t.yaml
cases:
  - { id: a, tags: [x, y], task: t, expect_keywords: [k, l], max_turns: 2 }
  - { id: b, task: t, runs: 4, config: own.yaml, must_succeed: false, checks: { rubric: Is it? } }
  - { id: c, tags: [x], task: t, expect_regex: k }
`;
const DEFAULT = ".eval-banana/evals/suite.yaml";

describe("eb suite list", () => {
  it("prints id, tags and assertions of the default suite", async () => {
    const p = project({ [DEFAULT]: SUITE, "sub/x": "" });
    const stdout = "a\tx,y\tcontains x2, max_turns\nb\t\trubric\nc\tx\tmatches\n";
    expect(await p.eb(["suite", "list"])).toEqual({ code: 0, stdout, stderr: "" });
    expect(await p.eb(["suite", "list"], { cwd: p.path("sub") })).toMatchObject({ code: 0, stdout });
    expect(await p.eb(["suite", "list", "--cwd", p.path("sub")], { cwd: "/" })).toMatchObject({ code: 0, stdout });
  });

  it.each<[string[], string]>([
    [["--filter", "X"], "a c"],
    [["--tag", "y", "--tag", "z"], "a"],
    [["--case", "c", "--case", "b"], "b c"],
    [["--sample", "2", "--seed", "1", "--filter", "x"], "a c"],
  ])("%j selects %s", async (options, ids) => {
    const { code, stdout } = await project({ "s.yaml": SUITE }).eb(["suite", "list", "s.yaml", ...options]);
    expect(code).toBe(0);
    expect(
      stdout
        .trimEnd()
        .split("\n")
        .map((line) => line.split("\t")[0]),
    ).toEqual(ids.split(" "));
  });

  it("prints a document with --json", async () => {
    const p = project({ "s.yaml": SUITE });
    const { code, stdout } = await p.eb(["suite", "list", "s.yaml", "--json", "--case", "b"]);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual({
      project_root: p.root,
      suite: { name: "Mine", path: p.path("s.yaml"), config: "t.yaml", digest: expect.stringMatching(/^sha256:/) },
      cases: [
        {
          case_id: "b",
          tags: [],
          config: "own.yaml",
          runs: 4,
          must_succeed: false,
          assertions: ["rubric"],
          source_path: p.path("s.yaml"),
          line: 5,
          digest: expect.stringMatching(/^sha256:/),
        },
      ],
      errors: [],
    });
  });

  it("makes one line of each case, whatever its tags hold", async () => {
    const suite = JSON.stringify([{ id: "a", tags: ["x\ty\nz\u001b[31m"], task: "t", expect_keywords: ["k"] }]);
    const { stdout } = await project({ "s.json": suite }).eb(["suite", "list", "s.json"]);
    expect(stdout).toBe("a\tx y ⏎ z\tcontains\n");
  });

  it.each<[string[], string | RegExp]>([
    [
      ["s.yaml", "--case", "aa"],
      "error: no case has the id 'aa' (did you mean 'a'?)\nhint: eb suite list s.yaml prints the cases there are\n",
    ],
    [["s.yaml", "--tag", "q"], /^error: no cases selected: none of the 3 cases has the tag 'q'\n/],
    [["s.yaml", "--sample", "0"], /argument '0' is invalid\. It must be a whole number of at least 1\./],
    [["s.yaml", "--sample", "1", "--sample", "2"], /takes one value/],
    [["s.yaml", "--filter", " "], /must not be blank/],
    [
      [],
      /^error: there is no suite: no such file or directory \(ENOENT\): .*suite\.yaml\nhint: eb suite init writes one/,
    ],
    [["."], /^error: the suite is not valid\n {2}.*: cannot be read: it is a directory/],
  ])("%j cannot be done", async (args, stderr) => {
    const finished = await project({ "s.yaml": SUITE }).eb(["suite", "list", ...args]);
    expect(finished).toMatchObject({ code: 2, stdout: "" });
    expect(finished.stderr).toMatch(stderr);
  });

  it("prints what can be run of a suite with faults, and ends as eb list does", async () => {
    const p = project({ "s.yaml": "[{id: a, task: t, expect_regex: '('}, {id: b, task: t, expect_keywords: [k]}]" });
    const { code, stdout, stderr } = await p.eb(["suite", "list", "s.yaml"]);
    expect(stdout).toBe("a\t\tmatches\nb\t\tcontains\n");
    expect(stderr).toMatch(
      /^error: the suite is not valid\n {2}s\.yaml:1:33: a: expect_regex: not a valid regular expression: /,
    );
    expect(code).toBe(2);
  });
});

describe("eb suite", () => {
  it("is in the help, and has its own", async () => {
    const p = project();
    expect((await p.eb(["--help"])).stdout).toMatch(/^ {2}suite {2,}\S/m);
    const help = await p.eb(["suite", "--help"]);
    expect(help).toMatchObject({ code: 0, stderr: "" });
    expect(help.stdout).toMatch(/^Usage: eb suite [\s\S]*^ {2}list [\s\S]*^ {2}validate /m);
    expect(await p.eb(["help", "suite"])).toEqual(help);
    expect((await p.eb(["suite", "list", "--help"])).stdout).toContain("--sample <n>");
    expect(await p.eb(["suite"])).toMatchObject({
      code: 2,
      stdout: "",
      stderr: expect.stringContaining("Usage: eb suite"),
    });
    expect(await p.eb(["suite", "lst"])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("Did you mean list?"),
    });
  });
});
