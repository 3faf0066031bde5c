import type { RunContext } from "../run/context.js";
import { type Cache, contentKey } from "./cache.js";
import { emptySession, type Session } from "./session.js";
import { targetContent } from "./target-content.js";
import type { Target } from "./targets/target.js";
import type { TestCase } from "./test-case.js";
import type { Changes, OpenWorkspace } from "./workspaces/open-workspace.js";

interface KeyParts {
  testCase: TestCase;
  target: Target;
  number: number;
}

/**
 * The key of what a target hands back: everything that it is told, and everything that it is.
 * @param tree the content of its workspace before it begins
 */
export function sessionKey(
  { testCase, target, number }: KeyParts,
  { run, tree }: { run: RunContext; tree: string | undefined },
): string {
  return contentKey(["session", targetContent(target, run), testCase.id, testCase.input, number, tree ?? null]);
}

interface Entry {
  session: Session;
  /** What it did to its workspace. */
  patch: string | null;
}

/** A session that was kept, with what it did to the workspace done again; undefined: it must be called. */
export async function cachedSession(
  cache: Cache,
  key: string,
  workspace: OpenWorkspace | undefined,
): Promise<Session | undefined> {
  const entry = cache.get("sessions", key) as Entry | undefined;
  if (entry === undefined) return undefined;
  if (workspace && !(entry.patch !== null && (await workspace.applyPatch(entry.patch)))) return undefined;
  // The files that it names are those of an earlier run.
  return { ...emptySession, ...entry.session, evidence: {} };
}

export function keepSession(cache: Cache, key: string, session: Session, changes: Changes | null): void {
  const entry: Entry = { session, patch: changes?.patch ?? null };
  cache.set("sessions", key, entry);
}
