import { expect, it } from "vitest";
import type * as z from "zod";
import { createRedactor } from "../../../src/core/redact.js";
import { maskCase, maskCheck } from "../../../src/report/mask.js";
import { checkResultSchema, INTERRUPTED } from "../../../src/report/schema.js";
import { type CaseResult, suiteReportSchema } from "../../../src/report/suite-schema.js";

const SECRET = "hush-hush-hush";
const redactor = createRedactor({ env: { MY_KEY: SECRET }, names: [] });

interface Def {
  type: string;
  shape: Record<string, z.core.$ZodType>;
  element: z.core.$ZodType;
  valueType: z.core.$ZodType;
  innerType: z.core.$ZodType;
  options: [z.core.$ZodType];
}

/** A value of a schema in which every text is the secret. */
function filled(schema: z.core.$ZodType): unknown {
  const { def } = schema._zod as unknown as { def: Def };
  switch (def.type) {
    case "object":
      return Object.fromEntries(Object.entries(def.shape).map(([name, part]) => [name, filled(part)]));
    case "array":
      return [filled(def.element)];
    case "record":
      return { [SECRET]: filled(def.valueType) };
    case "nullable":
    case "optional":
      return filled(def.innerType);
    case "union":
      return filled(def.options[0]);
    // `z.json()`.
    case "lazy":
      return SECRET;
    case "number":
      return 1;
    case "boolean":
      return true;
    default:
      return SECRET;
  }
}

/** Where the secret still stands; names of fields count. */
function left(value: unknown, path = ""): string[] {
  if (typeof value === "string") return value.includes(SECRET) ? [path] : [];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, part]) => {
    const at = Array.isArray(value) ? `${path}[]` : `${path}${path && "."}${name}`;
    return [...(name === SECRET ? [`${at} (name)`] : []), ...left(part, at)];
  });
}

it("of a check all is masked but what is ours", () => {
  const ours = ["check_id", "check_type", "check_definition_sha256", "source_path", "tags[]", "status", "score"];
  const times = ["started_at", "completed_at"];
  const details = [`details.${SECRET} (name)`, `details.${SECRET}`];
  const check = filled(checkResultSchema) as z.infer<typeof checkResultSchema>;
  expect(left(maskCheck(check, redactor)).sort()).toEqual([...ours, ...times, ...details].sort());
});

it("of a case all is masked but what is ours", () => {
  const result = filled(suiteReportSchema.shape.cases.element) as CaseResult;
  expect(left(maskCase(result, redactor)).sort()).toEqual(
    [
      ...["case_id", "session_id", "tags[]", "status", "target", "target_type", "source_path"],
      ...["case_sha256", "target_sha256", "started_at", "completed_at"],
      ...["session_id", "key", "status", "started_at", "workspace"].map((name) => `trials[].${name}`),
      "trials[].messages[].role",
      ...["type", "status"].map((name) => `trials[].scores[].${name}`),
      ...["scores[].metrics", "scores[].details", "changes[]", "evidence"].flatMap((name) =>
        [`${SECRET} (name)`, ...(name === "scores[].metrics" ? [] : [SECRET])].map((end) => `trials[].${name}.${end}`),
      ),
    ].sort(),
  );
});

it("of details what an agent says is masked", () => {
  const details = {
    agent_type: SECRET,
    session_id: SECRET,
    attempts: [{ status: SECRET, reason: SECRET, error_detail: null }],
  };
  const check = { ...(filled(checkResultSchema) as z.infer<typeof checkResultSchema>), details };
  expect(maskCheck(check, redactor).details).toEqual({
    agent_type: SECRET,
    session_id: "***MY_KEY***",
    attempts: [{ status: SECRET, reason: "***MY_KEY***", error_detail: null }],
  });
});

it("the word that tells of a stop is no secret", () => {
  const named = createRedactor({ env: { MY_KEY: INTERRUPTED }, names: [] });
  const check = { ...(filled(checkResultSchema) as z.infer<typeof checkResultSchema>), error_detail: INTERRUPTED };
  expect(maskCheck(check, named).error_detail).toBe(INTERRUPTED);
});
