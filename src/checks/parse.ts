import type * as z from "zod/mini";
import { byPlace, type Problem } from "../core/errors.js";
import { didYouMean } from "../core/suggest.js";
import { describeValue } from "../core/text.js";
import { type ParsedYaml, parseYaml } from "../core/yaml.js";
import { zodProblems } from "../core/zod-problems.js";
import {
  CHECK_SCHEMA_VERSION,
  type CheckDefinition,
  type CheckType,
  checkTypeSchemas,
  checkTypes,
  untypedCheckSchema,
} from "./schema.js";

/** File, line and column of a field. */
export type Locate = (path: readonly PropertyKey[]) => Pick<Problem, "file" | "line" | "column">;

export interface ParsedCheck {
  definition?: CheckDefinition;
  /** Empty exactly when there is a definition. */
  problems: Problem[];
  /** The id as far as it could be read, also from a file with problems. */
  id?: string;
  locate: Locate;
}

/** One file that is no YAML at all should not bury what is wrong with the others. */
const MAX_PROBLEMS = 100;

/** The check in the bytes of a YAML file, or all that is wrong with them. `file` is the path to name in problems. */
export function parseCheck(bytes: Uint8Array, file: string): ParsedCheck {
  const yaml = parseYaml(bytes);
  const locate: Locate = (path) => ({ file, ...yaml.locate(path) });
  const result = yaml.problems.length > 0 ? { problems: yaml.problems } : checkFields(yaml);
  const all = result.problems.map((problem) => ({ file, ...problem })).sort(byPlace);
  const problems = all.slice(0, MAX_PROBLEMS);
  const [next] = all.slice(MAX_PROBLEMS);
  if (next) problems.push({ ...next, message: `${next.message}; and ${all.length - MAX_PROBLEMS - 1} more problems` });
  return { ...result, problems, locate };
}

function checkFields(yaml: ParsedYaml): Omit<ParsedCheck, "locate"> {
  const { value } = yaml;
  const at = (path: PropertyKey[], message: string): Problem => ({
    ...yaml.locate(path),
    ...(path.length > 0 && { field: path.join(".") }),
    message,
  });
  if (value === null || value === undefined)
    return { problems: [at([], "is empty; a check has schema_version, id, type, description …")] };
  if (typeof value !== "object" || Array.isArray(value)) {
    return { problems: [at([], `expected a mapping with the fields of a check, found ${describeValue(value)}`)] };
  }
  const { id: rawId, schema_version: version, type } = value as Record<string, unknown>;
  const id = typeof rawId === "string" ? { id: rawId.trim() } : {};

  if (typeof version === "number" && version !== CHECK_SCHEMA_VERSION) {
    // Another version has other fields: there is nothing to say about those in this file.
    const message = `unsupported schema_version ${version}, this version reads ${CHECK_SCHEMA_VERSION}`;
    return { ...id, problems: [at(["schema_version"], message)] };
  }
  if (!isCheckType(type)) {
    const { error } = untypedCheckSchema().safeParse(value);
    return { ...id, problems: [at(["type"], typeMessage(type)), ...(error ? fieldProblems(error, yaml) : [])] };
  }
  const { data, error } = checkTypeSchemas[type]().safeParse(value);
  if (error) return { ...id, problems: fieldProblems(error, yaml, type) };
  return { definition: data, problems: [], id: data.id };
}

function isCheckType(type: unknown): type is CheckType {
  return checkTypes.includes(type as CheckType);
}

function typeMessage(type: unknown): string {
  const wanted = checkTypes.map((name) => `'${name}'`).join(" or ");
  if (type === undefined) return `is required: ${wanted}`;
  if (type === "llm_judge") return "'llm_judge' is now 'harness_judge': an agent's own program is the judge";
  return `expected ${wanted}, found ${describeValue(type)}${typeof type === "string" ? didYouMean(type, checkTypes) : ""}`;
}

function fieldProblems(error: z.core.$ZodError, yaml: ParsedYaml, type?: CheckType): Problem[] {
  const known = Object.keys((type === undefined ? untypedCheckSchema() : checkTypeSchemas[type]()).shape);
  return zodProblems(error, {
    value: yaml.value,
    known: () => known,
    unknownKey: (key) => {
      const owner = checkTypes.find((other) => Object.hasOwn(checkTypeSchemas[other]().shape, key));
      return owner && `belongs to checks of type ${owner}; this one is ${type}`;
    },
    locate: yaml.locate,
  });
}
