import { execFileSync, spawn } from "node:child_process";
import { lstatSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { writeDocument, writeFileAtomic } from "../../../src/core/atomic.js";
import { temporaryDirectory } from "../../helpers/project.js";

describe("writeFileAtomic", () => {
  it("writes texts, bytes and pieces, over what was there, and leaves nothing beside it", () => {
    const directory = temporaryDirectory();
    const path = join(directory, "file");
    writeFileAtomic(path, "first");
    writeFileAtomic(path, Buffer.from([0xff, 0]));
    expect(readFileSync(path)).toEqual(Buffer.from([0xff, 0]));
    const pieces = Array(50_000).fill("piece of text, ä\n");
    writeFileAtomic(path, pieces);
    expect(readFileSync(path, "utf8")).toBe(pieces.join(""));
    expect(readdirSync(directory)).toEqual(["file"]);
  });

  it("leaves the old file and nothing else when the pieces can't be made", () => {
    const directory = temporaryDirectory();
    const path = join(directory, "file");
    writeFileSync(path, "old");
    function* pieces() {
      yield "x".repeat(200_000);
      throw new Error("no more");
    }
    expect(() => writeFileAtomic(path, pieces())).toThrow("no more");
    expect(readFileSync(path, "utf8")).toBe("old");
    expect(readdirSync(directory)).toEqual(["file"]);
  });
});

describe("writeDocument", () => {
  it("writes through a link", () => {
    const directory = temporaryDirectory();
    writeFileSync(join(directory, "real"), "old");
    symlinkSync("real", join(directory, "link"));
    writeDocument(join(directory, "link"), ["new"]);
    expect(readFileSync(join(directory, "real"), "utf8")).toBe("new");
    expect(lstatSync(join(directory, "link")).isSymbolicLink()).toBe(true);
  });

  it("writes into a pipe, which stays one", async () => {
    const pipe = join(temporaryDirectory(), "pipe");
    execFileSync("mkfifo", [pipe]);
    const reader = spawn("cat", [pipe], { stdio: ["ignore", "pipe", "inherit"] });
    // Opening the pipe waits for the other side.
    writeDocument(pipe, ["a", "b"]);
    expect((await reader.stdout.toArray()).join("")).toBe("ab");
    expect(lstatSync(pipe).isFIFO()).toBe(true);
  });
});
