import { lstatSync, mkdirSync, readdirSync, readlinkSync, symlinkSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { oneCheck, project } from "../helpers/project.js";

const FILES = ["checks", "report.html", "report.json", "report.md"];
const ran = () => oneCheck("open('ran', 'w')");

describe("--flat-output", () => {
  it("writes into exactly the directory given, which may be absent or empty", async () => {
    const p = project({ ...oneCheck("print('x')"), ".eval-banana/config.toml": "", "sub/x": "" });
    // Relative to the root, wherever the search for it began.
    const absent = await p.eb(["run", "--flat-output", "--output-dir", "out/deep"], { cwd: p.path("sub") });
    expect(absent).toMatchObject({ code: 0, stderr: "" });
    mkdirSync(p.path("empty"));
    const empty = await p.eb(["run", "--flat-output", "--output-dir", `${p.path("empty")}/`]);
    expect(empty).toMatchObject({ code: 0, stderr: "" });
    for (const path of ["out/deep", "empty"]) {
      expect(readdirSync(p.path(path))).toEqual(expect.arrayContaining(FILES));
      const report = JSON.parse(p.read(`${path}/report.json`));
      expect(report).toMatchObject({ output_dir: p.path(path), run_passed: true });
      expect(report.run_id).toMatch(/^\d{8}_\d{6}_[0-9a-f]{8}$/);
    }
    expect(p.runDirs()).toEqual([]);

    // A second run does not overwrite the first.
    const before = p.read("empty/report.json");
    const again = await p.eb(["run", "--flat-output", "--output-dir", "empty"]);
    expect(again).toMatchObject({ code: 2, stdout: "" });
    expect(again.stderr).toContain(`error: output directory is not empty: ${p.path("empty")}\n`);
    expect(p.read("empty/report.json")).toBe(before);
  });

  it("refuses a directory with anything in it, and touches nothing", async () => {
    const p = project({ ...ran(), "out/.hidden": "mine" });
    const { code, stderr } = await p.eb(["run", "--flat-output", "--output-dir", "out"]);
    expect(code).toBe(2);
    expect(stderr).toMatch(/^error: output directory is not empty: .*\/out\nhint: /);
    expect(readdirSync(p.path("out"))).toEqual([".hidden"]);
    expect(() => p.read("ran")).toThrow("ENOENT");
  });

  it.each([
    ["to an empty directory", "target", "link"],
    ["written with a final slash", "target", "link/"],
    ["to nothing", "nowhere", "link"],
    ["to a file", "file", "link"],
  ])("refuses a link %s", async (_, target, given) => {
    const p = project({ ...ran(), file: "" });
    mkdirSync(p.path("target"));
    symlinkSync(target, p.path("link"));
    const { code, stderr } = await p.eb(["run", "--flat-output", "--output-dir", given]);
    expect(code).toBe(2);
    expect(stderr).toContain(`error: exact output path is a symlink: ${p.path("link")}\n`);
    expect(readlinkSync(p.path("link"))).toBe(target);
    expect(readdirSync(p.path("target"))).toEqual([]);
    expect(() => lstatSync(p.path("nowhere"))).toThrow("ENOENT");
    expect(() => p.read("ran")).toThrow("ENOENT");
  });

  it.each([
    ["file", "exact output path is not a directory"],
    ["file/sub", "a part of the path is not a directory"],
  ])("refuses %s", async (path, message) => {
    const p = project({ ...ran(), file: "mine" });
    const { code, stderr } = await p.eb(["run", "--flat-output", "--output-dir", path]);
    expect(code).toBe(2);
    expect(stderr).toContain(message);
    expect(p.read("file")).toBe("mine");
    expect(() => p.read("ran")).toThrow("ENOENT");
  });

  it("needs --output-dir on the command line: no other layer will do", async () => {
    const p = project({ ...ran(), ".eval-banana/config.toml": '[core]\noutput_dir = "out"\n' });
    const { code, stderr } = await p.eb(["run", "--flat-output"], { env: { EVAL_BANANA_OUTPUT_DIR: "out" } });
    expect(code).toBe(2);
    expect(stderr).toBe("error: --flat-output needs --output-dir\nhint: add --output-dir PATH\n");
    expect(() => lstatSync(p.path("out"))).toThrow("ENOENT");
    expect(() => p.read("ran")).toThrow("ENOENT");
  });
});

it.skipIf(process.platform !== "linux")("a directory that cannot be made is an error, not a hang", async () => {
  for (const place of ["/proc/nothing/here", "/dev/null/here"]) {
    const { code, stderr } = await project(oneCheck("pass")).eb(["run", "--output-dir", place], { timeout: 20_000 });
    expect(code).toBe(2);
    expect(stderr).toContain("cannot make the run directory");
  }
});
