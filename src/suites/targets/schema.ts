import * as z from "zod";
import { modelFields } from "../../config/model-table.js";
import { jsonValue, path, text, whole } from "../format/fields.js";
import { workspaceSchema } from "../format/workspace-schema.js";

const strings = z.record(z.string(), z.string("a string"), "a mapping of strings");
const argv = z
  .array(z.string("a string"), "a list of strings: the program and its arguments")
  .min(1, "a list of at least one string: the program and its arguments");
const instructions = z
  .union([text("a text"), z.strictObject({ file: path }, "a text, or a mapping with 'file'")], {
    error: "a text, or a mapping with 'file'",
  })
  .optional()
  .describe("What it is told before every task; or `{file: PATH}`.");

const common = {
  $schema: z.string("a string").optional().describe("For editors; nothing else looks at it."),
  name: text("a string").optional().describe("For reports; by default the name of the file."),
  workspace: workspaceSchema.optional().describe("A directory of its own for each run of each case."),
};

const input = z
  .enum(["stdin", "arg", "json-stdin"], "'stdin', 'arg' or 'json-stdin'")
  .optional()
  .describe("How it gets the task; by default on standard input, or where an argument holds {task} in that.");

const command = z.strictObject(
  {
    type: z.literal("command"),
    ...common,
    command: argv.describe("With {task}, {case_id}, {config} and {project_root}."),
    input,
    env: strings.default({}).describe("{env:NAME} takes a value from the environment."),
    cwd: path.default(".").describe("Relative to the workspace, or to the project root."),
    output: z
      .enum(["text", "json"], "'text' or 'json'")
      .default("text")
      .describe("Whether standard output is the answer, or a JSON object that holds it."),
  },
  "a mapping",
);

const http = z.strictObject(
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

const module = z.strictObject(
  {
    type: z.literal("module"),
    ...common,
    path: path.describe("A JavaScript module; relative to this file, then to the project root."),
    export: text("a name").default("default").describe("The function (input, ctx) => output."),
  },
  "a mapping",
);

const agentFields = {
  model: text("a string").optional().describe("By default that of the agent."),
  reasoning_effort: text("a string").optional().describe("By default that of the agent."),
  instructions,
};

const agent = z.strictObject(
  {
    type: z.literal("agent"),
    ...common,
    agent: text("the name of an agent").describe("A built-in one, or one of [agents.*]."),
    ...agentFields,
    env: strings.default({}).describe("{env:NAME} takes a value from the environment."),
  },
  "a mapping",
);

const model = z.strictObject(
  {
    type: z.literal("model"),
    ...common,
    model: text("the name of a model").describe("A name of [models.*], `openai:<name>` and the like, or with url."),
    ...z.object(modelFields()).partial().shape,
    instructions,
  },
  "a mapping",
);

const { env, cwd, output } = command.shape;
const ofCommand = {
  input,
  env: env.unwrap().optional(),
  cwd: cwd.unwrap().optional(),
  output: output.unwrap().optional(),
};

const member = z.strictObject(
  {
    name: text("a string").describe("Unique in the team."),
    agent: text("the name of an agent").optional().describe("An agent's program; or `command`, or `model` alone."),
    command: argv.optional().describe("A program, in place of an agent."),
    ...agentFields,
    ...ofCommand,
  },
  "a mapping",
);

const team = z.strictObject(
  {
    type: z.literal("team"),
    ...common,
    agents: z.array(member, "a list of agents").min(1, "a list of at least one agent").describe("Who is in it."),
    strategy: z
      .enum(["sequential", "round_robin"], "'sequential' or 'round_robin'")
      .default("sequential")
      .describe("Each once in order, or again and again."),
    max_turns: whole(1).optional().describe("Most replies; by default one of each, in rounds 10."),
    stop: z
      .strictObject(
        {
          keyword: text("a string").optional().describe("Occurs in the message, whatever its case."),
          regex: text("a regular expression").optional().describe("Matches somewhere in it; /…/ims for flags."),
          agents: z.array(z.string("a name"), "a list of names").default([]).describe("Whose; by default anyone's."),
        },
        "a mapping",
      )
      .default({ agents: [] })
      .describe("The message that ends the work."),
  },
  "a mapping",
);

const replay = z.strictObject(
  {
    type: z.literal("replay"),
    ...common,
    path: path.describe("JSONL of recorded outputs by case id; relative to this file, then to the root."),
  },
  "a mapping",
);

export const targetSchemas = { command, http, module, agent, team, model, replay };
export type TargetType = keyof typeof targetSchemas;
export const targetTypes = Object.keys(targetSchemas) as TargetType[];

/** A target file, as it is written. */
export const targetSchema = z.discriminatedUnion("type", [command, http, module, agent, team, model, replay]);

export type TargetFile = z.infer<typeof targetSchema>;
export type WrittenMember = z.infer<typeof member>;
