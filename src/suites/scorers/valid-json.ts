import type { Ajv, AnySchema, ErrorObject, Options, ValidateFunction } from "ajv";
import { sha256Hex } from "../../core/ids.js";
import { isMapping } from "../../core/mapping.js";
import { didYouMean } from "../../core/suggest.js";
import { createStoppablePattern } from "../../core/test-pattern.js";
import { describeValue, oneLine, truncate } from "../../core/text.js";
import { valueAt } from "../../core/zod-problems.js";
import type { Fault } from "../format/case-assertions.js";
import type { Json } from "../json.js";
import { type AssertionOf, failedFor, passed, quote, type Trial, type Verdict } from "./scorer.js";

/** The output parses as JSON, as a whole, and matches the schema. */
export async function scoreValidJson(
  { schema, stripFences }: AssertionOf<"valid_json">,
  trial: Trial,
): Promise<Verdict> {
  const output = trial.session.output.trim();
  const inside = insideOfFence(output);
  let value: Json;
  try {
    value = JSON.parse(stripFences ? (inside ?? output) : output);
  } catch (error) {
    const fence =
      inside !== undefined && !stripFences ? "; it stands in a code fence: strip_fences: true allows that" : "";
    // The message of an empty text would only confuse, and others quote the text, which may hold a secret.
    const why = output === "" ? "" : ` (${placeOf(error as Error)}${quote(output, trial)})`;
    return { status: "failed", reason: `the output is ${output === "" ? "empty" : "not valid JSON"}${why}${fence}` };
  }
  if (schema === undefined) return passed;
  const validate = await compileSchema(schema);
  if (typeof validate === "string") return { status: "failed", reason: `the JSON Schema can't be used: ${validate}` };
  try {
    if (validate(value)) return passed;
  } catch (error) {
    return {
      status: "failed",
      reason: `the JSON Schema could not be applied: ${trial.context.redactor.line((error as Error).message, 300)}`,
    };
  }
  const errors = validate.errors ?? [];
  const reasons = errors.slice(0, MAX_ERRORS).map((error) => describe(error, value, trial));
  if (errors.length > MAX_ERRORS) reasons.push(`and ${errors.length - MAX_ERRORS} more`);
  return failedFor(reasons);
}

/**
 * What stands in a code fence that is around all of the text; undefined where there is none. By hand: a pattern that looks
 * for the fence again is quadratic in a text of nothing but backticks.
 */
function insideOfFence(text: string): string | undefined {
  const [line, fence] = /^(`{3,20}|~{3,20})[^\n`]*(?=\n)/.exec(text) ?? [];
  if (line === undefined || !text.endsWith(`\n${fence}`)) return undefined;
  return text.slice(line.length, text.lastIndexOf("\n"));
}

const MAX_ERRORS = 3;

function placeOf({ message }: Error): string {
  const place = /at position \d+/.exec(message)?.[0];
  return place === undefined ? "" : `${place} of `;
}

/** Of these the whole of an object or a list would have to be shown. */
const ABOUT_PARTS = /^(?:required|additional|unevaluated|dependent|propertyNames|contains|if|oneOf|anyOf|allOf|not)/;

function describe(error: ErrorObject, value: Json, { context }: Trial): string {
  const { instancePath, message = "", keyword, params } = error;
  const { data, line } = context.redactor;
  const more: unknown =
    keyword === "additionalProperties" || keyword === "unevaluatedProperties"
      ? (params["additionalProperty"] ?? params["unevaluatedProperty"])
      : keyword === "enum"
        ? params["allowedValues"]
        : keyword === "const"
          ? params["allowedValue"]
          : undefined;
  const what = more === undefined ? message : `${message}: ${truncate(JSON.stringify(data(more)), 200)}`;
  const at = ABOUT_PARTS.test(keyword) ? undefined : valueAt(value, pointerPath(instancePath, value));
  const found = at === undefined ? "" : `, found ${foundValue(at, data)}`;
  return line(`at ${instancePath || "the top"}: it ${what}${found}`, 400);
}

/** What is wrong with a JSON Schema, by its paths in it. */
export async function schemaFaults(schema: Json): Promise<Fault[]> {
  const dialect = isMapping(schema) ? dialectOf(schema["$schema"]) : undefined;
  if (dialect !== undefined) {
    const ajv = await sharedAjv(dialect);
    if (!ajv.validateSchema(schema as AnySchema)) return nearestErrors(ajv.errors ?? [], schema);
  }
  const compiled = await compileSchema(schema);
  return typeof compiled === "string" ? [{ path: [], message: `the JSON Schema can't be used: ${compiled}` }] : [];
}

/** One for each place: where one of several forms was wanted there is an error for each of them. */
function nearestErrors(errors: readonly ErrorObject[], schema: Json): Fault[] {
  const byPath = new Map<string, ErrorObject>();
  for (const error of errors) {
    const known = byPath.get(error.instancePath);
    if (!known || (error.keyword === "enum" && known.keyword !== "enum")) byPath.set(error.instancePath, error);
  }
  return [...byPath.values()].map(({ instancePath, keyword, params, message = "" }) => {
    const path = pointerPath(instancePath, schema);
    const found = valueAt(schema, path);
    const allowed: string[] = keyword === "enum" ? params["allowedValues"] : [];
    const meant = typeof found === "string" ? didYouMean(found, allowed) : "";
    const wantedValue = allowed.length > 0 ? `expected one of ${allowed.join(", ")}` : message;
    return { path, message: `the JSON Schema is not valid: ${wantedValue}, found ${describeValue(found)}${meant}` };
  });
}

/** A JSON pointer as a path in a value: the indexes of its lists are numbers. */
function pointerPath(pointer: string, value: unknown): PropertyKey[] {
  const path: PropertyKey[] = [];
  for (const part of pointer.split("/").slice(1)) {
    const key = part.replaceAll("~1", "/").replaceAll("~0", "~");
    path.push(Array.isArray(valueAt(value, path)) ? Number(key) : key);
  }
  return path;
}

function foundValue(value: unknown, mask: <T>(value: T) => T): string {
  if (typeof value === "object" && value !== null) return Array.isArray(value) ? "a list" : "an object";
  return truncate(JSON.stringify(mask(value)), 100);
}

type Compiled = ValidateFunction | string;

/** Enough for every suite; more of them are made anew. */
const MAX_KEPT = 500;
const byObject = new WeakMap<object, Promise<Compiled>>();
const byContent = new Map<string, Promise<Compiled>>();

/**
 * Compiles a JSON Schema, once for each content: draft 2020-12, or 2019-09 or 07 where `$schema` says so.
 * `format` is not looked at, which is what 2020-12 asks for. What is returned as a string is why it can't be used.
 */
export function compileSchema(schema: Json): Promise<Compiled> {
  const object = typeof schema === "object" && schema !== null ? schema : undefined;
  const known = object && byObject.get(object);
  if (known) return known;
  const content = sha256Hex(JSON.stringify(schema));
  if (byContent.size >= MAX_KEPT) byContent.clear();
  const compiled = byContent.get(content) ?? compile(schema);
  byContent.set(content, compiled);
  if (object) byObject.set(object, compiled);
  return compiled;
}

async function compile(schema: Json): Promise<Compiled> {
  if (typeof schema !== "boolean" && (typeof schema !== "object" || schema === null || Array.isArray(schema)))
    return "expected a mapping, or true or false";
  if (JSON.stringify(schema).includes('"$async":true')) return "$async is not supported";
  try {
    const dialect = dialectOf(typeof schema === "object" ? schema["$schema"] : undefined);
    if (dialect === undefined)
      return `unknown $schema ${JSON.stringify(schema["$schema" as never])}: expected ${KNOWN}`;
    // An instance keeps the names that a schema gives to its parts, and others may give the same.
    const ajv = /"\$(id|anchor|dynamicAnchor)"/.test(JSON.stringify(schema)) ? createAjv(dialect) : sharedAjv(dialect);
    const validate = (await ajv).compile(schema);
    if (typeof schema === "object") (await ajv).removeSchema(schema);
    return validate;
  } catch (error) {
    return oneLine((error as Error).message, 300);
  }
}

const KNOWN = "that of draft 2020-12, 2019-09 or 07";
type Dialect = "draft/2020-12" | "draft/2019-09" | "draft-07";

function dialectOf($schema: Json | undefined): Dialect | undefined {
  if ($schema === undefined) return "draft/2020-12";
  return DIALECT.exec(String($schema))?.[1] as Dialect | undefined;
}

const DIALECT = /^https?:\/\/json-schema\.org\/(draft\/2020-12|draft\/2019-09|draft-07)\/schema#?$/;

const shared = new Map<Dialect, Promise<Ajv>>();

/** Making one takes tens of milliseconds. */
function sharedAjv(dialect: Dialect): Promise<Ajv> {
  const ajv = shared.get(dialect) ?? createAjv(dialect);
  shared.set(dialect, ajv);
  return ajv;
}

/** Ajv is loaded when it is needed: it is large. */
async function createAjv(dialect: Dialect): Promise<Ajv> {
  const options: Options = {
    strict: false,
    allErrors: true,
    validateFormats: false,
    addUsedSchema: false,
    logger: false,
    code: { regExp },
  };
  switch (dialect) {
    case "draft/2020-12":
      return new (await import("ajv/dist/2020.js")).Ajv2020(options);
    case "draft/2019-09":
      return new (await import("ajv/dist/2019.js")).Ajv2019(options);
    case "draft-07":
      return new (await import("ajv")).Ajv(options);
  }
}

/** A `pattern` of the schema that backtracks without end is stopped as well. Ajv tells patterns apart by `toString`. */
const regExp = Object.assign(
  (source: string, flags: string) => ({
    test: createStoppablePattern({ source, flags }),
    toString: () => `/${source}/${flags}`,
  }),
  { code: "" },
);
