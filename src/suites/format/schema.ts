import * as z from "zod";
import { jsonValue, numberFrom, oneOrMore, path, relativePath, runCount, text, texts, whole } from "./fields.js";
import { workspaceSchema } from "./workspace-schema.js";

const needle = z.string("a string").min(1, "a string that is not empty");
const needles = oneOrMore(needle, "a string");
const pattern = text("a regular expression");
const patterns = z.union([pattern, z.array(pattern)], "a regular expression, or a list of them");
const paths = oneOrMore(relativePath, "a path");
const names = oneOrMore(text("a name"), "a name");

const expectedCall = z.strictObject(
  {
    name: text("a name").describe("The tool."),
    arguments: jsonValue.optional().describe("What its arguments must hold; they may hold more."),
    times: whole(1).optional().describe("Exactly this often; by default at least once."),
  },
  "a mapping",
);

const trajectory = z.strictObject(
  {
    must_call: oneOrMore(z.union([text("a name"), expectedCall], "a name, or a mapping with one"), "a call")
      .optional()
      .describe("Tools that must be called: names, or mappings with `name`, `arguments`, `times`."),
    must_not_call: names.optional().describe("Tools that must not be called."),
    order: names.optional().describe("Calls that occur in this order, with others between them."),
    exact: names.optional().describe("The calls, all of them, in this order."),
    max_calls: whole(0).optional().describe("How many calls there are at most."),
    no_errors: z.boolean("true or false").optional().describe("Whether every call must succeed."),
  },
  "a mapping",
);

const share = numberFrom(0, 1);
const retrieval = z.strictObject(
  {
    expect_ids: oneOrMore(text("an id"), "an id")
      .refine((ids) => ids.length > 0, "expected a list of ids that is not empty, found an empty list")
      .describe("The documents to be found: all of them, where no minimum is given."),
    k: whole(1).optional().describe("How many of the first retrieved count; by default all."),
    min_recall: share.optional().describe("Least share of the expected that was retrieved."),
    min_precision: share.optional().describe("Least share of the retrieved that was expected."),
    min_mrr: share.optional().describe("Least reciprocal rank of the first expected one."),
    min_ndcg: share.optional().describe("Least normalized discounted cumulative gain."),
  },
  "a mapping",
);

const files = z.strictObject(
  {
    must_exist: paths.optional().describe("Files that must be there at the end."),
    must_not_exist: paths.optional().describe("Files that must not."),
    must_change: paths.optional().describe("Files that must differ from what they were."),
    must_not_change: paths.optional().describe("Files that must be as they were."),
    contains: z
      .record(relativePath, needle, "a mapping of paths to texts")
      .optional()
      .describe("Text that a file must hold, by path."),
  },
  "a mapping",
);

const jsonSchema = z.record(z.string(), jsonValue);

const checks = z.strictObject(
  {
    must_contain: needles.optional().describe("All occur in the output, whatever their case."),
    must_match: patterns.optional().describe("All match somewhere in the output."),
    must_not_contain: needles.optional().describe("None occurs in the output, whatever its case."),
    valid_json: z
      .union([z.literal(true), jsonSchema], "true, or a JSON Schema")
      .optional()
      .describe("The output is JSON, and matches the schema."),
    strip_fences: z.boolean("true or false").optional().describe("Allow a code fence around the JSON."),
    max_words: whole(0).optional().describe("Most words of the output."),
    min_words: whole(1).optional().describe("Fewest words of the output."),
    max_chars: whole(0).optional().describe("Most characters of the output."),
    equals: z.string("a string").optional().describe("What the trimmed output is."),
    starts_with: text("a string").optional().describe("How the trimmed output begins."),
    ends_with: text("a string").optional().describe("How the trimmed output ends."),
    script: text("Python source").optional().describe("Python source; exit code 0 passes."),
    script_path: path.optional().describe("A Python file, relative to the suite, then to the root."),
    rubric: z
      .union([text("a text"), texts("a question")], "a text with a question on each line, or a list of questions")
      .optional()
      .describe("Questions to the judge, one a line; each must be answered with yes."),
    tone: text("a string").optional().describe("Short for the question whether the tone is this."),
    trajectory: trajectory.optional().describe("What is asserted of the tool calls."),
    retrieval: retrieval.optional().describe("What is asserted of the retrieved documents."),
    files: files.optional().describe("What is asserted of the files in the workspace."),
    max_cost_usd: numberFrom(0).optional().describe("Most that one run may cost, in US dollars."),
    max_tokens: whole(0).optional().describe("Most tokens of one run, input and output."),
    max_duration_ms: whole(1).optional().describe("Longest time of one run, in milliseconds."),
  },
  "a mapping",
);

const tags = oneOrMore(text("a string"), "a string");

/** A case, as it is written. What fields mean together is looked at in `build-case.ts`. */
export const caseSchema = z.strictObject(
  {
    id: z
      .string("a string")
      .trim()
      .regex(/\S/, "a string that is not blank")
      .regex(/^\P{Cc}*$/u, "a string without line breaks and control characters")
      // Half a character has no name of its own in UTF-8, nor such a key one in every reader of JSON.
      .regex(/^\P{Cs}*$/u, "a string without halves of characters")
      .regex(/^(?!__proto__$)/, "another name than __proto__")
      .describe("Names the case; unique in the suite."),
    task: z.string("a string").optional().describe("What the target is asked."),
    input: jsonValue.optional().describe("The same: a text, or any JSON value."),
    task_file: path.optional().describe("A file with the task, relative to the suite, then to the root."),
    config: path.optional().describe("The target file of this case."),
    must_succeed: z.boolean("true or false").optional().describe("The session must end without an error (default)."),
    expect_keywords: needles.optional().describe("All occur in the output, whatever their case."),
    expect_regex: patterns.optional().describe("All match somewhere in the output, whatever its case."),
    forbidden_keywords: needles.optional().describe("None occurs in the output, whatever its case."),
    max_turns: whole(0).optional().describe("Most turns of the agent; 0 = no limit."),
    tags: tags.optional().describe("For --filter and --tag."),
    runs: runCount.optional().describe("How often it is run; overrides the suite's."),
    timeout_seconds: numberFrom(0).optional().describe("Time limit of one run; 0 = none; overrides the suite's."),
    checks: checks.optional().describe("What is asserted of the session."),
    workspace: workspaceSchema.optional().describe("A directory of its own for each run."),
  },
  "a mapping with the fields of a case",
);

const gates = z.strictObject(
  {
    min_pass_rate: share.optional().describe("Least score, 0 to 1."),
    max_drop: share.optional().describe("Most that the score may be below the baseline's, 0 to 1."),
    max_cost_increase: numberFrom(0).optional().describe("Most that the cost may grow: 0.5 = by half."),
    max_latency_increase: numberFrom(0).optional().describe("Most that the median duration may grow: 1 = doubled."),
  },
  "a mapping",
);

export const judgeWhen = ["always", "deterministic-pass", "deterministic-fail", "never"] as const;

const judge = z.strictObject(
  {
    agent: text("a string").optional().describe("The agent that judges; by default that of the configuration."),
    model: text("a string").optional().describe("Its model."),
    reasoning_effort: text("a string").optional().describe("Its reasoning effort."),
    when: z
      .enum(judgeWhen, `one of ${judgeWhen.join(", ")}`)
      .default("deterministic-pass")
      .describe("For which sessions it is asked."),
    votes: whole(1)
      .refine((n) => n % 2 === 1, "must be odd, so that there is always a majority")
      .default(1)
      .describe("How many independent verdicts are asked for; the majority decides."),
  },
  "a mapping",
);

const suiteFields = {
  $schema: z.string("a string").optional().describe("For editors; nothing else looks at it."),
  name: text("a string").optional().describe("Shown in the banner; by default the name of the file."),
  config: path.optional().describe("The target file, relative to this one, then to the root."),
  runs: runCount.default(1).describe("How often each case is run."),
  timeout_seconds: numberFrom(0).default(600).describe("Time limit of one run of a case; 0 = none."),
  gates: gates.default({}).describe("What fails a run with --ci."),
  judge: judge.prefault({}).describe("Who answers the questions of `checks.rubric`."),
  workspace: workspaceSchema.optional().describe("A directory of its own for each run of each case."),
  cases_file: z
    .union([path, z.array(path)], "a path, or a list of paths")
    .optional()
    .describe("JSONL or CSV files with more cases, relative to this file."),
};

/** The mapping at the top of a suite file. Its cases are looked at one by one. */
export const suiteSchema = z.strictObject(
  { ...suiteFields, cases: z.array(z.unknown(), "a list of cases").optional() },
  "a mapping with the fields of a suite, or a list of cases",
);

const cases = z.array(caseSchema, "a list of cases");

/** All of a suite file, for editors. */
export const suiteFileSchema = z.union([
  cases,
  z.strictObject({ ...suiteFields, cases: cases.optional().describe("The cases.") }),
]);

/** What a suite file may hold, as a program may give it. */
export type SuiteFields = z.input<typeof suiteFileSchema>;
export type WrittenCase = z.infer<typeof caseSchema>;
export type WrittenChecks = z.infer<typeof checks>;
export type Gates = z.infer<typeof gates>;
export type JudgeSettings = z.infer<typeof judge>;
