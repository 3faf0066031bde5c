import { resolve } from "node:path";
import type { LoadedConfig } from "../../../config/load.js";
import { describeSystemError, isSystemError, UserError } from "../../../core/errors.js";
import { readRegularFile } from "../../../core/read-file.js";
import { count, oneLine } from "../../../core/text.js";
import type { Harness } from "../../../run/harness.js";
import { withLoneTrial } from "../../../suites/lone-trial.js";
import { type ScoreSession, scoreWorkspace, type Verdict } from "../../../suites/score.js";
import type { TestCase } from "../../../suites/test-case.js";
import type { TrialContext } from "../../../suites/trial-context.js";
import type { FileChange } from "../../../suites/workspaces/changes.js";
import { watchInterrupts } from "../../interrupt.js";
import { showError, showWarnings } from "../../show-error.js";
import { type CaseOptions, type FindCase, projectOf } from "./case.js";

export interface ScoreCommandOptions extends CaseOptions {
  workspace: string;
  output?: string;
  json?: boolean;
}

/** What scoring is made of elsewhere. */
export interface ScoreParts {
  findCase: FindCase;
  scoreSession: ScoreSession;
  /** The agent that judges, where the case needs one. */
  harnessFor: (project: LoadedConfig, testCase: TestCase) => Harness | undefined;
  /** Adds what scorers need, e.g. the Python of scripts. */
  equip: (context: TrialContext, testCase: TestCase) => Promise<TrialContext>;
}

/** Scores what came out of a prepared case; returns the exit code: 0 passed, 1 not. */
export async function score(
  suite: string | undefined,
  options: ScoreCommandOptions,
  { findCase, scoreSession, harnessFor, equip }: ScoreParts,
): Promise<number> {
  const project = projectOf(options);
  const { testCase, suiteFolder } = await findCase(suite, options.case, project);
  const output = options.output === undefined ? "" : readOutput(options.output);
  const interrupt = watchInterrupts((notice) => process.stderr.write(notice));
  const { signal } = interrupt;
  try {
    const trial = { project, caseId: testCase.id, signal, harness: harnessFor(project, testCase) };
    const verdict = await withLoneTrial(trial, async (bare) => {
      const context = await equip(bare, testCase);
      const directory = resolve(options.workspace);
      return scoreWorkspace(testCase, { directory, output, context, suiteFolder, scoreSession });
    });
    showWarnings(verdict.warnings);
    if (options.output === undefined) showWarnings(["no --output was given: the final answer counts as empty"]);
    process.stdout.write(options.json ? `${JSON.stringify(documentOf(testCase, verdict), null, 2)}\n` : say(verdict));
    return interrupt.exitCode() ?? (verdict.passed ? 0 : 1);
  } catch (error) {
    const { verbose = false, json = false } = options;
    return interrupt.exitCode() ?? showError(error, { verbose, json });
  } finally {
    interrupt.release();
  }
}

function readOutput(path: string): string {
  try {
    return readRegularFile(resolve(path)).toString("utf8");
  } catch (error) {
    if (!isSystemError(error)) throw error;
    throw new UserError(`cannot read --output: ${describeSystemError(error)}`, { code: "usage", cause: error });
  }
}

function documentOf({ id }: TestCase, { passed, scores, changes }: Verdict) {
  const files = "error" in changes ? [] : changes.files;
  return { case_id: id, passed, scores, changes: files, changes_error: "error" in changes ? changes.error : null };
}

function say({ passed, scores, changes }: Verdict): string {
  const changed = "error" in changes ? [changes.error] : changes.files.map(sayChange);
  const head = "error" in changes ? "changes: not known" : `changes: ${count(changes.files.length, "file")}`;
  const failed = scores.filter(({ status }) => status !== "passed");
  const reasons = failed.map(({ type, status, reason }) => `  ${status}: ${type}: ${oneLine(reason)}`);
  const result = `${passed ? "passed" : "failed"}: ${scores.length - failed.length} of ${count(scores.length, "assertion")}`;
  return `${[head, ...changed.map((line) => `  ${oneLine(line)}`), result, ...reasons].join("\n")}\n`;
}

function sayChange({ status, path, from, added, removed }: FileChange): string {
  const name = from === undefined ? path : `${from} → ${path}`;
  return `${status} ${name}${added === null ? " (binary)" : ` +${added} −${removed}`}`;
}
