import type * as z from "zod";
import type { Problem } from "../../core/errors.js";
import { formatPath, valueAt, zodProblems } from "../../core/zod-problems.js";
import type { Fault } from "../format/case-assertions.js";
import { caseSchema } from "../format/schema.js";
import { fieldsAt, plainSchema, type SchemaNode } from "../format/schema-at.js";
import type { UncheckedCase } from "../format/written-case.js";

let fields: SchemaNode | undefined;

/** What the schema finds wrong with a case. */
export function fieldProblems(error: z.ZodError, one: UncheckedCase): Problem[] {
  const { value, file, locate } = one;
  fields ??= plainSchema(caseSchema);
  const schema = fields;
  const problems = zodProblems(error, {
    value,
    known: (path) => fieldsAt(schema, path),
    unknownKey: (key, path) => unknownKey(schema, key, path),
    locate: (path, part) => ({ file, ...locate(path, part) }),
  });
  return problems.map((problem) => withCase(problem, one));
}

/** A field that stands on the wrong one of the two levels. */
function unknownKey(schema: SchemaNode, key: string, path: readonly PropertyKey[]): string | undefined {
  if (path.length === 0 && fieldsAt(schema, ["checks"]).includes(key))
    return `belongs into checks: write it as checks.${key}`;
  if (path.length === 1 && path[0] === "checks" && fieldsAt(schema, []).includes(key))
    return "belongs to the case itself, beside checks";
  return undefined;
}

export function faultProblem({ path: found, part, message }: Fault, one: UncheckedCase): Problem {
  const { file, locate } = one;
  // One thing in place of a list has no index.
  const around = found.slice(0, -1);
  const isAlone = typeof found.at(-1) === "number" && !Array.isArray(valueAt(one.value, around));
  const path = isAlone ? around : found;
  const field = formatPath(path);
  return withCase({ file, ...locate(path, part), ...(field && { field }), message }, one);
}

/** `refund: checks.script_path`: with the id of the case, where it has one; `cases[2].id` where nothing else tells which. */
function withCase(problem: Problem, { value, label }: UncheckedCase): Problem {
  const { id } = (value ?? {}) as { id?: unknown };
  if (typeof id !== "string" || id.trim() === "") {
    if (label === undefined || problem.line !== undefined) return problem;
    return { ...problem, field: [label, ...(problem.field ? [problem.field] : [])].join(".") };
  }
  return { ...problem, field: [id.trim(), ...(problem.field ? [problem.field] : [])].join(": ") };
}
