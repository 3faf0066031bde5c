import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { problemsOf } from "../../../helpers/loaded-suite.js";

it("the suite of the docs is valid", () => {
  const page = readFileSync("docs/workspaces.md", "utf8");
  const [, suite = ""] = /^```yaml\n(.*?)^```/ms.exec(page) ?? [];
  const files = { "fixtures/shop/src/cart.js": "", "fixtures/orders.csv": "" };
  expect(problemsOf(suite, files)).toEqual([]);
});
