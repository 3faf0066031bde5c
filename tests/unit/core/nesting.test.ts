import { expect, it } from "vitest";
import { isNestedTooDeeply } from "../../../src/core/nesting.js";

const nested = (levels: number): unknown => JSON.parse("[".repeat(levels) + "]".repeat(levels));

it.each([
  ["a text", false],
  [null, false],
  [{ a: [{ b: [] }] }, false],
  [nested(100), false],
  [nested(1_000), true],
  [nested(200_000), true],
  [{ wide: Array.from({ length: 200_000 }, () => ({})), deep: nested(1_000) }, true],
])("tells what goes on for too many levels", (value, expected) => {
  expect(isNestedTooDeeply(value)).toBe(expected);
});
