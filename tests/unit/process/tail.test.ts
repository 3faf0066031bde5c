import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readTail } from "../../../src/process/tail.js";
import { temporaryDirectory } from "../../helpers/project.js";

function tailOf(content: string | Uint8Array, max: number) {
  const path = join(temporaryDirectory(), "file");
  writeFileSync(path, content);
  return readTail(path, max);
}

describe("readTail", () => {
  it.each([
    ["an empty file", "", 5, "", false],
    ["a shorter file", "abc", 5, "abc", false],
    ["a file of just that length", "abcde", 5, "abcde", false],
    ["one character more", "abcdef", 5, "bcdef", true],
    ["characters of two bytes", "é".repeat(6), 5, "é".repeat(5), true],
    ["characters of three bytes", "你".repeat(100), 5, "你".repeat(5), true],
    ["characters of four bytes count once", "😀".repeat(100), 5, "😀".repeat(5), true],
    ["as many characters of four bytes as are wanted", "😀".repeat(5), 5, "😀".repeat(5), false],
    ["a mix", `${"x".repeat(50)}é你😀a`, 5, "xé你😀a", true],
  ])("gives the last characters of %s", (_, content, max, text, cut) => {
    expect(tailOf(content, max)).toEqual({ text, cut, bytes: Buffer.byteLength(content) });
  });

  it("shows bytes that are no UTF-8 as U+FFFD, one by one", () => {
    expect(tailOf(Buffer.from("61fffe62", "hex"), 5).text).toBe("a��b");
    expect(tailOf(Buffer.alloc(1000, 0xff), 5)).toEqual({ text: "�����", cut: true, bytes: 1000 });
    expect(tailOf(Buffer.alloc(1000, 0x80), 5)).toEqual({ text: "�����", cut: true, bytes: 1000 });
  });

  it("never begins within a character, wherever it is cut", () => {
    for (let lead = 0; lead < 8; lead++) {
      const content = "x".repeat(lead) + "€".repeat(30);
      expect(tailOf(content, 7).text, `after ${lead} bytes`).toBe("€".repeat(7));
    }
  });
});
