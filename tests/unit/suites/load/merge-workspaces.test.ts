import { describe, expect, it } from "vitest";
import { loadSuite } from "../../../../src/suites/load/load-suite.js";
import { completeWorkspace, mergeWorkspaces } from "../../../../src/suites/load/merge-workspaces.js";
import { problemsOf } from "../../../helpers/loaded-suite.js";
import { project } from "../../../helpers/project.js";

describe("the workspace of a case", () => {
  it("is that of the suite with what the case says; paths lead from the suite, or else from the root", () => {
    const suite = `
workspace:
  repo: repo
  ref: v1
  files: { a: from suite, b: { from: b.txt } }
  setup: [make]
  keep: always
cases:
  - { id: plain, task: x, expect_keywords: [k] }
  - id: own
    task: x
    expect_keywords: [k]
    workspace: { template: t, files: { a: { from: a.txt }, c: "" }, setup: [] }
  - { id: url, task: x, expect_keywords: [k], workspace: { repo: "https://example.com/x.git" } }
  - { id: scp, task: x, expect_keywords: [k], workspace: { repo: "git@example.com:x.git", ref: main } }
`;
    const p = project({ "evals/s.yaml": suite, "evals/t/x": "", "repo/x": "", "evals/a.txt": "", "b.txt": "" });
    const { suite: found, problems } = loadSuite(p.path("evals/s.yaml"), { projectRoot: p.root });
    expect(problems).toEqual([]);
    const ofSuite = {
      setup: ["make"],
      keep: "always",
      files: { a: { content: "from suite" }, b: { from: p.path("b.txt") } },
    };
    expect(found?.cases.map(({ workspace }) => workspace)).toEqual([
      { ...ofSuite, from: { repo: p.path("repo"), ref: "v1" } },
      {
        from: { template: p.path("evals/t") },
        files: { a: { from: p.path("evals/a.txt") }, b: { from: p.path("b.txt") }, c: { content: "" } },
        setup: [],
        keep: "always",
      },
      { ...ofSuite, from: { repo: "https://example.com/x.git", ref: "HEAD" } },
      { ...ofSuite, from: { repo: "git@example.com:x.git", ref: "main" } },
    ]);
  });

  it.each<[string, string]>([
    ["{ template: a, repo: b }", "1:33 workspace.repo: exactly one of 'template' and 'repo' can be given, found both"],
    ["{ ref: main }", "1:19 workspace.ref: 'ref' is a commit of 'repo', which is missing"],
    ["{ keep: sometimes }", "1:20 workspace.keep: expected 'never', 'on_failure' or 'always', found \"sometimes\""],
    ["{ setup: make }", '1:21 workspace.setup: expected a list of shell commands, found "make"'],
    [
      "{ files: { a: 1 } }",
      "1:26 workspace.files.a: expected the content of the file, or `from:` and a path, found 1 (a number)",
    ],
    ["{ files: { a: { form: x } } }", "1:26 workspace.files.a.from: is required: a path"],
    ["{ templte: a }", "1:14 workspace.templte: unknown field (did you mean 'template'?)"],
    ["{ template: gone }", "1:24 workspace.template: is not a directory: gone"],
  ])("is told what is wrong with %s", (workspace, problem) => {
    const text = `workspace: ${workspace}\ncases: [{id: a, task: x, expect_keywords: [k]}]`;
    expect(problemsOf(text)[0]).toBe(`suite.yaml:${problem}`);
  });

  it("does not lead out of itself", () => {
    const text = "workspace: { files: { ../a: x } }\ncases: [{id: a, task: x, expect_keywords: [k]}]";
    expect(problemsOf(text)).toEqual([
      "suite.yaml:1:23 workspace.files.../a: must be a path in the workspace: relative, without '..'",
    ]);
  });
});

describe("mergeWorkspaces", () => {
  it("says nothing where nobody does", () => {
    expect(mergeWorkspaces(undefined, undefined)).toBeUndefined();
  });

  it("lets a later one win, field by field", () => {
    const target = { keep: "always", setup: ["a"], files: { x: { content: "1" } } } as const;
    const merged = mergeWorkspaces(target, undefined, { setup: [], files: { y: { content: "2" } } });
    expect(merged).toEqual({ keep: "always", setup: [], files: { x: { content: "1" }, y: { content: "2" } } });
    expect(completeWorkspace(merged ?? {})).toEqual({ ...merged, from: undefined, teardown: [] });
  });
});
