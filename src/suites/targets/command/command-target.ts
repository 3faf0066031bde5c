import { readFileSync } from "node:fs";
import { relative, resolve } from "node:path";
import * as z from "zod";
import { variablesIn } from "../../../core/env.js";
import { isFile } from "../../find-beside.js";
import { path } from "../../format/fields.js";
import type { Builder, Path } from "../builder.js";
import { defineTarget, type Parts } from "../target-type.js";
import { argv, common, strings } from "../written-fields.js";
import type { CommandTarget } from "./call-command.js";

const schema = z.strictObject(
  {
    type: z.literal("command"),
    ...common,
    command: argv.describe("With {task}, {case_id}, {config} and {project_root}."),
    input: z
      .enum(["stdin", "arg", "json-stdin"], "'stdin', 'arg' or 'json-stdin'")
      .optional()
      .describe("How it gets the task; by default on standard input, or where an argument holds {task} in that."),
    env: strings.default({}).describe("{env:NAME} takes a value from the environment."),
    cwd: path.default(".").describe("Relative to the workspace, or to the project root."),
    output: z
      .enum(["text", "json"], "'text' or 'json'")
      .default("text")
      .describe("Whether standard output is the answer, or a JSON object that holds it."),
  },
  "a mapping",
);

type Written = z.infer<typeof schema>;

export const command = defineTarget<Written, CommandTarget, z.input<typeof schema>>({
  schema,
  build: (written, builder) => buildCommand(written, builder, ["command"]),
  call: async (target, call) => (await import("./call-command.js")).callCommand(target, call),
  variables: ({ env }) => variablesIn(env),
  usesProject: () => true,
  runsProgram: true,
});

const { input, env, cwd, output } = schema.shape;

/** What may be said besides of a program that is one of several. */
export const programFields = {
  input,
  env: env.unwrap().optional(),
  cwd: cwd.unwrap().optional(),
  output: output.unwrap().optional(),
};

/** @param field where the program stands */
export function buildCommand(
  written: Pick<Written, "command"> & Partial<Written>,
  builder: Builder,
  field: Path,
): Parts<CommandTarget> | undefined {
  const [program, ...args] = written.command;
  if (program === undefined || program.trim() === "") {
    builder.problem([...field, 0], "is the program to run: it can't be blank");
    return undefined;
  }
  const hasTask = args.some((arg) => arg.includes("{task}"));
  const { root } = builder.places;
  const words = written.command.map((word) => word.replaceAll("{project_root}", root));
  noteProgram(words, { cwd: resolve(root, written.cwd ?? "."), builder });
  return {
    type: "command",
    command: [program, ...args],
    input: written.input ?? (hasTask ? "arg" : "stdin"),
    env: written.env ?? {},
    cwd: written.cwd ?? ".",
    output: written.output ?? "text",
  };
}

/**
 * Notes what of a program is the project's own: what it answers changes with that. Returns whether there is
 * such a file.
 */
export function noteProgram(words: readonly string[], { cwd, builder }: { cwd: string; builder: Builder }): boolean {
  const { root } = builder.places;
  const files: string[] = [];
  for (const word of words) {
    const file = [cwd, root].map((place) => resolve(place, word)).find(isFile);
    if (file === undefined || relative(root, file).startsWith("..")) continue;
    files.push(file);
    try {
      builder.note(relative(root, file), readFileSync(file));
    } catch {
      // A program that may be run and not read.
      builder.note(relative(root, file), "unreadable");
    }
  }
  return builder.follow({ files, code: [words.join(" "), ...words.filter((word) => /\s/.test(word))], cwd });
}
