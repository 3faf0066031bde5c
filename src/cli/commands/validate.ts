import { agentNamed, resolveAgents } from "../../agents/resolve.js";
import { planChecks } from "../../checks/plan.js";
import type { CheckDefinition } from "../../checks/schema.js";
import { nothingSelected } from "../../checks/select.js";
import { readScript } from "../../checks/snapshot.js";
import type { Problem } from "../../core/errors.js";
import { count, printable } from "../../core/text.js";
import { projectOf, type SelectionOptions, selectionOf } from "../options.js";
import { problemLines, showWarnings } from "../show-error.js";

/** Reads all that a run would read, and prints what is wrong. Runs nothing. */
export function validate(options: SelectionOptions): number {
  const project = projectOf(options);
  const agents = resolveAgents(project.agents);
  const agent = project.config["harness.agent"];
  if (agent !== undefined) agentNamed(agent, agents);

  const selection = selectionOf(options, project);
  const { problems, warnings, checks, ...plan } = planChecks({ ...selection, inspect: scriptProblems });
  showWarnings([...project.warnings, ...warnings]);
  if (checks.length === 0 && problems.length === 0)
    throw nothingSelected({ problems, warnings, checks, ...plan }, selection);

  const valid = problems.length === 0;
  if (options.json) {
    process.stdout.write(`${JSON.stringify({ valid, checks: checks.length, errors: problems }, null, 2)}\n`);
  } else if (valid) {
    process.stdout.write(`${count(checks.length, "check")} valid\n`);
  } else {
    process.stdout.write(`not valid:\n${problemLines(problems).map(printable).join("\n")}\n`);
  }
  return valid ? 0 : 1;
}

function scriptProblems(definition: CheckDefinition, file: string): Problem[] {
  if (definition.type !== "deterministic" || definition.script_path === undefined) return [];
  const { unavailable } = readScript(file, definition.script_path);
  return unavailable === undefined ? [] : [{ file, field: "script_path", message: unavailable }];
}
