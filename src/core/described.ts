import { type core, globalRegistry } from "zod/mini";

/** Says what a schema is for, in the JSON Schema that is made of it. Zod's own `describe` would copy the schema. */
export function described<S extends core.$ZodType>(schema: S, description: string): S {
  globalRegistry.add(schema, { description });
  return schema;
}
