import { join, resolve } from "node:path";
import * as z from "zod";
import { type LoadedConfig, loadConfig } from "../../config/load.js";
import { describeProblem, type Problem, UserError } from "../../core/errors.js";
import { itemStem } from "../../core/ids.js";
import { zodProblems } from "../../core/zod-problems.js";
import type { Reporter } from "../../report/events.js";
import type { Suites } from "../../report/kind.js";
import { standardReporters } from "../../report/reporters/standard.js";
import type { SuiteReport } from "../../report/suite-schema.js";
import { suiteView } from "../../report/suite-view.js";
import { numberFrom, path, runCount, text, texts, whole } from "../format/fields.js";
import { judgeWhen } from "../format/schema.js";
import { type LoadSuiteOptions, suiteFromValue } from "../load/load-suite.js";
import { planRun } from "../plan-run.js";
import { invalidSuite, readSuite, requireTarget } from "../read-suite.js";
import { runCases } from "../run-cases.js";
import type { Suite } from "../suite.js";
import type { TargetFunction } from "../targets/function/call-function.js";
import { functionTarget } from "../targets/function/function-target.js";
import { targetFromValue } from "../targets/load-target.js";
import type { Target } from "../targets/types.js";
import { plainValue } from "./plain-value.js";
import type { RunSuiteOptions } from "./run-suite-options.js";

const flag = z.boolean("true or false").optional();
const isObject = (value: unknown) => typeof value === "object" && value !== null;

const optionsSchema = z.strictObject(
  {
    suite: z
      .union([path, z.custom<Record<string, unknown>>(isObject)], "a path, or an object with the fields of a suite")
      .optional(),
    target: z
      .union(
        [
          path,
          z.custom<Record<string, unknown>>(isObject),
          z.custom<TargetFunction>((value) => typeof value === "function"),
        ],
        "a path, an object or a function",
      )
      .optional(),
    cwd: path.default("."),
    useConfig: flag,
    settings: z.custom<RunSuiteOptions["settings"]>(isObject, "an object").optional(),
    filter: text("a text").optional(),
    tags: texts("a tag").optional(),
    caseIds: texts("an id").optional(),
    sample: whole(1).optional(),
    seed: z.string("a string").optional(),
    lastFailed: flag,
    resume: text("a run").optional(),
    runs: runCount.optional(),
    timeout: numberFrom(0).optional(),
    maxParallel: whole(1).optional(),
    cache: flag,
    judge: z.enum(judgeWhen, `one of ${judgeWhen.join(", ")}`).optional(),
    minPassRate: numberFrom(0, 1).optional(),
    maxDrop: numberFrom(0, 1).optional(),
    baseline: path.optional(),
    output: path.optional(),
    flatOutput: flag,
  },
  "an object",
);

type Options = z.infer<typeof optionsSchema>;

export interface StartOptions {
  reporters: readonly Reporter<Suites>[];
  signal: AbortSignal | undefined;
}

/** Runs a suite for a program. @throws UserError as `runSuite` does */
export async function startSuite(given: RunSuiteOptions, { reporters, signal }: StartOptions): Promise<SuiteReport> {
  const { useConfig = true, settings = {}, ...options } = checked(given);
  const { tags, filter, caseIds: ids, sample, seed, cwd, cache = true, flatOutput: flat = false, ...rest } = options;
  const project = loadConfig({ cwd, useConfig, values: settings });
  const { suite, warnings } = findSuite(options, project);
  const target = targetOf(options, project);
  const plan = planRun({ ...suite, ...(target && { target }) }, project, {
    ...rest,
    cwd: resolve(cwd),
    cache,
    selection: { filter, tags, ids, sample, seed },
  });
  if (plan.cases.length === 0) throw new UserError("no cases: all passed when they last ran", { code: "no_cases" });
  const outcome = await runCases({
    ...plan,
    onPlan: () => {},
    warnings: [...warnings, ...plan.warnings],
    flat,
    reporters: (runDir) => [...standardReporters(runDir, suiteView), ...plan.lines, ...reporters],
    signal,
  });
  try {
    return { ...outcome.end.summary, cases: [...outcome.end.results()] };
  } finally {
    outcome.close();
  }
}

function checked(given: RunSuiteOptions): Options {
  const { data, error } = optionsSchema.safeParse(given);
  if (data) return data;
  const known = (at: readonly PropertyKey[]) => (at.length === 0 ? Object.keys(optionsSchema.shape) : []);
  const problems = zodProblems(error, { value: given, known, locate: () => ({}) });
  throw new UserError("the options of runSuite are not valid", { code: "usage", problems });
}

function findSuite(options: Options, project: LoadedConfig): { suite: Suite; warnings: string[] } {
  const { suite: given, target, cwd } = options;
  const config = typeof target === "string" ? target : undefined;
  const told = ({ suite, problems, warnings }: { suite: Suite; problems: Problem[]; warnings: string[] }) => ({
    suite,
    warnings: [...warnings, ...problems.map(describeProblem)],
  });
  if (typeof given !== "object") return told(readSuite(given, project, { cwd, config }));
  if (config !== undefined) requireTarget(config, cwd);
  const value = plainValue(given);
  const { name } = value as { name?: unknown };
  const sources: LoadSuiteOptions = { projectRoot: project.root, config: config && resolve(cwd, config) };
  const { suite, ...rest } = suiteFromValue(value, join(resolve(cwd), `${fileName(name)}.yaml`), sources);
  if (!suite) throw invalidSuite(rest.problems);
  return told({ suite, ...rest });
}

/** What a suite that is in no file would be called as one, without the ending. */
function fileName(name: unknown): string {
  if (typeof name !== "string" || name.trim() === "") return "suite";
  return /^[\w-][\w .-]*$/.test(name) ? name : itemStem(name);
}

function targetOf({ target, cwd }: Options, project: LoadedConfig): Target | undefined {
  const path = join(resolve(cwd), "target");
  if (typeof target === "function") return functionTarget(target, path);
  if (typeof target !== "object") return undefined;
  const { root: projectRoot, agents, models } = project;
  const loaded = targetFromValue(plainValue(target), path, { projectRoot, agents, models });
  if (loaded.target) return loaded.target;
  throw new UserError("the target is not valid", { code: "usage", problems: loaded.problems });
}
