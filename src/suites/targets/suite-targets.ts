import { existsSync } from "node:fs";
import { basename, dirname, normalize, resolve } from "node:path";
import type { LoadedConfig } from "../../config/load.js";
import { describeProblem, type Problem } from "../../core/errors.js";
import { mergeWorkspaces } from "../load/merge-workspaces.js";
import type { Suite } from "../suite.js";
import type { NamesTarget, TestCase } from "../test-case.js";
import { fromRoot, wordsOfProject } from "./command/project-words.js";
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
  /** Its fields are wrong, so that what they name was not looked at. */
  isPartial?: boolean;
}

/** The targets of a suite's cases. A file is read once. */
export function suiteTargets(suite: Suite, project: LoadedConfig): (testCase: NamesTarget) => CaseTarget {
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

/**
 * What is wrong with the targets of a suite, each told once; `warnings` does not keep one from being called.
 * `leftOut` are cases of it that are not valid themselves.
 */
export function checkTargets(suite: Suite, project: LoadedConfig, leftOut: readonly NamesTarget[]) {
  const targetOf = suiteTargets(suite, project);
  const targets = [...new Set([...suite.cases, ...leftOut].map(targetOf))];
  return {
    isPartial: targets.some((each) => each.isPartial),
    problems: [
      ...targets.flatMap(({ problems }) => problems),
      ...suite.cases.flatMap((testCase) => withoutWorkspace(testCase, targetOf(testCase))),
    ],
    warnings: [
      ...targets.flatMap(({ warnings }) => warnings),
      ...new Map(
        suite.cases
          .flatMap((testCase) => wordsNotInWorkspace(testCase, targetOf(testCase), project.root))
          .map((problem) => [describeProblem(problem), problem]),
      ).values(),
    ],
  };
}

/** What is asserted of files that nothing keeps apart from the project's. */
function withoutWorkspace({ id, assertions, workspace, source }: TestCase, { target }: CaseTarget): Problem[] {
  if (!target || workspace || target.workspace || assertions.every(({ type }) => type !== "files")) return [];
  const message = "there is no workspace, so that no files can be looked at: give one to the suite, target or case";
  return [{ ...source, field: `${id}: checks.files`, message }];
}

/** Files of the project that a command names, and that will not be where it is run. */
function wordsNotInWorkspace({ workspace }: TestCase, { target }: CaseTarget, root: string): Problem[] {
  const layer = mergeWorkspaces(target?.workspace, workspace);
  if (target?.type !== "command" || !layer) return [];
  const { from, files = {}, setup = [] } = layer;
  // What is in a commit, or made by a command, is not known yet.
  if (from && "repo" in from) return [];
  const isInWorkspace = (path: string) =>
    Object.keys(files).some((name) => normalize(name) === path) ||
    (from !== undefined && existsSync(resolve(from.template, path))) ||
    setup.some((line) => line.includes(basename(path)));
  return wordsOfProject(target, { root, isInWorkspace }).map((word) => ({
    file: target.path,
    field: "command",
    message: `'${word}' is a file of the project and not in the workspace, where it is run: write ${fromRoot(word, target)}`,
  }));
}
