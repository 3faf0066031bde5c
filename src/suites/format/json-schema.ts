import { isMapping } from "../../core/mapping.js";
import { didYouMean } from "../../core/suggest.js";
import type { Fault } from "./case-assertions.js";

/** Where schemas stand in a schema: one, a list of them, or a mapping with one under each name. */
const ONE = words(
  "not if then else contains items additionalItems additionalProperties propertyNames unevaluatedItems unevaluatedProperties contentSchema",
);
const LIST = words("allOf anyOf oneOf items prefixItems");
const NAMED = words("properties patternProperties $defs definitions dependentSchemas dependencies");

const KEYWORDS = [
  ...new Set([...ONE, ...LIST, ...NAMED]),
  ...words("type enum const multipleOf maximum exclusiveMaximum minimum exclusiveMinimum maxLength minLength pattern"),
  ...words("maxItems minItems uniqueItems maxContains minContains maxProperties minProperties required"),
  ...words("dependentRequired format contentEncoding contentMediaType title description default deprecated"),
  ...words("readOnly writeOnly examples id"),
];

/** Of OpenAPI, from which many schemas are taken. */
const OPEN_API = words("nullable discriminator example externalDocs xml components");

/**
 * Keywords of a JSON Schema that are none. A validator passes over them, so that a slip of the keyboard would be met by
 * every answer. Names that begin with `x-` or `$` are for notes.
 */
export function unknownKeywords(schema: unknown, path: readonly PropertyKey[]): Fault[] {
  if (!isMapping(schema)) return [];
  return Object.entries(schema).flatMap(([key, value]): Fault[] => {
    const at = [...path, key];
    const inner: Fault[] = [];
    if (ONE.includes(key)) inner.push(...unknownKeywords(value, at));
    if (LIST.includes(key) && Array.isArray(value))
      inner.push(...value.flatMap((each, index) => unknownKeywords(each, [...at, index])));
    if (NAMED.includes(key) && isMapping(value))
      inner.push(...Object.entries(value).flatMap(([name, each]) => unknownKeywords(each, [...at, name])));
    if (KEYWORDS.includes(key) || OPEN_API.includes(key) || /^(?:\$|x-)/.test(key)) return inner;
    const meant = didYouMean(key, KEYWORDS) || "; a note of your own is called x-…";
    return [{ path: at, part: "key", message: `is no keyword of JSON Schema${meant}` }];
  });
}

function words(text: string): string[] {
  return text.split(" ");
}
