import { symlinkSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { FilesAssertion } from "../../../../src/suites/format/assertion.js";
import type { FileChange } from "../../../../src/suites/workspaces/changes.js";
import { type Project, project, temporaryDirectory } from "../../../helpers/project.js";
import { scoreOne } from "../../../helpers/scored-trial.js";

const lines = { added: 1, removed: 0 };
const CHANGES: FileChange[] = [
  { path: "src/a.ts", status: "modified", ...lines },
  { path: "src/new.ts", status: "added", ...lines },
  { path: "old.ts", status: "deleted", ...lines },
  { path: "lib/here.ts", from: "gone/there.ts", status: "renamed", ...lines },
];

function workspace(): Project {
  const it = project({ "src/a.ts": "const a = 1;\n", "src/new.ts": "", "README.md": "Hi", "odd/[x]*.txt": "y" });
  symlinkSync(temporaryDirectory(), it.path("out"));
  symlinkSync("README.md", it.path("in"));
  symlinkSync("/nowhere/at/all", it.path("broken"));
  return it;
}

async function reason(assertion: Partial<FilesAssertion>, changes = CHANGES): Promise<string> {
  const nothing = { mustExist: [], mustNotExist: [], mustChange: [], mustNotChange: [], contains: {} };
  const score = await scoreOne(
    { type: "files", ...nothing, ...assertion },
    { output: "x", workspace: { directory: workspace().root, changes: { files: changes, patch: null, leftOut: [] } } },
  );
  expect(score.status).toBe(score.reason === "" ? "passed" : "failed");
  return score.reason;
}

describe("files", () => {
  it.each<[Partial<FilesAssertion>, string]>([
    [{ mustExist: ["src/a.ts", "./src//a.ts", "src\\a.ts", "src/", "in", "."] }, ""],
    [{ mustExist: ["src/b.ts"] }, "'src/b.ts' does not exist"],
    [{ mustExist: ["broken"] }, "'broken' does not exist"],
    [{ mustNotExist: ["src/b.ts", "no/such/folder", "README.md/x"] }, ""],
    [
      { mustNotExist: ["README.md", "broken"] },
      "'README.md' exists, which it must not; 'broken' exists, which it must not",
    ],
    [{ mustChange: ["src/a.ts", "src", "./old.ts", "."] }, ""],
    [{ mustChange: ["gone/there.ts", "gone", "lib/here.ts", "lib"] }, ""],
    [{ mustNotChange: ["gone/there.ts"] }, "'gone/there.ts' must not be changed (renamed to lib/here.ts)"],
    [{ mustNotChange: ["gone"] }, "'gone' must not be changed (renamed: gone/there.ts to lib/here.ts)"],
    [{ mustNotChange: ["lib/here.ts"] }, "'lib/here.ts' must not be changed (renamed from gone/there.ts)"],
    [{ mustNotChange: ["lib"] }, "'lib' must not be changed (renamed: gone/there.ts to lib/here.ts)"],
    [{ mustChange: ["README.md", "src/a"] }, "'README.md' was not changed; 'src/a' was not changed"],
    [{ mustNotChange: ["README.md", "sr", "odd"] }, ""],
    [{ mustNotChange: ["old.ts"] }, "'old.ts' must not be changed (deleted)"],
    [{ mustNotChange: ["src"] }, "'src' must not be changed (modified: src/a.ts and 1 more)"],
    [{ contains: { "src/a.ts": "a = 1", in: "Hi" } }, ""],
    [{ contains: { "src/a.ts": "A = 1" } }, `'src/a.ts' does not contain "A = 1"`],
    [{ contains: { "no.ts": "x" } }, "'no.ts' can't be read: no such file or directory (ENOENT)"],
    [{ contains: { src: "x" } }, "'src' can't be read: it is a directory (EISDIR)"],
    [{ mustExist: ["odd/[x]*.txt"], mustNotChange: ["odd/[x]*.txt"] }, ""],
  ])("%j: %j", async (assertion, expected) => expect(await reason(assertion)).toBe(expected));

  it.each(["..", "../x", "src/../../x", "/etc/passwd", "C:\\x", "\\\\server\\x", "out", "out/x"])(
    "never looks at '%s', which is outside",
    async (path) => {
      for (const assertion of [
        { mustExist: [path] },
        { mustNotExist: [path] },
        { mustNotChange: [path] },
        { contains: { [path]: "" } },
      ]) {
        expect(await reason(assertion)).toContain("leaves the workspace");
      }
    },
  );

  it("refuses patterns: as a name one would never match", async () => {
    expect(await reason({ mustNotChange: ["src/**"] })).toContain("'src/**' is a pattern: expected the name of a file");
  });

  it("fails without a workspace", async () => {
    const nothing = { mustNotExist: [], mustChange: [], mustNotChange: [], contains: {} };
    const score = await scoreOne({ type: "files", mustExist: ["x"], ...nothing }, { output: "x" });
    expect(score).toMatchObject({ status: "failed", reason: "files can't be checked: the case has no workspace" });
  });
});
