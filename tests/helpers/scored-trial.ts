import { loadConfig } from "../../src/config/load.js";
import type { Config } from "../../src/config/settings.js";
import type { RunContext } from "../../src/run/context.js";
import { createLauncher } from "../../src/run/python-launcher.js";
import type { Assertion, Score } from "../../src/suites/format/assertion.js";
import { type ScoreRequest, scoreSession } from "../../src/suites/scorers/score-session.js";
import { emptySession, type Session } from "../../src/suites/session.js";
import type { TestCase } from "../../src/suites/test-case.js";
import { trialContext } from "../../src/suites/trial-context.js";
import { PYTHON, project } from "./project.js";
import { suiteRun } from "./trial.js";

export interface EndedTrialOptions {
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
export function endedTrial(assertions: readonly Assertion[], options: EndedTrialOptions = {}): ScoreRequest {
  const p = project();
  const config = loadConfig({ cwd: p.root, useConfig: false, values: options.config ?? {}, env: {} });
  const python = { command: PYTHON, args: [] };
  const run = suiteRun(p, { config: config.config, python, ...options.run });
  run.launcher ??= createLauncher({ run, python: run.python, ids: ["the case"], warn: async () => {} });
  const testCase: TestCase = {
    id: "the case",
    input: "the task",
    tags: [],
    mustSucceed: true,
    assertions,
    source: { file: p.path("suite.yaml"), line: 1 },
    digest: "sha256:0",
    ...options.testCase,
  };
  const session = { ...emptySession, output: options.output ?? "", turns: 1, ...options.session };
  const { workspace, judge = { when: "always", votes: 1 }, askJudge } = options;
  return { testCase, session, context: trialContext(run, testCase.id, 1), workspace, judge, askJudge };
}

/** What one assertion comes to. */
export async function scoreOne(assertion: Assertion, options: EndedTrialOptions = {}): Promise<Score> {
  const score = (await scoreSession(endedTrial([assertion], options))).find(({ type }) => type === assertion.type);
  if (score === undefined) throw new Error(`${assertion.type} was not scored`);
  return score;
}
