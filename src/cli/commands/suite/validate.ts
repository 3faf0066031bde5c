import { agentNamed, resolveAgents } from "../../../agents/resolve.js";
import type { LoadedConfig } from "../../../config/load.js";
import { byPlace, describeProblem, type Problem, UserError } from "../../../core/errors.js";
import { count, printable } from "../../../core/text.js";
import { judgeSettings } from "../../../run/harness.js";
import type { WrittenSchema } from "../../../suites/load/build-case.js";
import { readSuiteFile, suiteFiles } from "../../../suites/read-suite.js";
import type { Suite } from "../../../suites/suite.js";
import { checkTargets } from "../../../suites/targets/suite-targets.js";
import { loadProject, type ProjectOptions } from "../../options.js";
import { printJson, printLine } from "../../print-result.js";
import { problemLines, showWarnings } from "../../show-error.js";

interface ValidateOptions extends ProjectOptions {
  config?: string;
  json?: boolean;
}

/** Reads all that a run of the suites would read, and prints what is wrong. Runs nothing. */
export async function validate(given: readonly string[], options: ValidateOptions): Promise<number> {
  const project = loadProject(options);
  const files = suiteFiles(given, project, options);
  const loaded = files.map((file) => readSuiteFile(file, project, options));
  const suites = loaded.flatMap(({ sound }) => sound ?? []);
  const targets = loaded.flatMap(({ sound, leftOut = [] }) => (sound ? checkTargets(sound, project, leftOut) : []));
  const problems = [
    ...loaded.flatMap((one) => one.problems),
    ...(await Promise.all(loaded.flatMap(({ schemas = [] }) => schemas.map(schemaProblems)))).flat(),
    ...targets.flatMap((each) => each.problems),
    ...suites.flatMap((suite) => judgeProblems(suite, project)),
  ].sort(byPlace);
  showWarnings(loaded.flatMap(({ warnings }) => warnings));
  showWarnings(targets.flatMap(({ warnings }) => warnings.map(describeProblem)));

  const valid = problems.length === 0;
  const cases = loaded.flatMap(({ suite }) => suite ?? []).reduce((sum, suite) => sum + suite.cases.length, 0);
  if (options.json) printJson({ valid, suites: files.length, cases, errors: problems });
  else if (valid)
    printLine(`${count(cases, "case")}${files.length === 1 ? "" : ` in ${count(files.length, "suite")}`} valid`);
  else {
    const isPartial = [...loaded, ...targets].some((each) => each.isPartial);
    const lines = [...problemLines(problems), ...(isPartial ? ["  more is looked at when these are mended"] : [])];
    printLine(`not valid:\n${lines.map(printable).join("\n")}`);
  }
  return valid ? 0 : 1;
}

/** What a validator finds in a JSON Schema, which is loaded where there is one. */
async function schemaProblems({ schema, problem }: WrittenSchema): Promise<Problem[]> {
  const { schemaFaults } = await import("../../../suites/scorers/valid-json.js");
  return (await schemaFaults(schema)).map(problem);
}

/** What is wrong with the agent that would judge. That there is none is no fault of the suite. */
function judgeProblems({ path, judge, cases }: Suite, project: LoadedConfig): Problem[] {
  const judged = cases.filter(({ assertions }) => assertions.some(({ type }) => type === "rubric")).length;
  if (judged === 0 || judge.when === "never") return [];
  const name = judge.agent ?? project.config["harness.agent"];
  if (name === undefined) {
    showWarnings([`${count(judged, "case")} with a rubric, and no agent is configured: a run needs judge.agent`]);
    return [];
  }
  try {
    const template = agentNamed(name, resolveAgents(project.agents));
    const { refused } = judgeSettings({ name, template }, project.config, {
      model: judge.model,
      reasoningEffort: judge.reasoning_effort,
    });
    return refused === undefined ? [] : [{ file: path, field: "judge", message: refused }];
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return error.problems.length > 0
      ? [...error.problems]
      : [{ file: path, field: "judge.agent", message: error.message }];
  }
}
