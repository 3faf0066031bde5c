import { relative } from "node:path";
import type { CheckDefinition } from "../../checks/schema.js";
import { invalidChecks, nothingSelected } from "../../checks/select.js";
import { oneLine } from "../../core/text.js";
import { load, type SelectionOptions } from "../options.js";
import { printJson, printLine } from "../print-result.js";
import { showError } from "../show-error.js";

/** Prints the valid checks, also when others are not; those then make it an error. */
export function list(options: SelectionOptions): number {
  const checks: (CheckDefinition & { source_path: string })[] = [];
  const { project, plan, selection } = load(options, {
    inspect(definition, sourcePath) {
      checks.push({ ...definition, source_path: sourcePath });
      return [];
    },
  });
  if (options.json) printJson(document(project.root, checks, plan.problems));
  else if (checks.length > 0) printLine(checks.map((check) => line(check, project.root)).join("\n"));
  if (plan.problems.length > 0) return showError(invalidChecks(plan, selection), { verbose: options.verbose ?? false });
  if (checks.length === 0) return showError(nothingSelected(plan, selection), { verbose: options.verbose ?? false });
  return 0;
}

function line(check: CheckDefinition & { source_path: string }, root: string): string {
  return [
    check.id,
    check.type,
    oneLine(check.description).replaceAll("\t", " "),
    oneLine(relative(root, check.source_path)),
  ].join("\t");
}

function document(root: string, checks: readonly (CheckDefinition & { source_path: string })[], errors: unknown) {
  return {
    project_root: root,
    checks: checks.map(({ id, type, description, tags, source_path }) => ({
      check_id: id,
      check_type: type,
      description,
      tags,
      source_path,
    })),
    errors,
  };
}
