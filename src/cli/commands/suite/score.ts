import { resolve } from "node:path";
import { describeSystemError, isSystemError, UserError } from "../../../core/errors.js";
import { readRegularFile } from "../../../core/read-file.js";
import { count, oneLine } from "../../../core/text.js";
import { harnessForSuite } from "../../../suites/trials/judge-harness.js";
import { withLoneTrial } from "../../../suites/trials/lone-trial.js";
import { type ScoredWorkspace, scoreWorkspace } from "../../../suites/trials/score-workspace.js";
import { withPython } from "../../../suites/trials/with-python.js";
import type { FileChange } from "../../../suites/workspaces/changes.js";
import { watchInterrupts } from "../../interrupt.js";
import { printError } from "../../print.js";
import { printJson, printLine } from "../../print-result.js";
import { showError, showWarnings } from "../../show-error.js";
import { type CaseOptions, findCase } from "./case.js";

export interface ScoreCommandOptions extends CaseOptions {
  workspace: string;
  output?: string;
  json?: boolean;
}

/** Scores what came out of a prepared case; returns the exit code: 0 passed, 1 not. */
export async function score(given: string | undefined, options: ScoreCommandOptions): Promise<number> {
  const { project, suite, testCase, suiteFolder } = findCase(given, options);
  const output = options.output === undefined ? "" : readOutput(options.output);
  const interrupt = watchInterrupts(printError);
  const { signal } = interrupt;
  try {
    const harness = harnessForSuite(project, suite, [testCase]);
    const verdict = await withLoneTrial({ project, caseId: testCase.id, signal, harness }, async (bare) => {
      const ready = await withPython(bare, [testCase], async (warning) => showWarnings([warning]));
      const context = { ...bare, ...ready };
      const directory = resolve(options.workspace);
      return scoreWorkspace(testCase, { directory, output, context, suiteFolder, judge: suite.judge });
    });
    showWarnings(verdict.warnings);
    if (options.output === undefined) showWarnings(["no --output was given: the final answer counts as empty"]);
    if (options.json) printJson(documentOf(testCase, verdict));
    else printLine(say(verdict));
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

function documentOf({ id }: { id: string }, { passed, scores, changes }: ScoredWorkspace) {
  const files = "error" in changes ? [] : changes.files;
  return { case_id: id, passed, scores, changes: files, changes_error: "error" in changes ? changes.error : null };
}

function say({ passed, scores, changes }: ScoredWorkspace): string {
  const changed = "error" in changes ? [changes.error] : changes.files.map(sayChange);
  const head = "error" in changes ? "changes: not known" : `changes: ${count(changes.files.length, "file")}`;
  const failed = scores.filter(({ status }) => status !== "passed");
  const reasons = failed.map(({ type, status, reason }) => `  ${status}: ${type}: ${oneLine(reason)}`);
  const result = `${passed ? "passed" : "failed"}: ${scores.length - failed.length} of ${count(scores.length, "assertion")}`;
  return [head, ...changed.map((line) => `  ${oneLine(line)}`), result, ...reasons].join("\n");
}

function sayChange({ status, path, from, added, removed }: FileChange): string {
  const name = from === undefined ? path : `${from} → ${path}`;
  return `${status} ${name}${added === null ? " (binary)" : ` +${added} −${removed}`}`;
}
