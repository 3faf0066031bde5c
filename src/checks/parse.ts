import type { Problem } from "../core/errors.js";
import { didYouMean } from "../core/suggest.js";
import { describeValue } from "../core/text.js";
import { type ParsedYaml, parseYaml } from "../core/yaml.js";
import { zodProblems } from "../core/zod-problems.js";
import {
  CHECK_SCHEMA_VERSION,
  type CheckDefinition,
  type CheckType,
  checkSchema,
  checkSchemas,
  checkTypes,
} from "./schema.js";

export interface ParsedCheck {
  definition?: CheckDefinition;
  /** Empty exactly when there is a definition. */
  problems: Problem[];
  /** The id as far as it could be read, also from a file with problems. */
  id?: string;
}

/** The check in the bytes of a YAML file, or all that is wrong with them. `file` is the path to name in problems. */
export function parseCheck(bytes: Uint8Array, file: string): ParsedCheck {
  const yaml = parseYaml(bytes);
  if (yaml.problems.length > 0) return { problems: yaml.problems.map((problem) => ({ file, ...problem })) };
  const raw = yaml.value;
  const at = (path: PropertyKey[], message: string): Problem => ({
    file,
    ...yaml.locate(path),
    ...(path.length > 0 && { field: path.join(".") }),
    message,
  });
  if (raw === null || raw === undefined)
    return { problems: [at([], "is empty; a check has schema_version, id, type, description …")] };
  if (typeof raw !== "object" || Array.isArray(raw)) {
    return { problems: [at([], `expected a mapping with the fields of a check, found ${describeValue(raw)}`)] };
  }
  const fields = raw as Record<string, unknown>;
  const id = typeof fields["id"] === "string" ? { id: fields["id"].trim() } : {};

  if (fields["schema_version"] !== undefined && fields["schema_version"] !== CHECK_SCHEMA_VERSION) {
    const found = String(fields["schema_version"]);
    return {
      ...id,
      problems: [
        at(["schema_version"], `unsupported schema_version ${found}, this version reads ${CHECK_SCHEMA_VERSION}`),
      ],
    };
  }
  const type = fields["type"];
  if (!checkTypes.includes(type as CheckType)) return { ...id, problems: [at(["type"], typeMessage(type))] };

  const result = checkSchema.safeParse(fields);
  if (result.success) return { definition: result.data, problems: [], id: result.data.id };
  return { ...id, problems: fieldProblems(result.error, fields, type as CheckType, yaml, file) };
}

function typeMessage(type: unknown): string {
  const wanted = checkTypes.map((name) => `'${name}'`).join(" or ");
  if (type === undefined) return `is required: ${wanted}`;
  if (type === "llm_judge") return "'llm_judge' is now 'harness_judge': an agent's own program is the judge";
  return `expected ${wanted}, found ${describeValue(type)}${typeof type === "string" ? didYouMean(type, checkTypes) : ""}`;
}

function fieldProblems(
  error: Parameters<typeof zodProblems>[0],
  value: unknown,
  type: CheckType,
  yaml: ParsedYaml,
  file: string,
): Problem[] {
  const known = Object.keys(checkSchemas[type].shape);
  return zodProblems(error, {
    value,
    known: () => known,
    unknownKey: (key) => {
      const owner = checkTypes.find((other) => key in checkSchemas[other].shape);
      return owner && `belongs to checks of type ${owner}; this one is ${type}`;
    },
    locate: (path, part) => ({ file, ...yaml.locate(path, part) }),
  });
}
