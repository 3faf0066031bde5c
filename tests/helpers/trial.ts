import { execFileSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { loadConfig } from "../../src/config/load.js";
import { createRunId } from "../../src/core/ids.js";
import { noRedactor } from "../../src/core/redact.js";
import type { RunContext } from "../../src/run/context.js";
import { createEvidenceDirs } from "../../src/run/evidence-dirs.js";
import { createPrivateDirs } from "../../src/run/private-dirs.js";
import { type TrialContext, trialContext } from "../../src/suites/trial-context.js";
import type { Workspace } from "../../src/suites/workspace.js";
import { cleanEnv, type Project, temporaryDirectory } from "./project.js";

/** What the runs of cases in a project share; its scratch is gone after the test. */
export function suiteRun(project: Project, more: Partial<RunContext> = {}): RunContext {
  const scratch = temporaryDirectory();
  const { runDir = join(project.root, ".eval-banana", "results", "run") } = more;
  mkdirSync(join(runDir, "cases"), { recursive: true });
  return {
    config: loadConfig({ cwd: project.root, env: {} }).config,
    env: cleanEnv(),
    projectRoot: project.root,
    runId: createRunId(),
    folder: "cases",
    scratch,
    privateDirs: createPrivateDirs(scratch),
    evidenceDirs: createEvidenceDirs(),
    signal: new AbortController().signal,
    redactor: noRedactor,
    ...more,
    runDir,
  };
}

/** One run of a case in a run of its own. */
export function trial(project: Project, more: Partial<RunContext> = {}): TrialContext {
  return trialContext(suiteRun(project, more), "it", 1);
}

/** A workspace that is never kept. */
export function workspace(more: Partial<Workspace> = {}): Workspace {
  return { from: undefined, files: {}, setup: [], teardown: [], keep: "never", ...more };
}

/** Runs git as a person would who has configured nothing. */
export function git(cwd: string, ...args: string[]): string {
  const person = { NAME: "Ann", EMAIL: "ann@example.org", DATE: "2024-01-01T00:00:00Z" };
  const names = Object.entries(person).flatMap(([key, value]) => [
    [`GIT_AUTHOR_${key}`, value],
    [`GIT_COMMITTER_${key}`, value],
  ]);
  const env = { ...cleanEnv(), ...Object.fromEntries(names), GIT_CONFIG_NOSYSTEM: "1", GIT_CONFIG_GLOBAL: "/dev/null" };
  return execFileSync("git", args, { cwd, env, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim();
}
