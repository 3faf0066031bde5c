import * as z from "zod";
import { path, relativePath, text } from "./fields.js";

const commands = z.array(text("a shell command"), "a list of shell commands");

/** `workspace:` of a suite, a target or a case, as it is written. */
export const workspaceSchema = z
  .strictObject(
    {
      template: path.optional().describe("A directory that is copied, without what its .gitignore leaves out."),
      repo: path.optional().describe("A git repository, as a path or a URL, in place of `template`."),
      ref: text("a commit, branch or tag").optional().describe("The commit of `repo`; by default its HEAD."),
      files: z
        .record(
          relativePath,
          z.union(
            [
              z.string("a text"),
              z.strictObject({ from: path.describe("A file, relative to this one, then to the root.") }, "a mapping"),
            ],
            "the content of the file, or `from:` and a path",
          ),
          "a mapping of paths in the workspace",
        )
        .optional()
        .describe("Files put into it, by their paths in it: their content, or `from:` and a path."),
      setup: commands.optional().describe("Shell commands that run in it before the target."),
      teardown: commands.optional().describe("Shell commands that run in it after everything."),
      keep: z
        .enum(["never", "on_failure", "always"], "'never', 'on_failure' or 'always'")
        .optional()
        .describe("When it is kept after the run; by default on_failure."),
    },
    "a mapping",
  )
  .refine(({ template, repo }) => template === undefined || repo === undefined, {
    error: "exactly one of 'template' and 'repo' can be given, found both",
    path: ["repo"],
  })
  .refine(({ repo, ref }) => ref === undefined || repo !== undefined, {
    error: "'ref' is a commit of 'repo', which is missing",
    path: ["ref"],
  });

export type WrittenWorkspace = z.infer<typeof workspaceSchema>;
