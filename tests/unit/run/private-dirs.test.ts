import { chmodSync, existsSync, linkSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createEvidenceDirs } from "../../../src/run/evidence-dirs.js";
import { createPrivateDirs } from "../../../src/run/private-dirs.js";
import { temporaryDirectory } from "../../helpers/project.js";

describe("private directories", () => {
  it("are used again with new content", () => {
    const dirs = createPrivateDirs(temporaryDirectory());
    const first = dirs.take({ a: "long content", b: "" });
    dirs.giveBack(first);
    const second = dirs.take({ a: "short", b: "x" });
    expect(second).toBe(first);
    expect(["a", "b"].map((name) => readFileSync(join(second, name), "utf8"))).toEqual(["short", "x"]);
    expect(dirs.take({ a: "" })).not.toBe(second);
  });

  it.each<[string, (directory: string) => void]>([
    ["more", (directory) => writeFileSync(join(directory, "more"), "")],
    ["less", (directory) => rmSync(join(directory, "a"))],
    ["another mode", (directory) => chmodSync(join(directory, "a"), 0o400)],
    ["a second name of a file", (directory) => linkSync(join(directory, "a"), `${directory}-kept`)],
    [
      "a link",
      (directory) => {
        rmSync(join(directory, "a"));
        symlinkSync("/dev/null", join(directory, "a"));
      },
    ],
    ["nothing, and is gone", (directory) => rmSync(directory, { recursive: true })],
  ])("are not used again where there is %s", (_, change) => {
    const dirs = createPrivateDirs(temporaryDirectory());
    const first = dirs.take({ a: "1" });
    change(first);
    dirs.giveBack(first);
    expect(dirs.take({ a: "2" })).not.toBe(first);
  });
});

it("directories for evidence are there while a check runs, and stay only with evidence in them", () => {
  const root = temporaryDirectory();
  const dirs = createEvidenceDirs();
  const [a, b, c, d] = ["a", "b", "c", "d"].map((name) => join(root, name)) as [string, string, string, string];
  dirs.make(a);
  dirs.settle(a);
  dirs.make(b);
  writeFileSync(join(b, "kept"), "");
  dirs.settle(b);
  dirs.make(c);
  dirs.settle(c);
  // Whoever writes there late keeps it.
  writeFileSync(join(c, "late"), "");
  dirs.make(d);
  dirs.settle(d);
  dirs.clear();
  expect([a, b, c, d].map((path) => existsSync(path))).toEqual([false, true, true, false]);
});
