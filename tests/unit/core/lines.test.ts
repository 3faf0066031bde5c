import { writeFileSync } from "node:fs";
import { expect, it } from "vitest";
import { linesOf, readPiece } from "../../../src/core/lines.js";
import { project } from "../../helpers/project.js";

it.each([
  ["", []],
  ["one", ["one"]],
  ["one\n\ntwo\n", ["one", "", "two"]],
  [`${"x".repeat(3_000_000)}\ny\u2028y\n`, ["x".repeat(3_000_000), "y\u2028y"]],
])("reads a file line by line", (text, lines) => {
  const file = project({}).path("lines.txt");
  writeFileSync(file, text);
  expect([...linesOf(file)].map(String)).toEqual(lines);
});

it("reads a part of a file", () => {
  const file = project({ "lines.txt": "one\ntwo\n" }).path("lines.txt");
  expect(readPiece(file, { offset: 4, length: 3 }).toString()).toBe("two");
});
