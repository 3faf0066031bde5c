import { existsSync } from "node:fs";
import { join } from "node:path";
import { UserError } from "../../core/errors.js";
import { isDirectory } from "../../core/make-directory.js";
import type { Redactor } from "../../core/redact.js";
import { maskChange, maskScore } from "../../report/mask.js";
import type { Score } from "../format/assertion.js";
import type { JudgeSettings } from "../format/schema.js";
import { scoreSession } from "../scorers/score-session.js";
import { emptySession } from "../session.js";
import type { Changes } from "../workspaces/changes.js";
import type { LayOutOptions } from "../workspaces/lay-out.js";
import { type Finished, openWorkspace } from "../workspaces/open.js";
import { type LaidCase, TASK_FILE, WORKSPACE_FOLDER } from "./prepare-case.js";

export interface ScoreOptions extends LayOutOptions {
  /** The directory with what came out; absolute. It is only read, but for what a script of the case does in it. */
  directory: string;
  /** The final answer; empty where there is none. */
  output: string;
  judge: JudgeSettings;
}

export interface ScoredWorkspace {
  passed: boolean;
  scores: readonly Score[];
  changes: Changes | { error: string };
  warnings: readonly string[];
}

/**
 * Scores what a person or another agent made of a case, as a run scores what its target made: what changed is told
 * from the workspace, laid out anew.
 * @throws UserError where there is no such directory, or the workspace can't be laid out
 */
export async function scoreWorkspace(testCase: LaidCase, options: ScoreOptions): Promise<ScoredWorkspace> {
  const { output, judge } = options;
  const { redactor } = options.context;
  const directory = workspaceIn(options.directory);
  if (!isDirectory(directory)) {
    throw new UserError(`there is no such directory: ${directory}`, {
      code: "usage",
      hint: `name what 'eb suite prepare' made: OUT/${WORKSPACE_FOLDER}`,
    });
  }
  const { workspace } = testCase;
  if (workspace === undefined) {
    throw new UserError(`the case '${testCase.id}' has no workspace`, {
      code: "usage",
      hint: "add workspace: to it or to its suite",
    });
  }
  const opened = await openWorkspace({ ...workspace, keep: "never" }, options);
  if ("error" in opened) {
    throw new UserError(`the workspace of '${testCase.id}' can't be laid out anew: ${redactor.text(opened.error)}`, {
      code: "io",
    });
  }
  let finished: Finished | undefined;
  try {
    const changes = await opened.compareWith(directory);
    const context = { ...opened.context, env: { ...opened.context.env, EVAL_BANANA_WORKSPACE: directory } };
    const session = { ...emptySession, output, turns: output === "" ? 0 : 1 };
    const scores = await scoreSession({ testCase, session, context, judge, workspace: { directory, changes } });
    const passed = scores.every(({ status }) => status === "passed");
    // Only now: a script may have asked a server that setup started.
    finished = await opened.finish({ passed });
    return masked({ passed, scores, changes, warnings: finished.warnings }, redactor);
  } finally {
    if (finished === undefined) await opened.finish({ passed: false });
  }
}

/** As it may be shown: it goes past the recorder of a run. */
function masked({ passed, scores, changes, warnings }: ScoredWorkspace, redactor: Redactor): ScoredWorkspace {
  return {
    passed,
    scores: scores.map((score) => maskScore(score, redactor)),
    changes:
      "error" in changes
        ? { error: redactor.text(changes.error) }
        : { ...changes, files: changes.files.map((change) => maskChange(change, redactor)) },
    warnings: warnings.map(redactor.text),
  };
}

/** The workspace in a directory that `eb suite prepare` made, or the directory itself. */
function workspaceIn(directory: string): string {
  const inner = join(directory, WORKSPACE_FOLDER);
  return existsSync(join(directory, TASK_FILE)) && isDirectory(inner) ? inner : directory;
}
