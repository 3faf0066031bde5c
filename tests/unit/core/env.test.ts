import { expect, it } from "vitest";
import { envNamesIn, expandEnv } from "../../../src/core/env.js";

it("{env:NAME} is replaced from the environment, once", () => {
  const parent = { A: "1", B: "{env:A} $&", EMPTY: "" };
  const values = { x: "<{env:A}{env:B}>", y: "{env:EMPTY}", z: "plain {env:} {ENV:A} $A %A%" };
  expect(expandEnv(values, parent)).toEqual({
    env: { x: "<1{env:A} $&>", y: "", z: "plain {env:} {ENV:A} $A %A%" },
    missing: [],
  });
});

it("what is not set becomes empty, and is told", () => {
  expect(expandEnv({ x: "a{env:GONE}b{env:GONE}", y: "{env:LOST}" }, {})).toEqual({
    env: { x: "ab", y: "" },
    missing: ["GONE", "GONE", "LOST"],
  });
});

it("all names are found", () => {
  expect(envNamesIn({ x: "{env:A}:{env:B}", y: "no", z: "{env:C D}" })).toEqual(["A", "B", "C D"]);
});
