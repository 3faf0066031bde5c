import { resolve } from "node:path";
import type { LoadedConfig } from "../../config/load.js";
import { UserError } from "../../core/errors.js";
import { sha256Hex } from "../../core/ids.js";
import { oneLine } from "../../core/text.js";
import { createHarness, type Harness } from "../../run/harness.js";
import { isFile } from "../find-beside.js";
import type { Suite } from "../suite.js";
import { followedFiles } from "../targets/followed-files.js";
import type { TestCase } from "../test-case.js";
import { isWithin } from "../workspaces/tree.js";

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

/** Says by content what the program of a judge is made of, where it is the project's own; null for all others. */
export function judgeProgram({ template }: Harness, root: string): string | null {
  const words = [...template.command, ...(template.shared_flags ?? [])];
  const files = words.map((word) => resolve(root, word)).filter((path) => isWithin(path, root) && isFile(path));
  if (files.length === 0) return null;
  const content = [...followedFiles({ files, code: [words.join(" ")] }, root).values()];
  return sha256Hex(JSON.stringify(content.map(sha256Hex)));
}
