import * as z from "zod";
import { describeSystemError } from "../../../core/errors.js";
import { path } from "../../format/fields.js";
import type { Builder } from "../builder.js";
import { defineTarget, type Parts } from "../target-type.js";
import { common } from "../written-fields.js";
import type { ReplayTarget } from "./call-replay.js";
import { indexRecordings } from "./recordings.js";

const schema = z.strictObject(
  {
    type: z.literal("replay"),
    ...common,
    path: path.describe("JSONL of recorded outputs by case id; relative to this file, then to the root."),
  },
  "a mapping",
);

type Written = z.infer<typeof schema>;

export const replay = defineTarget<Written, ReplayTarget, z.input<typeof schema>>({
  schema,
  build: buildReplay,
  call: async (target, call) => (await import("./call-replay.js")).callReplay(target, call),
  isUncached: true,
});

function buildReplay(written: Written, builder: Builder): Parts<ReplayTarget> | undefined {
  const file = builder.find(written.path, ["path"]);
  if (file === undefined) return undefined;
  try {
    const { recordings, sha256 } = indexRecordings(file, written.path);
    builder.note(written.path, sha256);
    const [fault, ...others] = recordings.faults;
    const more = others.length > 0 ? `; and ${others.length} more such lines` : "";
    if (fault) builder.warn(["path"], `line ${fault.line} of ${written.path} ${fault.message}${more}`);
    return { type: "replay", recordings };
  } catch (error) {
    builder.problem(["path"], `cannot be read: ${describeSystemError(error)}`);
    return undefined;
  }
}
