import { readFileSync } from "node:fs";
import TOML from "@iarna/toml";
import { expect, it } from "vitest";
import { loadTarget } from "../../../../src/suites/targets/load-target.js";
import { project } from "../../../helpers/project.js";

const page = readFileSync("docs/targets.md", "utf8");
const blocks = (kind: string) =>
  [...page.matchAll(new RegExp(`^\`\`\`${kind}\n(.*?)^\`\`\``, "gms"))].map(([, text = ""]) => text);

it("every target of the docs can be loaded, and there is one of each type", () => {
  const types = blocks("yaml").map((text) => {
    const p = project({ "t/t.yaml": text, "app/ask.mjs": "", "t/rules.md": "", "t/recorded.jsonl": "" });
    const { target, problems } = loadTarget(p.path("t/t.yaml"), { projectRoot: p.root });
    expect(problems).toEqual([]);
    return target?.type;
  });
  expect(types.sort()).toEqual(["agent", "command", "http", "model", "module", "replay", "team"]);
});

it("the models of the docs can be configured", () => {
  const [toml = ""] = blocks("toml");
  expect(TOML.parse(toml)).toHaveProperty("models.fast.url");
});
