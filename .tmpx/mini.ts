import * as z from "zod/mini";
const text = (wanted: string) => z.string(wanted).check(z.regex(/\S/, `${wanted} that is not blank`));
const positive = "a whole number of at least 1";
const common = {
  schema_version: z.literal(1, "1"),
  id: z.string("a string").check(z.trim(), z.regex(/^[A-Za-z0-9_-]+$/, "letters")),
  description: text("a string"),
  tags: z._default(z.array(text("a string"), "a list of strings"), []),
  timeout_seconds: z.optional(z.int(positive).check(z.minimum(1, positive))),
};
const deterministic = z.strictObject({ ...common, type: z.literal("deterministic"), script: z.optional(text("a string")), script_path: z.optional(text("a path")) }, "a mapping");
const judge = z.strictObject({ ...common, type: z.literal("harness_judge"), instructions: text("a string"), model: z.optional(text("a string")), votes: z._default(z.int(positive).check(z.minimum(1, positive)),1), retries: z._default(z.int().check(z.minimum(0)),0)}, "a mapping");
const s = z.discriminatedUnion("type",[deterministic, judge]);
(globalThis as any).x = s.safeParse({schema_version:1,id:"a",type:"deterministic",description:"x",script:"pass"});
