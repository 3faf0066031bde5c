import * as z from "zod";

/** What we look at in a JSON Schema. */
export interface SchemaNode {
  type?: string;
  const?: unknown;
  properties?: Record<string, SchemaNode>;
  items?: SchemaNode;
  anyOf?: SchemaNode[];
}

/** A schema as plain data, to be asked for its fields. */
export function plainSchema(schema: z.ZodType): SchemaNode {
  return z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }) as SchemaNode;
}

/** The part of a schema that is about the value at `path`. */
export function schemaAt(schema: SchemaNode, path: readonly PropertyKey[]): SchemaNode | undefined {
  return path.reduce<SchemaNode | undefined>((node, key) => {
    const forms = node ? formsOf(node) : [];
    const next = forms.map((form) => (typeof key === "number" ? form.items : ownProperty(form, String(key))));
    return next.find((part) => part !== undefined);
  }, schema);
}

/** The names of the fields at `path`; none where it is no mapping with fixed fields. */
export function fieldsAt(schema: SchemaNode, path: readonly PropertyKey[]): string[] {
  const node = schemaAt(schema, path);
  return node ? formsOf(node).flatMap(({ properties }) => Object.keys(properties ?? {})) : [];
}

/** The forms that a value may have: one, unless it is a union. */
export function formsOf(node: SchemaNode): readonly SchemaNode[] {
  return node.anyOf ?? [node];
}

function ownProperty({ properties }: SchemaNode, name: string): SchemaNode | undefined {
  return properties && Object.hasOwn(properties, name) ? properties[name] : undefined;
}
