import { UserError } from "../core/errors.js";
import { didYouMean } from "../core/suggest.js";
import { oneOf } from "../core/text.js";
import { CHECKS_DIR } from "./discover.js";
import type { Plan, PlannedCheck, PlanOptions } from "./plan.js";

/**
 * The checks of a plan that can be run.
 * @throws UserError: `invalid_checks` with all problems, or `no_checks` when nothing was selected
 */
export function selectedChecks(plan: Plan, options: PlanOptions): readonly PlannedCheck[] {
  if (plan.problems.length > 0) throw invalidChecks(plan, options);
  if (plan.checks.length > 0) return plan.checks;
  throw nothingSelected(plan, options);
}

export function invalidChecks({ problems, idFound, others }: Plan, { checkId = "" }: PlanOptions): UserError {
  const message = idFound
    ? "some checks are not valid"
    : `no valid check has the id '${checkId}'${didYouMean(checkId, others)}, and some are not valid`;
  return new UserError(message, { code: "invalid_checks", problems });
}

export function nothingSelected(
  { fileCount, others }: Plan,
  { root, checkDir, checkId, tags }: PlanOptions,
): UserError {
  if (fileCount === 0) {
    const where = checkDir === undefined ? `in any ${CHECKS_DIR}/ below ${root}` : `in ${checkDir}`;
    return new UserError(`no checks found: there is no *.yaml or *.yml ${where}`, {
      code: "no_checks",
      hint: `write one, e.g. ${CHECKS_DIR}/first.yaml, or go to a project with --cwd`,
    });
  }
  const filters = [
    ...(checkId === undefined ? [] : [`has the id '${checkId}'${didYouMean(checkId, others)}`]),
    ...(tags === undefined ? [] : [`has ${oneOf("tag", tags)}`]),
  ];
  return new UserError(`no checks found: none of the ${fileCount} check files ${filters.join(" and ")}`, {
    code: "no_checks",
    hint: "eb list prints the checks there are",
  });
}
