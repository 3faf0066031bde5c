import { dirname } from "node:path";
import type { LoadedConfig } from "../../config/load.js";
import type { Problem } from "../../core/errors.js";
import type { Suite } from "../suite.js";
import type { TestCase } from "../test-case.js";
import { findTarget } from "./find-target.js";
import { loadTarget } from "./load-target.js";
import type { Target } from "./types.js";

/** The target of a case, or all that is wrong with it. */
export interface CaseTarget {
  /** Absolute; as written where there is no such file, the name where it is in none. */
  path: string;
  target?: Target;
  /** Empty exactly when there is a target. */
  problems: readonly Problem[];
  warnings: readonly Problem[];
}

/** The targets of a suite's cases. A file is read once. */
export function suiteTargets(suite: Suite, project: LoadedConfig): (testCase: TestCase) => CaseTarget {
  const { root: projectRoot, agents, models } = project;
  const known = new Map<string, CaseTarget>();
  const load = (written: string | undefined, namedBy: string, place: Omit<Problem, "message">): CaseTarget => {
    const found = findTarget(written, { directory: dirname(namedBy), root: projectRoot });
    if ("problem" in found) {
      return { path: written ?? "", problems: [{ ...place, message: found.problem }], warnings: [] };
    }
    return { path: found.path, ...loadTarget(found.path, { projectRoot, agents, models }) };
  };
  const given: CaseTarget | undefined = suite.target && {
    path: suite.target.name,
    target: suite.target,
    problems: [],
    warnings: [],
  };
  return ({ id, config, source }) => {
    if (config === undefined && given) return given;
    const namedBy = config === undefined ? suite.path : source.file;
    const written = config ?? suite.config;
    const key = JSON.stringify([namedBy, written]);
    const place = config === undefined ? placeOfConfig(suite) : { ...source, field: `${id}: config` };
    const target = known.get(key) ?? load(written, namedBy, place);
    known.set(key, target);
    return target;
  };
}

/** Where the target of a suite is named: in it, or nowhere in it. */
function placeOfConfig({ path, config, configPlace }: Suite): Omit<Problem, "message"> {
  // What `-c` names stands in no file.
  return config !== undefined && configPlace === undefined ? {} : { file: path, ...configPlace, field: "config" };
}

/** What is wrong with the targets of a suite, each told once; `warnings` does not keep one from being called. */
export function checkTargets(suite: Suite, project: LoadedConfig): { problems: Problem[]; warnings: Problem[] } {
  const targets = [...new Set(suite.cases.map(suiteTargets(suite, project)))];
  return {
    problems: targets.flatMap(({ problems }) => problems),
    warnings: targets.flatMap(({ warnings }) => warnings),
  };
}
