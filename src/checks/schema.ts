import * as z from "zod";

export const CHECK_SCHEMA_VERSION = 1;
const CHECK_ID = /^[A-Za-z0-9_-]+$/;

const text = (wanted: string) => z.string(wanted).regex(/\S/, `${wanted} that is not blank`);
const positive = "a whole number of at least 1";

const common = {
  schema_version: z.literal(CHECK_SCHEMA_VERSION, "1").describe("The version of this file format."),
  id: z
    .string("a string")
    .trim()
    .regex(CHECK_ID, "letters, digits, '_' and '-' only")
    .describe("Names the check; unique in the project."),
  description: text("a string").describe("What is checked, in a sentence."),
  tags: z.array(text("a string"), "a list of strings").default([]).describe("For --tag."),
  timeout_seconds: z.int(positive).min(1, positive).optional().describe("Overrides the configured time limit."),
};

const deterministic = z.strictObject(
  {
    ...common,
    type: z.literal("deterministic"),
    script: text("a string").optional().describe("Python source; exit code 0 passes."),
    script_path: text("a path").optional().describe("A Python file, relative to this file; exit code 0 passes."),
  },
  "a mapping",
);

const judge = z.strictObject(
  {
    ...common,
    type: z.literal("harness_judge"),
    instructions: text("a string").describe("The rubric that the judge follows."),
    model: text("a string").optional().describe("Overrides the judge's model for this check."),
    votes: z
      .int(positive)
      .min(1, positive)
      .refine((n) => n % 2 === 1, "must be odd, so that there is always a majority")
      .default(1)
      .describe("How many independent verdicts are asked for; the majority decides."),
    retries: z
      .int("a whole number of at least 0")
      .min(0, "a whole number of at least 0")
      .default(0)
      .describe("How often the judge is asked again after an error."),
  },
  "a mapping",
);

export const checkSchemas = { deterministic, harness_judge: judge };
export type CheckType = keyof typeof checkSchemas;
export const checkTypes = Object.keys(checkSchemas) as CheckType[];

const oneScript = "exactly one of 'script' and 'script_path' is required";
// Looked at also where other fields are wrong, so that all errors are reported at once.
const always = { when: () => true };

/** A check file, as it is written. */
export const checkSchema = z.discriminatedUnion("type", [
  deterministic
    .refine((check) => check.script !== undefined || check.script_path !== undefined, { ...always, error: oneScript })
    .refine((check) => check.script === undefined || check.script_path === undefined, {
      ...always,
      error: `${oneScript}, found both`,
      path: ["script_path"],
    }),
  judge,
]);

/** What can be said of a check whose type is not known: the fields that all types have, and the names of the others. */
export const untypedCheckSchema = z.strictObject({
  ...Object.fromEntries(
    Object.keys({ ...deterministic.shape, ...judge.shape }).map((name) => [name, z.unknown().optional()]),
  ),
  ...common,
});

export type CheckDefinition = z.infer<typeof checkSchema>;
export type DeterministicCheck = Extract<CheckDefinition, { type: "deterministic" }>;
export type JudgeCheck = Extract<CheckDefinition, { type: "harness_judge" }>;
