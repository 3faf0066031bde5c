// The small form of zod: one of its usual schemas takes longer to make than a check to read, and each start makes them.
import * as z from "zod/mini";
import { described } from "../core/described.js";
import { once } from "../core/once.js";

export const CHECK_SCHEMA_VERSION = 1;
const CHECK_ID = /^[A-Za-z0-9_-]+$/;

const text = (wanted: string) => z.string(wanted).check(z.regex(/\S/, `${wanted} that is not blank`));
const wholeNumber = (min: number) => {
  const wanted = `a whole number of at least ${min}`;
  return z.int(wanted).check(z.gte(min, wanted));
};
const odd = () => z.refine<number>((n) => n % 2 === 1, "must be odd, so that there is always a majority");

const common = () => ({
  schema_version: described(z.literal(CHECK_SCHEMA_VERSION, "1"), "The version of this file format."),
  id: described(
    z.string("a string").check(z.trim(), z.regex(CHECK_ID, "letters, digits, '_' and '-' only")),
    "Names the check; unique in the project.",
  ),
  description: described(text("a string"), "What is checked, in a sentence."),
  tags: described(z._default(z.array(text("a string"), "a list of strings"), []), "For --tag."),
  timeout_seconds: described(z.optional(wholeNumber(1)), "Overrides the configured time limit."),
});

const oneScript = "exactly one of 'script' and 'script_path' is required";
// Looked at also where other fields are wrong, so that all errors are reported at once.
const always = { when: () => true };

const deterministic = () =>
  z
    .strictObject(
      {
        ...common(),
        type: z.literal("deterministic"),
        script: described(z.optional(text("a string")), "Python source; exit code 0 passes."),
        script_path: described(z.optional(text("a path")), "A Python file, relative to this file; exit code 0 passes."),
      },
      "a mapping",
    )
    .check(
      z.refine((check) => check.script !== undefined || check.script_path !== undefined, {
        ...always,
        error: oneScript,
      }),
      z.refine((check) => check.script === undefined || check.script_path === undefined, {
        ...always,
        error: `${oneScript}, found both`,
        path: ["script_path"],
      }),
    );

const judge = () =>
  z.strictObject(
    {
      ...common(),
      type: z.literal("harness_judge"),
      instructions: described(text("a string"), "The rubric that the judge follows."),
      model: described(z.optional(text("a string")), "Overrides the judge's model for this check."),
      votes: described(
        z._default(wholeNumber(1).check(odd()), 1),
        "How many independent verdicts are asked for; the majority decides.",
      ),
      retries: described(z._default(wholeNumber(0), 0), "How often the judge is asked again after an error."),
    },
    "a mapping",
  );

/** The fields of each type of check, as they are written: made when they are needed, which takes longer than to read one. */
export const checkTypeSchemas = { deterministic: once(deterministic), harness_judge: once(judge) };
export type CheckType = keyof typeof checkTypeSchemas;
export const checkTypes = Object.keys(checkTypeSchemas) as CheckType[];

/** What can be said of a check whose type is not known: the fields that all types have, and the names of the others. */
export function untypedCheckSchema() {
  const names = checkTypes.flatMap((type) => Object.keys(checkTypeSchemas[type]().shape));
  return z.strictObject({ ...Object.fromEntries(names.map((name) => [name, z.optional(z.unknown())])), ...common() });
}

export type DeterministicCheck = z.infer<ReturnType<typeof deterministic>>;
export type JudgeCheck = z.infer<ReturnType<typeof judge>>;
export type CheckDefinition = DeterministicCheck | JudgeCheck;
