import * as z from "zod";
import { modelFields } from "../../../config/model-table.js";
import { variablesIn } from "../../../core/env.js";
import { resolveModel } from "../../../models/settings.js";
import { text } from "../../format/fields.js";
import { type Builder, type Path, readInstructions } from "../builder.js";
import { defineTarget, type Parts } from "../target-type.js";
import { common, instructions } from "../written-fields.js";
import type { ModelTarget } from "./call-model.js";

const schema = z.strictObject(
  {
    type: z.literal("model"),
    ...common,
    model: text("the name of a model").describe("A name of [models.*], `openai:<name>` and the like, or with url."),
    ...z.object(modelFields()).partial().shape,
    instructions,
  },
  "a mapping",
);

type Written = z.infer<typeof schema>;

export const model = defineTarget<Written, ModelTarget, z.input<typeof schema>>({
  schema,
  build: (written, builder) => buildModel(written, builder, []),
  call: async (target, call) => (await import("./call-model.js")).callModel(target, call),
  variables: ({ settings: { apiKeyEnv, headers } }) => [
    ...(apiKeyEnv ? [{ name: apiKeyEnv, place: "api_key" }] : []),
    ...variablesIn({ ...headers }),
  ],
  configured: ({ settings }) => settings,
  models: ({ settings }) => [settings.model],
});

/** @param field where the model stands */
export function buildModel(
  { instructions: told, ...given }: Omit<Written, "type" | "name" | "workspace">,
  builder: Builder,
  field: Path,
): Parts<ModelTarget> | undefined {
  const text = readInstructions(told, builder, field);
  const settings = resolveModel(given, builder.models);
  if (typeof settings !== "string") return { type: "model", settings, instructions: text };
  builder.problem([...field, "model"], settings);
  return undefined;
}
