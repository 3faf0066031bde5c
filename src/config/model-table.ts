import * as z from "zod/mini";
import { described } from "../core/described.js";

const text = (description: string) =>
  described(z.string("a string").check(z.regex(/\S/, "a string that is not blank")), description);
const count = (description: string) => {
  const wanted = "a whole number of at least 1";
  return described(z.int(wanted).check(z.gte(1, wanted)), description);
};
/** TOML also has dates, and numbers that JSON can't hold. */
function isJson(value: unknown): boolean {
  try {
    return JSON.stringify(value) !== undefined && !(value instanceof Date);
  } catch {
    return false;
  }
}

const price = () => z.number("a number of at least 0").check(z.gte(0, "a number of at least 0"));

/** How a model is reached and what it costs: `[models.<name>]`, and the fields of a target of type `model`. */
export function modelFields() {
  return {
    url: described(
      z.string("an http or https URL").check(z.regex(/^https?:\/\/[^\s/]/, "an http or https URL")),
      "The base of an OpenAI-compatible service, e.g. `http://127.0.0.1:8000/v1`.",
    ),
    api_key_env: text("The environment variable that holds the key; none: no key is sent."),
    headers: described(
      z.record(z.string(), z.string("a string"), "a table of strings"),
      "More headers; `{env:NAME}` takes a value from the environment.",
    ),
    params: described(
      z.record(z.string(), z.custom<z.core.util.JSONType>(isJson, "a JSON value"), "a table"),
      "More fields of every request, e.g. `temperature`.",
    ),
    max_concurrency: count("How many calls at the same time; default 8. Fewer after HTTP 429."),
    rpm: count("Most calls begun in a minute."),
    tpm: count("Most tokens in a minute, as far as is known before a call begins."),
    price: described(
      z.strictObject({ input: price(), output: price() }, "a table with 'input' and 'output'"),
      "US dollars per million tokens.",
    ),
  };
}

/** The fields of `[models.<name>]`. */
export function modelTableSchema() {
  const model = text("The name that the service knows it by, or `openai:<name>` and the like.");
  return z.partial(z.strictObject({ model, ...modelFields() }, "a table"));
}

/** What a user may write for a model; every field is optional. */
export type ModelTable = z.infer<ReturnType<typeof modelTableSchema>>;
