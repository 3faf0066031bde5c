import * as z from "zod";
import { splitWords } from "../../core/split-words.js";
import { path, text } from "../format/fields.js";
import { workspaceSchema } from "../format/workspace-schema.js";

// Fields that target files of several types have.

export const strings = z.record(z.string(), z.string("a string"), "a mapping of strings");

const ARGV = "a list of strings: the program and its arguments";

export const argv = z
  .array(z.string("a string"), {
    error: ({ input }) => (typeof input === "string" && input.trim() !== "" ? `${ARGV}, as ${asList(input)}` : ARGV),
  })
  .min(1, "a list of at least one string: the program and its arguments");

/** A command line as a list in YAML: `[python3, app/bot.py]`. */
function asList(line: string): string {
  const words = splitWords(line).map((word) => (/^[\w./@-][\w./@=+-]*$/.test(word) ? word : JSON.stringify(word)));
  return `[${words.join(", ")}]`;
}

export const instructions = z
  .union([text("a text"), z.strictObject({ file: path }, "a text, or a mapping with 'file'")], {
    error: "a text, or a mapping with 'file'",
  })
  .optional()
  .describe("What it is told before every task; or `{file: PATH}`.");

export type Instructions = z.infer<typeof instructions>;

const cache = z
  .union(
    [
      z.boolean(),
      z.strictObject(
        { files: z.array(text("a pattern of paths"), "a list of patterns").min(1, "a list of at least one pattern") },
        "a mapping with 'files'",
      ),
    ],
    { error: "true, false, or a mapping with 'files'" },
  )
  .optional()
  .describe(
    "false: called every time. true: answers of a service are taken from the cache with --ci, too. `{files: [PATTERN]}`: an answer is kept until one of these files changes.",
  );

export type WrittenCache = z.infer<typeof cache>;

/** What every target file may have. */
export const common = {
  $schema: z.string("a string").optional().describe("For editors; nothing else looks at it."),
  name: text("a string").optional().describe("For reports; by default the name of the file."),
  workspace: workspaceSchema.optional().describe("A directory of its own for each run of each case."),
  cache,
};
