import { expect, it } from "vitest";
import { parseYaml } from "../../../../src/core/yaml.js";
import { type StarterTarget, starterTarget } from "../../../../src/suites/starter/starter-target.js";

it.each<[StarterTarget, object]>([
  [
    { kind: "stand-in", script: "a b.mjs", json: true },
    { type: "command", command: ["node", "a b.mjs", "--json"], input: "stdin", output: "json" },
  ],
  [
    { kind: "command", command: ["a: b", "#c", "{task}", 'q"'], input: "arg", output: "text" },
    { type: "command", command: ["a: b", "#c", "{task}", 'q"'], input: "arg", output: "text" },
  ],
  [
    { kind: "http", url: "http://127.0.0.1/?a#b", output: "/a~1b/0" },
    {
      type: "http",
      url: "http://127.0.0.1/?a#b",
      method: "POST",
      headers: { "content-type": "application/json" },
      body: { task: "{task}" },
      output: "/a~1b/0",
    },
  ],
  [
    { kind: "module", path: "ä: #.ts", export: "default" },
    { type: "module", path: "ä: #.ts", export: "default" },
  ],
  [
    { kind: "agent", agent: "claude", model: "" },
    { type: "agent", agent: "claude" },
  ],
  [
    { kind: "agent", agent: "no", model: "1.10" },
    { type: "agent", agent: "no", model: "1.10" },
  ],
])("%j is written as YAML that says it", (target, expected) => {
  expect(parseYaml(Buffer.from(starterTarget(target)))).toMatchObject({ problems: [], value: expected });
});
