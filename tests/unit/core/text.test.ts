import { describe, expect, it } from "vitest";
import {
  count,
  duration,
  oneLine,
  percent,
  percentsApart,
  printable,
  shortPath,
  truncate,
} from "../../../src/core/text.js";
import { expectInert, HOSTILE } from "../../helpers/hostile.js";

describe("printable", () => {
  it("leaves nothing that a terminal or GitHub's runner acts on", () => {
    expectInert(printable(HOSTILE));
  });

  it("keeps lines, tabs, umlauts, wide characters and emoji", () => {
    const text = "a\tb\n  ü 你好 👩‍👩‍👧 :: ok\nend ::x";
    expect(printable(text)).toBe(text);
  });

  it("shows where something was taken out", () => {
    expect(printable("a\u0000b\rc")).toBe("a·b·c");
    expect(printable("x\n  ::error::y")).toBe("x\n  ·::error::y");
    expect(printable("##[group]")).toBe("#·#[group]");
  });

  it("takes Windows line ends for line ends", () => {
    expect(printable("a\r\nb\r\n")).toBe("a\nb\n");
  });

  it("does not let a sequence come together from two halves", () => {
    expectInert(printable("\u001b\u001b[31m[31mred #\u001b[0m#\u001b[0m[error]x\n\u001b[0m::error::x"));
  });

  it("replaces half of a surrogate pair", () => {
    expect(printable("a\ud800b").isWellFormed()).toBe(true);
  });
});

describe("oneLine", () => {
  it("joins lines visibly and leaves no tab", () => {
    expect(oneLine("  a \r\n\n b\tc\u2028d  e\n")).toBe("a ⏎ b c·d  e");
  });

  it("is one inert line whatever it is given", () => {
    const line = oneLine(HOSTILE);
    expectInert(line);
    expect(line).not.toContain("\n");
  });

  it("cuts to the length asked for, never a character in half", () => {
    expect(oneLine("abcdef", 4)).toBe("abc…");
    expect(truncate("ab👍👍", 4)).toBe("ab…");
    expect(truncate("abcd", 4)).toBe("abcd");
    expect(truncate("abcd", 0)).toBe("…");
  });

  it.each([
    ["blanks", `a${" ".repeat(1_000_000)}b`],
    ["newlines", `a${"\n ".repeat(500_000)}b`],
    ["escapes", "\u001b]".repeat(500_000)],
    ["open sequences", `\u001b[${";1".repeat(500_000)}`],
    ["colons", "::".repeat(500_000)],
  ])("takes time linear in its length: 1 MB of %s", (_, text) => {
    const before = performance.now();
    expect(oneLine(text, 100).length).toBeLessThanOrEqual(100);
    expect(performance.now() - before).toBeLessThan(3000);
  });
});

describe("duration", () => {
  it.each([
    [0, "0 ms"],
    [999.4, "999 ms"],
    [999.6, "1.0 s"],
    [2449, "2.4 s"],
    [59_449, "59.4 s"],
    [59_970, "1 min 0 s"],
    [119_600, "2 min 0 s"],
    [200_000, "3 min 20 s"],
  ])("%d ms is %s", (ms, text) => {
    expect(duration(ms)).toBe(text);
  });
});

describe("count and shortPath", () => {
  it("counts one and many", () => {
    expect([count(0, "check"), count(1, "check"), count(2, "check")]).toEqual(["0 checks", "1 check", "2 checks"]);
  });

  it("shortens a path below the directory only, and keeps it on one line", () => {
    expect(shortPath("/a/b/c", "/a")).toBe("b/c");
    expect(shortPath("/x/y", "/a")).toBe("/x/y");
    expect(shortPath("/a/b\nPASSED", "/a")).toBe("b ⏎ PASSED");
    expectInert(shortPath("/a/::error::x", "/a"));
  });
});

describe("percent", () => {
  it.each([
    [1, "100%"],
    [0, "0%"],
    [2 / 3, "66.7%"],
    [0.9996, "99.96%"],
    [0.00001, "0.001%"],
    [-0.1, "-10%"],
    [1.5, "150%"],
    [1 - 1e-12, "100%"],
  ])("of %d is %s", (ratio, text) => expect(percent(ratio)).toBe(text));

  it("tells two shares apart", () => {
    expect(percentsApart(0.8996, 0.9)).toEqual(["89.96%", "90%"]);
    expect(percentsApart(0.5, 0.75)).toEqual(["50%", "75%"]);
    expect(percentsApart(0.5, 0.5)).toEqual(["50%", "50%"]);
  });
});
