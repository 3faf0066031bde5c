import { readdirSync, readFileSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { settingKeys } from "../../src/config/settings.js";
import { jsonSchemas } from "../../src/schemas.js";

const ajv = new Ajv2020();
const validators = new Map(Object.entries(jsonSchemas()).map(([name, schema]) => [name, ajv.compile(schema)]));

function accepts(name: string, value: unknown): boolean {
  const validate = validators.get(name);
  if (!validate) throw new Error(`no schema ${name}`);
  return validate(value);
}

describe("the JSON Schemas", () => {
  it("in the package are those of the source", () => {
    const schemas = jsonSchemas();
    expect(readdirSync("dist/schema").sort()).toEqual(Object.keys(schemas).sort());
    for (const [name, schema] of Object.entries(schemas)) {
      expect(JSON.parse(readFileSync(`dist/schema/${name}`, "utf8"))).toEqual(JSON.parse(JSON.stringify(schema)));
    }
  });

  it.each<[string, boolean]>([
    ["{schema_version: 1, id: x, type: deterministic, description: d, script: pass}", true],
    ["{schema_version: 1, id: x, type: deterministic, description: d, script_path: a.py, timeout_seconds: 5}", true],
    ["{schema_version: 1, id: x, type: harness_judge, description: d, instructions: Look., votes: 3}", true],
    ["{schema_version: 1, id: x, type: harness_judge, description: d}", false],
    ["{schema_version: 2, id: x, type: deterministic, description: d, script: pass}", false],
    ["{schema_version: 1, id: a b, type: deterministic, description: d, script: pass}", false],
    ["{schema_version: 1, id: x, type: deterministic, description: ' ', script: pass}", false],
    ["{schema_version: 1, id: x, type: deterministic, description: d, scrpt: pass}", false],
    ["{schema_version: 1, id: x, type: deterministic, description: d, script: pass, timeout_seconds: 0}", false],
    ["{schema_version: 1, id: x, type: deterministic, description: d, script: pass, tags: [1]}", false],
    ["{schema_version: 1, id: x, type: llm_judge, description: d, instructions: Look.}", false],
    ["{schema_version: 1, id: x, type: deterministic, description: d, script: pass, instructions: Look.}", false],
  ])("check.json says of %s: %s", (yaml, valid) => {
    expect(accepts("check.json", parse(yaml))).toBe(valid);
  });

  it.each<[object, boolean]>([
    [{}, true],
    [{ core: { pass_threshold: 0.5 }, harness: { env: { A: "b" } } }, true],
    [{ agents: { mine: { command: ["x"], prompt_position: "tail" } } }, true],
    [{ core: { pass_threshold: 1.5 } }, false],
    [{ core: { max_parallel_checks: 0 } }, false],
    [{ core: { foo: 1 } }, false],
    [{ llm: {} }, false],
    [{ discovery: { exclude_dirs: ["a/b"] } }, false],
    [{ agents: { mine: { command: [] } } }, false],
  ])("config.json says of %j: %s", (config, valid) => {
    expect(accepts("config.json", config)).toBe(valid);
  });

  it.each<[string, boolean]>([
    ["{cases: [{id: a, task: t, expect_keywords: [k]}]}", true],
    ["[{id: a, input: {x: 1}, checks: {must_match: k, valid_json: true, rubric: [q]}}]", true],
    ["{cases_file: c.csv, runs: 3, judge: {when: never, votes: 3}, gates: {max_drop: 0.1}}", true],
    [
      "[{id: a, input: 0, workspace: {repo: r, files: {a: x, b: {from: c}}}, checks: {files: {must_exist: [a]}}}]",
      true,
    ],
    ["{cases: [{id: a, task: t, expect_keyword: [k]}]}", false],
    ["[{id: a, task: t, must_contain: [k]}]", false],
    ["[{id: 1, task: t}]", false],
    ["[{task: t}]", false],
    ["[{id: a, task: 0}]", false],
    ["[{id: a, checks: {valid_json: false}}]", false],
    ["[{id: a, checks: {trajectory: {must_call: [{nme: a}]}}}]", false],
    ["{judge: {when: sometimes}, cases: []}", false],
    ["{runs: 0, cases: []}", false],
    ["cases", false],
  ])("suite.json says of %s: %s", (yaml, valid) => {
    expect(accepts("suite.json", parse(yaml))).toBe(valid);
  });

  it("config.json describes every setting", () => {
    const { properties } = jsonSchemas()["config.json"] as {
      properties: Record<string, { properties?: Record<string, { description?: string }> }>;
    };
    for (const key of settingKeys) {
      const [section = "", name = ""] = key.split(".");
      expect(properties[section]?.properties?.[name]?.description, key).toBeTruthy();
    }
  });

  it("report.json refuses what is no report", () => {
    expect(accepts("report.json", { schema_version: 1 })).toBe(false);
  });
});
