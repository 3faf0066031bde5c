import { join, resolve } from "node:path";
import { PROJECT_DIR } from "../../config/project.js";
import { sha256Hex } from "../../core/ids.js";
import { itemContext, type RunContext, runTag } from "../../run/context.js";
import { baselinePath } from "../results/baseline.js";
import type { Suite } from "../suite.js";
import type { CaseTarget } from "../targets/suite-targets.js";
import type { TestCase } from "../test-case.js";
import { textOf } from "../workspaces/tree.js";
import { type ProjectFiles, projectFiles } from "./project-files.js";

/** The state of the project's files, as far as git knows them. */
export interface ProjectState {
  /** Says it by content. Undefined: that is not known. */
  key: string | undefined;
  /** What has changed since, for people; empty where nothing has, or that is not known. */
  changes: () => Promise<string[]>;
}

/** That of a project whose files do not matter. */
export const NO_STATE: ProjectState = { key: undefined, changes: async () => [] };

export interface ProjectStateOptions {
  suite: Suite;
  targetOf: (testCase: TestCase) => CaseTarget;
  /** Files that the run itself writes; absolute. */
  written: readonly string[];
  warn: (message: string) => void;
}

/** Looks at the project; tells where that can't be done. */
export async function projectState(run: RunContext, options: ProjectStateOptions): Promise<ProjectState> {
  const context = { ...itemContext(run, "project"), tags: [runTag(run.runId)] };
  const look = () => projectFiles({ context, leftOut: leftOut(run, options) });
  const before = await look();
  if (typeof before === "string") {
    options.warn(
      `nothing is taken from the cache or an earlier run where code of the project is run, since git can't tell what has changed: ${before}; 'cache: {files: [...]}' in a target does without git`,
    );
    return NO_STATE;
  }
  return {
    key: sha256Hex([...before].map((entry) => entry.join("\0")).join("\0")),
    async changes() {
      const after = await look();
      return typeof after === "string" ? [] : differences(before, after).map(textOf);
    },
  };
}

function differences(before: ProjectFiles, after: ProjectFiles): string[] {
  const paths = new Set([...before.keys(), ...after.keys()]);
  return [...paths].filter((path) => before.get(path) !== after.get(path)).sort();
}

/**
 * What a case is made of is told by its own digest, so that an edit of one case is none of the others; and what eb
 * itself writes and reads says nothing of the target. Any other file that a case names may be read by the targets of all.
 */
function leftOut({ projectRoot, config }: RunContext, { suite, targetOf, written }: ProjectStateOptions): string[] {
  const own = join(projectRoot, PROJECT_DIR);
  return [
    ...["results", "cache", "config.toml"].map((name) => join(own, name)),
    resolve(projectRoot, config["core.output_dir"]),
    ...written,
    ...(suite.isInFile ? [suite.path] : []),
    baselinePath(suite.path),
    ...suite.cases.flatMap((testCase) => {
      const { source, taskFile } = testCase;
      const { target, path } = targetOf(testCase);
      return [
        // Of an object the paths are made up: what is there is something else.
        ...(source.file === suite.path ? [] : [source.file]),
        ...(target !== undefined && target === suite.target ? [] : [path]),
        ...(taskFile === undefined ? [] : [taskFile]),
      ];
    }),
  ];
}
