import * as z from "zod";

const text = z.string("a string").regex(/\S/, "a string that is not blank");
const positive = "a whole number of at least 1";
const count = z.int(positive).min(1, positive);
const price = z.number("a number of at least 0").min(0, "a number of at least 0");

/** How a model is reached and what it costs: `[models.<name>]`, and the fields of a target of type `model`. */
export const modelFields = {
  url: z
    .string("an http or https URL")
    .regex(/^https?:\/\/[^\s/]/, "an http or https URL")
    .describe("The base of an OpenAI-compatible service, e.g. `http://127.0.0.1:8000/v1`."),
  api_key_env: text.describe("The environment variable that holds the key; none: no key is sent."),
  headers: z
    .record(z.string(), z.string("a string"), "a table of strings")
    .describe("More headers; `{env:NAME}` takes a value from the environment."),
  params: z
    .record(z.string(), z.json("a JSON value"), "a table")
    .describe("More fields of every request, e.g. `temperature`."),
  max_concurrency: count.describe("How many calls at the same time; default 8. Fewer after HTTP 429."),
  rpm: count.describe("Most calls begun in a minute."),
  tpm: count.describe("Most tokens in a minute, as far as is known before a call begins."),
  price: z
    .strictObject({ input: price, output: price }, "a table with 'input' and 'output'")
    .describe("US dollars per million tokens."),
};

/** The fields of `[models.<name>]`. */
export const modelTableSchema = z
  .strictObject(
    { model: text.describe("The name that the service knows it by, or `openai:<name>` and the like."), ...modelFields },
    "a table",
  )
  .partial();

/** What a user may write for a model; every field is optional. */
export type ModelTable = z.infer<typeof modelTableSchema>;
