import * as z from "zod";
import { variablesIn } from "../../../core/env.js";
import { jsonValue, text } from "../../format/fields.js";
import type { Json } from "../../json.js";
import type { Builder } from "../builder.js";
import { defineTarget, type Parts } from "../target-type.js";
import { common, strings } from "../written-fields.js";
import type { HttpTarget } from "./call-http.js";

const schema = z.strictObject(
  {
    type: z.literal("http"),
    ...common,
    url: text("an http or https URL").describe("With {task}, {case_id} and {env:NAME}."),
    method: z
      .string("the name of an HTTP method")
      .regex(/^[A-Za-z]+$/, "the name of an HTTP method")
      .optional()
      .describe("By default POST."),
    headers: strings.default({}).describe("{env:NAME} takes a value from the environment."),
    body: jsonValue
      .optional()
      .describe('With {input}, {task} and {case_id} in its strings; by default {"input": "{input}"}.'),
    output: z
      .string("a JSON pointer, e.g. /choices/0/text")
      .regex(/^(\/([^~]|~[01])*)*$/, "a JSON pointer, e.g. /choices/0/text")
      .optional()
      .describe("Where in the answer the output is."),
  },
  "a mapping",
);

type Written = z.infer<typeof schema>;

export const http = defineTarget<Written, HttpTarget, z.input<typeof schema>>({
  schema,
  build: buildHttp,
  call: async (target, call) => (await import("./call-http.js")).callHttp(target, call),
  variables: ({ url, headers }) => variablesIn({ url, ...headers }),
  isService: true,
});

function buildHttp(written: Written, { problem }: Builder): Parts<HttpTarget> {
  if (!isHttpUrl(written.url)) problem(["url"], `expected an http or https URL, found '${written.url}'`);
  const method = (written.method ?? "POST").toUpperCase();
  const hasBody = method !== "GET" && method !== "HEAD";
  if (!hasBody && written.body !== undefined) problem(["body"], `a request with ${method} has no body`);
  return {
    type: "http",
    url: written.url,
    method,
    headers: written.headers,
    body: hasBody ? ((written.body as Json | undefined) ?? { input: "{input}" }) : undefined,
    output: written.output,
  };
}

/** Whether it can be one, whatever stands in the place of the names in it. */
function isHttpUrl(url: string): boolean {
  const withoutNames = url.replaceAll(/\{env:[^}]+\}|\{\w+\}/g, "x");
  if (/^https?:\/\//i.test(url)) return URL.canParse(withoutNames);
  if (!url.startsWith("{env:")) return false;
  return URL.canParse(withoutNames.startsWith("x") ? `http://${withoutNames}` : withoutNames);
}
