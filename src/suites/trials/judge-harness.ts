import { randomUUID } from "node:crypto";
import { resolve } from "node:path";
import type { LoadedConfig } from "../../config/load.js";
import { variablesIn } from "../../core/env.js";
import { UserError } from "../../core/errors.js";
import { sha256Hex } from "../../core/ids.js";
import { oneLine } from "../../core/text.js";
import type { RunContext } from "../../run/context.js";
import { createHarness, type Harness } from "../../run/harness.js";
import { isFile } from "../find-beside.js";
import type { Suite } from "../suite.js";
import { followedFiles, followedVariables } from "../targets/followed-files.js";
import { settingsOf } from "../targets/target-variables.js";
import type { TestCase } from "../test-case.js";
import { isWithin } from "../workspaces/tree.js";
import type { ProjectState } from "./project-state.js";

/**
 * The agent for the rubrics of `cases`; undefined where none is to be asked.
 * @throws UserError (`harness`) when none is configured or it is unknown, (`config`) when `[agents.*]` is not usable
 */
export function harnessForSuite(project: LoadedConfig, suite: Suite, cases: readonly TestCase[]): Harness | undefined {
  const name = suite.judge.agent ?? project.config["harness.agent"];
  if (suite.judge.when === "never") return undefined;
  const first = cases.find(({ assertions }) => assertions.some(({ type }) => type === "rubric"));
  if (first === undefined) return undefined;
  if (name !== undefined) return createHarness(project, name);
  // Before any target is called and paid for.
  throw new UserError(`a judge is needed and no agent is configured: '${oneLine(first.id)}' has a rubric`, {
    code: "harness",
    hint: "set judge.agent in the suite or [harness] agent in .eval-banana/config.toml, or use --harness-agent; `eb agents` prints those there are; --judge never goes without",
  });
}

/**
 * Says by content what a judge goes by besides its question, its model and its template: what its program is made of,
 * what the variables stand for that it is handed or names, how its verdicts are read, and the files of the project, which
 * it works in. Null where none is asked; never the same again where the state of the project is not known.
 */
export function judgeContent({ harness, config, env, projectRoot }: RunContext, project: ProjectState): unknown {
  if (harness === undefined) return null;
  const { command, shared_flags = [] } = harness.template;
  const words = [...command, ...shared_flags];
  const isOwn = (path: string) => isWithin(path, projectRoot) && isFile(path);
  const program = { files: words.map((word) => resolve(projectRoot, word)).filter(isOwn), code: [words.join(" ")] };
  const followed = followedFiles(program, projectRoot);
  const read = followedVariables(program, followed).map((name) => ({ name, place: name }));
  const settings = settingsOf([...variablesIn(harness.env), ...read], env);
  const files = [...followed.values()].map(sha256Hex);
  return [files, settings, config["harness.strict_verdict"], project.key ?? randomUUID()];
}
