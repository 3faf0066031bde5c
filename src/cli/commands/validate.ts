import { agentNamed, resolveAgents } from "../../agents/resolve.js";
import type { Locate } from "../../checks/parse.js";
import type { CheckDefinition } from "../../checks/schema.js";
import { nothingSelected } from "../../checks/select.js";
import { readScript } from "../../checks/snapshot.js";
import type { Problem } from "../../core/errors.js";
import { count, printable } from "../../core/text.js";
import { load, type SelectionOptions } from "../options.js";
import { problemLines } from "../show-error.js";

/** Reads all that a run would read, and prints what is wrong. Runs nothing. */
export function validate(options: SelectionOptions): number {
  const { project, plan, selection } = load(options, scriptProblems);
  const agents = resolveAgents(project.agents);
  const agent = project.config["harness.agent"];
  if (agent !== undefined) agentNamed(agent, agents);

  const { problems, checks } = plan;
  if (checks.length === 0 && problems.length === 0) throw nothingSelected(plan, selection);
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

function scriptProblems(definition: CheckDefinition, file: string, locate: Locate): Problem[] {
  if (definition.type !== "deterministic" || definition.script_path === undefined) return [];
  const { unavailable } = readScript(file, definition.script_path);
  return unavailable === undefined ? [] : [{ ...locate(["script_path"]), field: "script_path", message: unavailable }];
}
