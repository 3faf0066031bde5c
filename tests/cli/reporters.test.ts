import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { expectInert } from "../helpers/hostile.js";
import { hostileProject } from "../helpers/hostile-project.js";
import { oneCheck, project } from "../helpers/project.js";

const reporting = (...values: string[]) => ["run", ...values.flatMap((value) => ["--reporter", value])];

describe("--reporter", () => {
  it("writes to the paths asked for, in new directories too, besides what is always written", async () => {
    const p = project(oneCheck("pass"));
    const args = reporting("junit:out/ci/junit.xml", "json:again.json", "markdown:sum mary.md", "html:page.html");
    const { code, stdout } = await p.eb(args);
    expect(code).toBe(0);
    expect(stdout).toContain("PASSED");
    expect(p.read("out/ci/junit.xml")).toContain("<testsuites>");
    expect(JSON.parse(p.read("again.json"))).toEqual(p.report());
    expect(p.read("page.html")).toMatch(/^<!doctype html>/);
    expect(p.read("sum mary.md")).toBe(readFileSync(join(p.runDir(), "report.md"), "utf8"));
  });

  it.each([
    ["json", /^\{\n {2}"schema_version": 1/],
    ["junit", /^<\?xml/],
    ["markdown", /^# ✅ Passed/],
    ["html", /^<!doctype html>/],
  ])("%s:- goes to standard output alone", async (name, begin) => {
    const { code, stdout, stderr } = await project(oneCheck("pass")).eb(reporting(`${name}:-`));
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout).toMatch(begin);
    expect(stdout).not.toContain("✓ it");
  });

  it.each(["junit:-", "markdown:-", "html:-", "console"])(
    "%s prints nothing that a log would act on",
    async (reporter) => {
      const { stdout, stderr } = await hostileProject().eb(reporting(reporter));
      expect(stdout).toContain("onerror");
      expectInert(stdout + stderr);
    },
  );

  it.each([
    ["junt", "unknown reporter 'junt' (did you mean 'junit'?)"],
    ["html5", "unknown reporter 'html5'"],
    ["", "unknown reporter ''"],
    ["junit:", "the path of the junit reporter is empty"],
    ["console:x", "the console reporter takes no path"],
  ])("%j is refused before anything runs", async (value, message) => {
    const p = project(oneCheck("pass"));
    const { code, stdout, stderr } = await p.eb(reporting(value));
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toContain(message);
    expect(stderr).toContain("--reporter takes html, json, junit, markdown, console");
    expect(p.runDirs()).toEqual([]);
  });

  it("refuses two different documents on standard output", async () => {
    const { code, stderr } = await project(oneCheck("pass")).eb([...reporting("junit:-"), "--json"]);
    expect(code).toBe(2);
    expect(stderr).toContain("only one report can go to standard output, not junit and json");
  });
});

describe("a report that can't be written", () => {
  it.each([
    { verdict: "passed", script: "pass", code: 2 },
    { verdict: "did not pass", script: "exit(1)", code: 1 },
  ])("does not stop the others; a run that $verdict ends with $code", async ({ script, code }) => {
    const p = project({ ...oneCheck(script), file: "" });
    mkdirSync(p.path("directory"));
    const {
      code: found,
      stdout,
      stderr,
    } = await p.eb(reporting("junit:file/junit.xml", "markdown:directory", "json:good.json"));
    expect(found).toBe(code);
    expect(stderr.split("\n")).toEqual([
      `warning: the junit reporter failed: a part of the path is not a directory (ENOTDIR): ${p.path("file/junit.xml")}`,
      `warning: the markdown reporter failed: it is a directory (EISDIR): ${p.path("directory")}`,
      "",
    ]);
    expect(JSON.parse(p.read("good.json"))).toEqual(p.report());
    expect(existsSync(join(p.runDir(), "report.md"))).toBe(true);
    expect(stdout).toContain("1 point");
  });
});
