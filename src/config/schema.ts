import * as z from "zod";
import { didYouMean } from "../core/suggest.js";
import { agentTemplateSchema } from "./agent-template.js";
import { type Kind, settingKeys, settingOf } from "./settings.js";

/** The validator of one kind of setting. Its messages say what is wanted. */
export function kindSchema(kind: Kind): z.ZodType {
  switch (kind.type) {
    case "text":
      return z
        .string("a string")
        .regex(/^$|\S/, "a string that is not blank")
        .regex(/^[^\0]*$/, "a string without NUL");
    case "integer": {
      const wanted = `a whole number of at least ${kind.min}`;
      return z.int(wanted).min(kind.min, wanted);
    }
    case "number": {
      const wanted = `a number from ${kind.min} to ${kind.max}`;
      return z.number(wanted).min(kind.min, wanted).max(kind.max, wanted);
    }
    case "boolean":
      return z.boolean("true or false");
    case "choice": {
      const list = kind.values.map((value) => JSON.stringify(value)).join(" or ");
      return z.enum(kind.values, { error: ({ input }) => `${list}${didYouMean(String(input), kind.values)}` });
    }
    case "names":
      return z.array(z.string("a name").regex(/^[^/\0]+$/, "a name, without '/'"), "a list of names");
    case "strings":
      return z.record(z.string(), z.string("a string"), "a table of strings");
  }
}

/** The whole file, built from the table of settings. */
export function configFileSchema() {
  const sections: Record<string, Record<string, z.ZodType>> = {};
  for (const key of settingKeys) {
    const [section, name] = key.split(".") as [string, string];
    const setting = settingOf(key);
    const described = kindSchema(setting.kind).describe(setting.help);
    const schema = setting.default === undefined ? described : described.default(setting.default);
    sections[section] ??= {};
    sections[section][name] = schema.optional();
  }
  const shape = Object.fromEntries(
    Object.entries(sections).map(([section, keys]) => [section, z.strictObject(keys, "a table").optional()]),
  );
  return z.strictObject(
    {
      ...shape,
      agents: z
        .record(z.string(), agentTemplateSchema, "a table of tables")
        .describe("Overrides fields of a built-in agent, or defines a new one.")
        .optional(),
    },
    "a table",
  );
}
