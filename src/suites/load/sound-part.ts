import { isMapping } from "../../core/mapping.js";

/** What of a schema's issue says where it is. */
interface Issue {
  path: readonly PropertyKey[];
  code?: string;
  keys?: readonly string[];
}

/** Fields that hold fields: one that is wrong does not make the others of it so. */
const MAPPINGS = new Set<PropertyKey>(["checks", "gates", "judge"]);

/** A mapping without the fields in which something is wrong. */
export function soundPart(value: object, issues: readonly Issue[]): Record<string, unknown> {
  const left = Object.fromEntries(
    Object.entries(value).map(([key, field]) => [key, MAPPINGS.has(key) && isMapping(field) ? { ...field } : field]),
  );
  for (const { path, code, keys = [] } of issues) {
    for (const at of code === "unrecognized_keys" ? keys.map((key) => [...path, key]) : [path]) remove(left, at);
  }
  return left;
}

function remove(from: Record<PropertyKey, unknown>, [first, second]: readonly PropertyKey[]): void {
  if (first === undefined) return;
  const inner = from[first];
  if (second !== undefined && MAPPINGS.has(first) && isMapping(inner)) Reflect.deleteProperty(inner, second);
  // That there is one still counts.
  else if (first === "workspace") from[first] = {};
  else Reflect.deleteProperty(from, first);
}
