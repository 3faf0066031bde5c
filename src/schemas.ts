import * as z from "zod";
import { checkSchema } from "./checks/check-schema.js";
import { configFileSchema } from "./config/schema.js";
import { runReportSchema } from "./report/schema.js";
import { suiteReportSchema } from "./report/suite-schema.js";
import { suiteFileSchema } from "./suites/format/schema.js";
import { targetFileSchema } from "./suites/targets/types.js";

/** The JSON Schemas that the package ships in `schema/`, by file name. */
export function jsonSchemas(): Record<string, object> {
  return {
    "check.json": oneScript(describe(checkSchema, "A check of eval-banana", "input")),
    "config.json": describe(configFileSchema(), "The settings of eval-banana: .eval-banana/config.toml", "input"),
    "report.json": describe(runReportSchema, "report.json of eval-banana", "output"),
    "suite.json": describe(suiteFileSchema, "A suite of eval-banana: test cases for an AI feature", "input"),
    "target.json": describe(targetFileSchema(), "A target of eval-banana: what the cases of a suite call", "input"),
    "suite-report.json": describe(suiteReportSchema, "report.json of a suite of eval-banana", "output"),
  };
}

/** What zod checks by code: a deterministic check has exactly one of two fields. */
function oneScript(schema: { oneOf?: { properties?: Record<string, unknown> }[] }): object {
  const oneOf = [{ required: ["script"] }, { required: ["script_path"] }];
  return { ...schema, oneOf: schema.oneOf?.map((type) => (type.properties?.["script"] ? { ...type, oneOf } : type)) };
}

function describe(schema: z.core.$ZodType, title: string, io: "input" | "output"): object {
  return { title, ...z.toJSONSchema(schema, { io, unrepresentable: "any" }) };
}
