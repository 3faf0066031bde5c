import { agentNamed, resolveAgents } from "../../agents/resolve.js";
import type { Locate } from "../../checks/parse.js";
import type { CheckDefinition, JudgeCheck } from "../../checks/schema.js";
import { nothingSelected } from "../../checks/select.js";
import { readScript } from "../../checks/snapshot.js";
import type { LoadedConfig } from "../../config/load.js";
import { type Problem, UserError } from "../../core/errors.js";
import { count, printable } from "../../core/text.js";
import { judgeSettings } from "../../run/harness.js";
import { load, type SelectionOptions } from "../options.js";
import { printJson, printLine } from "../print-result.js";
import { problemLines, showWarnings } from "../show-error.js";

/** Reads all that a run would read, and prints what is wrong. Runs nothing. */
export function validate(options: SelectionOptions): number {
  const judges: JudgeCheck[] = [];
  const { project, plan, selection } = load(options, {
    inspect(definition, file, locate) {
      if (definition.type === "harness_judge") judges.push(definition);
      return scriptProblems(definition, file, locate);
    },
  });
  const problems = [...plan.problems, ...harnessProblems(project, judges, plan.problems.length > 0)];
  const { checks } = plan;
  if (checks.length === 0 && problems.length === 0) throw nothingSelected(plan, selection);
  const valid = problems.length === 0;
  if (options.json) printJson({ valid, checks: checks.length, errors: problems });
  else if (valid) printLine(`${count(checks.length, "check")} valid`);
  else printLine(`not valid:\n${problemLines(problems).map(printable).join("\n")}`);
  return valid ? 0 : 1;
}

/**
 * What is wrong with the agent that would judge. That there is none is no fault of the checks.
 * @param others whether there are other problems to tell along with it; else it is thrown as a run would
 */
function harnessProblems(project: LoadedConfig, judges: readonly JudgeCheck[], others: boolean): Problem[] {
  const { config, agents } = project;
  const name = config["harness.agent"];
  if (judges.length > 0 && name === undefined) {
    showWarnings([`${count(judges.length, "judge check")}, and no agent is configured: a run needs --harness-agent`]);
  }
  try {
    const templates = resolveAgents(agents);
    if (name === undefined) return [];
    const harness = { name, template: agentNamed(name, templates) };
    const refused = judges.flatMap((judge) => judgeSettings(harness, config, judge).refused ?? []);
    return [...new Set(refused)].map((message) => ({ message }));
  } catch (error) {
    if (!(others && error instanceof UserError)) throw error;
    const { message, hint } = error;
    return error.problems.length > 0 ? [...error.problems] : [{ message, ...(hint !== undefined && { hint }) }];
  }
}

function scriptProblems(definition: CheckDefinition, file: string, locate: Locate): Problem[] {
  if (definition.type !== "deterministic" || definition.script_path === undefined) return [];
  const { unavailable } = readScript(file, definition.script_path);
  return unavailable === undefined ? [] : [{ ...locate(["script_path"]), field: "script_path", message: unavailable }];
}
