import { cpSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { loadSuite } from "../../../../src/suites/load/load-suite.js";
import { type Project, project } from "../../../helpers/project.js";

const CASE = {
  id: "it",
  input: { b: 1, a: 2 },
  expect_keywords: ["k"],
  checks: { script_path: "s.py", must_match: "a" },
  workspace: { template: "t", files: { "a.txt": { from: "f.txt" }, "b.txt": "x" }, setup: ["true"] },
};
const FILES = { "s.py": "pass", "f.txt": "1", "t/x": "" };

function digestsIn(p: Project, path = "s.json"): { suite: string; first: string } {
  const { suite } = loadSuite(p.path(path), { projectRoot: p.root });
  const [first] = suite?.cases ?? [];
  if (!suite || !first) throw new Error("not valid");
  return { suite: suite.digest, first: first.digest };
}

function digestOf(fields: object, files: Record<string, string> = {}): string {
  return digestsIn(project({ ...FILES, ...files, "s.json": JSON.stringify([{ ...CASE, ...fields }]) })).first;
}

describe("the digest of a case", () => {
  it.each<[string, object, Record<string, string>]>([
    ["in another directory", {}, {}],
    ["with other tags", { tags: ["t"] }, {}],
    ["run more often", { runs: 5 }, {}],
    ["with its fields in another order", { input: { a: 2, b: 1 } }, {}],
    ["with what is the default", { must_succeed: true, max_turns: 0 }, {}],
    ["with another file in its template", {}, { "t/y": "" }],
    ["kept at other times", { workspace: { ...CASE.workspace, keep: "always" } }, {}],
  ])("is the same %s", (_, fields, files) => {
    expect(digestOf(fields, files)).toBe(digestOf({}));
  });

  it.each<[string, object, Record<string, string>]>([
    ["id", { id: "other" }, {}],
    ["input", { input: "x" }, {}],
    ["target", { config: "c.yaml" }, {}],
    ["keyword", { expect_keywords: ["l"] }, {}],
    ["regular expression", { checks: { ...CASE.checks, must_match: "b" } }, {}],
    ["case of its regular expression", { checks: { script_path: "s.py" }, expect_regex: "a" }, {}],
    ["must_succeed", { must_succeed: false }, {}],
    ["time limit", { timeout_seconds: 1 }, {}],
    ["script", {}, { "s.py": "exit(1)" }],
    ["file", {}, { "f.txt": "2" }],
    ["content of a file", { workspace: { ...CASE.workspace, files: { "b.txt": "y" } } }, {}],
    ["template", { workspace: { ...CASE.workspace, template: "." } }, {}],
    ["setup", { workspace: { ...CASE.workspace, setup: ["false"] } }, {}],
  ])("is another one with another %s", (_, fields, files) => {
    expect(digestOf(fields, files)).not.toBe(digestOf({}));
  });

  it("is the same in YAML, and in a copy of the project", () => {
    const p = project({ ...FILES, "s.json": JSON.stringify([CASE]), "s.yaml": JSON.stringify([CASE]) });
    const copy = project();
    cpSync(p.root, copy.root, { recursive: true });
    expect(digestsIn(copy, "s.yaml")).toEqual(digestsIn(p));
  });
});

describe("the digest of a suite", () => {
  const digest = (suite: object) => digestsIn(project({ "s.json": JSON.stringify(suite) })).suite;
  const [a, b] = ["a", "b"].map((id) => ({ id, input: 1, expect_keywords: ["k"] }));

  it("does not depend on its name, gates, and the order of its cases", () => {
    expect(digest({ name: "x", gates: { max_drop: 1 }, cases: [b, a] })).toBe(digest({ cases: [a, b] }));
  });

  it.each<object>([{ cases: [a] }, { runs: 2 }, { config: "c" }, { judge: { votes: 3 } }, { timeout_seconds: 1 }])(
    "depends on %j",
    (fields) => {
      expect(digest({ cases: [a, b], ...fields })).not.toBe(digest({ cases: [a, b] }));
    },
  );
});
