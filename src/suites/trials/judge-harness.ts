import { resolve } from "node:path";
import type { LoadedConfig } from "../../config/load.js";
import { sha256Hex } from "../../core/ids.js";
import { createHarness, type Harness } from "../../run/harness.js";
import { isFile } from "../find-beside.js";
import type { Suite } from "../suite.js";
import { followedFiles } from "../targets/followed-files.js";
import type { TestCase } from "../test-case.js";
import { isWithin } from "../workspaces/tree.js";

/**
 * The agent for the rubrics of `cases`; undefined where none is to be asked, or none is configured: such rubrics are
 * errors of their cases, and the other cases go on.
 * @throws UserError (`harness`) when the agent is unknown, (`config`) when `[agents.*]` is not usable
 */
export function harnessForSuite(project: LoadedConfig, suite: Suite, cases: readonly TestCase[]): Harness | undefined {
  const name = suite.judge.agent ?? project.config["harness.agent"];
  if (suite.judge.when === "never") return undefined;
  const needed = cases.some(({ assertions }) => assertions.some(({ type }) => type === "rubric"));
  return needed && name !== undefined ? createHarness(project, name) : undefined;
}

/** Says by content what the program of a judge is made of, where it is the project's own; null for all others. */
export function judgeProgram({ template }: Harness, root: string): string | null {
  const words = [...template.command, ...(template.shared_flags ?? [])];
  const files = words.map((word) => resolve(root, word)).filter((path) => isWithin(path, root) && isFile(path));
  if (files.length === 0) return null;
  const content = [...followedFiles({ files, code: [words.join(" ")] }, root).values()];
  return sha256Hex(JSON.stringify(content.map(sha256Hex)));
}
