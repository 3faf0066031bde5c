import { existsSync, lstatSync, mkdirSync, readdirSync, symlinkSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { oneCheck, project } from "../helpers/project.js";

const FILE = ".eval-banana/config.toml";

describe("eb init", () => {
  it("writes one file, which loads without a warning", async () => {
    const p = project(oneCheck("pass"));
    expect(await p.eb(["init"])).toEqual({
      code: 0,
      stdout: expect.stringContaining(`wrote ${FILE}\nnext: `),
      stderr: "",
    });
    expect(readdirSync(p.root, { recursive: true }).sort()).toEqual([
      ".eval-banana",
      FILE,
      "eval_checks",
      "eval_checks/it.yaml",
    ]);
    expect(p.read(FILE)).toMatch(/^# Settings of eval-banana/);
    expect(await p.eb(["validate"])).toEqual({ code: 0, stdout: "1 check valid\n", stderr: "" });
  });

  it("leaves a configuration as it is, unless it is told otherwise", async () => {
    const p = project({ [FILE]: "mine", ".eval-banana/notes": "mine too" });
    const refused = await p.eb(["init"]);
    expect(refused).toMatchObject({ code: 2, stdout: "" });
    expect(refused.stderr).toBe(
      `error: there is a configuration already: ${p.path(FILE)}\nhint: --force overwrites it\n`,
    );
    expect(p.read(FILE)).toBe("mine");

    expect(await p.eb(["init", "--force"])).toMatchObject({ code: 0, stderr: "" });
    expect(p.read(FILE)).toContain("[core]");
    expect(readdirSync(p.path(".eval-banana")).sort()).toEqual(["config.toml", "notes"]);
  });

  it("makes a project in a directory of another one", async () => {
    const p = project({ [FILE]: "", "sub/x": "" });
    expect(await p.eb(["init", "--cwd", "sub"])).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(`wrote sub/${FILE}\nnext: `),
    });
    expect(p.read(FILE)).toBe("");
    expect(existsSync(p.path("sub", FILE))).toBe(true);
  });

  it("does not write through a link, also where that leads to nothing", async () => {
    const p = project({ ".eval-banana/x": "" });
    symlinkSync("elsewhere", p.path(FILE));
    expect(await p.eb(["init"])).toMatchObject({ code: 2 });
    expect(await p.eb(["init", "--force"])).toMatchObject({ code: 0 });
    expect(lstatSync(p.path(FILE)).isFile()).toBe(true);
    expect(readdirSync(p.path(".eval-banana")).sort()).toEqual(["config.toml", "x"]);
  });

  it("says what is in the way, and leaves nothing behind", async () => {
    const p = project({ "a/.eval-banana": "a file" });
    mkdirSync(p.path("b", FILE), { recursive: true });
    const file = await p.eb(["init"], { cwd: p.path("a") });
    expect(file.code).toBe(2);
    expect(file.stderr).toMatch(/^error: .*\.eval-banana.*\n$/);
    const directory = await p.eb(["init", "--force"], { cwd: p.path("b") });
    expect(directory.code).toBe(2);
    expect(directory.stderr).toMatch(/^error: it is a directory .*config\.toml\n$/);
    expect(readdirSync(p.path("b/.eval-banana"))).toEqual(["config.toml"]);
  });
});
