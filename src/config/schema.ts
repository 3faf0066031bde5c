import * as z from "zod/mini";
import { described } from "../core/described.js";
import { didYouMean } from "../core/suggest.js";
import { agentTemplateSchema } from "./agent-template.js";
import { modelTableSchema } from "./model-table.js";
import { type Kind, settingKeys, settingOf } from "./settings.js";

/** The validator of one kind of setting. Its messages say what is wanted. */
export function kindSchema(kind: Kind): z.ZodMiniType {
  switch (kind.type) {
    case "text":
      return z
        .string("a string")
        .check(z.regex(/^$|\S/, "a string that is not blank"), z.regex(/^[^\0]*$/, "a string without NUL"));
    case "integer": {
      const wanted = `a whole number of at least ${kind.min}`;
      return z.int(wanted).check(z.gte(kind.min, wanted));
    }
    case "number": {
      const wanted = `a number from ${kind.min} to ${kind.max}`;
      return z.number(wanted).check(z.gte(kind.min, wanted), z.lte(kind.max, wanted));
    }
    case "boolean":
      return z.boolean("true or false");
    case "choice": {
      const list = kind.values.map((value) => JSON.stringify(value)).join(" or ");
      return z.enum(kind.values, { error: ({ input }) => `${list}${didYouMean(String(input), kind.values)}` });
    }
    case "names":
      return z.array(z.string("a name").check(z.regex(/^[^/\0]+$/, "a name, without '/'")), "a list of names");
    case "strings":
      return z.record(z.string(), z.string("a string"), "a table of strings");
  }
}

/** The whole file, built from the table of settings. */
export function configFileSchema() {
  const sections: Record<string, Record<string, z.ZodMiniType>> = {};
  for (const key of settingKeys) {
    const [section, name] = key.split(".") as [string, string];
    const setting = settingOf(key);
    const schema = described(kindSchema(setting.kind), setting.help);
    sections[section] ??= {};
    sections[section][name] = z.optional(setting.default === undefined ? schema : z._default(schema, setting.default));
  }
  const shape = Object.fromEntries(
    Object.entries(sections).map(([section, keys]) => [section, z.optional(z.strictObject(keys, "a table"))]),
  );
  const agents = z.record(z.string(), agentTemplateSchema(), "a table of tables");
  const models = z.record(z.string(), modelTableSchema(), "a table of tables");
  return z.strictObject(
    {
      ...shape,
      agents: z.optional(described(agents, "Overrides fields of a built-in agent, or defines a new one.")),
      models: z.optional(described(models, "Models by names of your own: how each is reached, and what it costs.")),
    },
    "a table",
  );
}
