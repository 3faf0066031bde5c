import * as z from "zod";
import { path, text } from "../../format/fields.js";
import type { Builder } from "../builder.js";
import { defineTarget, type Parts } from "../target-type.js";
import { common } from "../written-fields.js";
import type { ModuleTarget } from "./call-module.js";
import { cannotLoad } from "./typescript.js";

const schema = z.strictObject(
  {
    type: z.literal("module"),
    ...common,
    path: path.describe("A JavaScript module; relative to this file, then to the project root."),
    export: text("a name").default("default").describe("The function (input, ctx) => output."),
  },
  "a mapping",
);

type Written = z.infer<typeof schema>;

export const module = defineTarget<Written, ModuleTarget, z.input<typeof schema>>({
  schema,
  build: buildModule,
  call: async (target, call) => (await import("./call-module.js")).callModule(target, call),
  usesProject: () => true,
  runsProgram: true,
});

function buildModule(written: Written, builder: Builder): Parts<ModuleTarget> | undefined {
  const file = builder.read(written.path, ["path"]);
  if (file === undefined) return undefined;
  builder.follow({ files: [file.path] });
  const why = cannotLoad(file.path);
  if (why !== undefined) builder.problem(["path"], why);
  return { type: "module", module: file.path, export: written.export };
}
