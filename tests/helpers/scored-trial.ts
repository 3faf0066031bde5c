import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { loadConfig } from "../../src/config/load.js";
import type { Config } from "../../src/config/settings.js";
import { noRedactor } from "../../src/core/redact.js";
import type { RunContext } from "../../src/run/context.js";
import { createPrivateDirs } from "../../src/run/private-dirs.js";
import type { Assertion, Score } from "../../src/suites/assertion.js";
import { type ScoreRequest, scoreSession } from "../../src/suites/scorers/score-session.js";
import { emptySession, type Session } from "../../src/suites/session.js";
import type { TestCase } from "../../src/suites/test-case.js";
import { trialContext } from "../../src/suites/trial-context.js";
import { cleanEnv, PYTHON, temporaryDirectory } from "./project.js";

export interface TrialOptions {
  output?: string;
  session?: Partial<Session>;
  testCase?: Partial<TestCase>;
  run?: Partial<RunContext>;
  config?: Partial<Config>;
  workspace?: ScoreRequest["workspace"];
  judge?: ScoreRequest["judge"];
  askJudge?: ScoreRequest["askJudge"];
}

/** One run of a case with these assertions that has ended; its files go to a temporary directory. */
export function trial(assertions: readonly Assertion[], options: TrialOptions = {}): ScoreRequest {
  const directory = temporaryDirectory();
  const [scratch, runDir] = [join(directory, "scratch"), join(directory, "results")];
  mkdirSync(scratch);
  const run: RunContext = {
    config: loadConfig({ cwd: directory, useConfig: false, values: options.config ?? {}, env: {} }).config,
    env: cleanEnv(),
    projectRoot: directory,
    runId: "20260101_000000_00000000",
    runDir,
    folder: "cases",
    scratch,
    privateDirs: createPrivateDirs(scratch),
    signal: new AbortController().signal,
    redactor: noRedactor,
    python: { command: PYTHON, args: [] },
    ...options.run,
  };
  const testCase: TestCase = {
    id: "the case",
    input: "the task",
    tags: [],
    mustSucceed: true,
    assertions,
    source: { file: join(directory, "suite.yaml"), line: 1 },
    digest: "sha256:0",
    ...options.testCase,
  };
  const session = { ...emptySession, output: options.output ?? "", turns: 1, ...options.session };
  const { workspace, judge = { when: "always", votes: 1 }, askJudge } = options;
  return { testCase, session, context: trialContext(run, testCase.id, 1), workspace, judge, askJudge };
}

/** What one assertion comes to. */
export async function scoreOne(assertion: Assertion, options: TrialOptions = {}): Promise<Score> {
  const score = (await scoreSession(trial([assertion], options))).find(({ type }) => type === assertion.type);
  if (score === undefined) throw new Error(`${assertion.type} was not scored`);
  return score;
}
