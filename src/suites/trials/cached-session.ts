import { readFileSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { maskSaid } from "../../report/mask.js";
import { emptySession, type Session, saidIn } from "../session.js";
import { targetSettings } from "../targets/target-variables.js";
import { type Target, typeOf, usesProject } from "../targets/types.js";
import type { TestCase } from "../test-case.js";
import type { TrialContext } from "../trial-context.js";
import type { Changes } from "../workspaces/changes.js";
import type { OpenWorkspace } from "../workspaces/open.js";
import { type Cache, contentKey } from "./cache.js";
import type { ProjectState } from "./project-state.js";

interface KeyParts {
  testCase: TestCase;
  target: Target;
  number: number;
}

interface KeyOptions {
  workspace?: OpenWorkspace | undefined;
  env: NodeJS.ProcessEnv;
  project: ProjectState;
  /** Whether services are called anew, but for those whose target says what is cached. */
  askServices: boolean;
}

/**
 * The key of what a target hands back: everything that it is told, and everything that it is. Undefined: there is none,
 * since what it finds in its workspace or the project is not known, the target says so, or it is not to be kept.
 */
export function sessionKey(
  { testCase, target, number }: KeyParts,
  { workspace, env, project, askServices }: KeyOptions,
): string | undefined {
  if ((workspace && workspace.tree === undefined) || typeOf(target).isUncached || target.cache === false)
    return undefined;
  if (askServices && typeOf(target).isService && target.cache === undefined) return undefined;
  const state = usesProject(target, { hasWorkspace: workspace !== undefined }) ? project.key : null;
  if (state === undefined) return undefined;
  const { id, input } = testCase;
  const settings = targetSettings(target, env);
  return contentKey(["session", target.digest, settings, id, input, number, workspace?.tree ?? null, state]);
}

interface Entry {
  session: Session;
  /** What it did to its workspace: bytes as base64; null without one. */
  patch: string | null;
}

/** A session that was kept, with what it did to the workspace done again; undefined: it must be called. */
export async function cachedSession(
  cache: Cache,
  key: string | undefined,
  workspace: OpenWorkspace | undefined,
): Promise<Session | undefined> {
  const entry = key === undefined ? undefined : (cache.get("sessions", key) as Entry | undefined);
  if (entry === undefined) return undefined;
  if (workspace && !(await workspace.applyPatch(Buffer.from(entry.patch ?? "", "base64")))) return undefined;
  // The files that it names are those of an earlier run.
  return { ...emptySession, ...entry.session, evidence: {} };
}

/** Keeps a session that succeeded; not one with a secret in it, which would be another one when it is masked. */
export function keepSession(
  cache: Cache,
  key: string | undefined,
  session: Session,
  { changes, context }: { changes: Changes | null; context: TrialContext },
): void {
  if (key === undefined || session.error !== null || changes?.isMasked) return;
  const said = saidIn(session);
  if (!isDeepStrictEqual(maskSaid(said, context.redactor), said)) return;
  const patch = changes?.patch ? readFileSync(join(context.runDir, changes.patch)).toString("base64") : null;
  const entry: Entry = { session, patch };
  cache.set("sessions", key, entry);
}
