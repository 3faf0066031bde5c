import { describeSystemError } from "../../core/errors.js";
import { endTree } from "../../process/tree.js";
import type { TrialContext } from "../trial-context.js";
import type { Workspace } from "../workspace.js";
import { applyPatch } from "./apply-patch.js";
import type { Changes } from "./changes.js";
import { runCommands } from "./commands.js";
import { hasGit, NO_GIT } from "./git.js";
import { COMMAND_LIMIT_MS, type LayOutOptions, layOut } from "./lay-out.js";
import { contextIn, makePlace, type Place } from "./place.js";
import { removeRoom } from "./remove.js";
import { findChanges, forgetSnapshot, type Snapshot, takeSnapshot } from "./snapshot.js";
import { unrecordedState } from "./unrecorded.js";

/** The workspace of one run of a case. */
export interface OpenWorkspace {
  /** The working directory of the target; absolute. */
  directory: string;
  /** That of the run with the environment for what runs in the workspace: no repository but the workspace's is named in it. */
  context: TrialContext;
  /** What setup printed: files relative to the run directory. */
  evidence: Readonly<Record<string, string>>;
  /** Says by content what the target found: the id of git's tree; undefined where there is no git. */
  tree: string | undefined;
  /** Does again what an earlier target did to the same tree; false: it can't be done. */
  applyPatch: (patch: Uint8Array) => Promise<boolean>;
  /** What the target did to it, once it has ended; again each time. */
  recordChanges: () => Promise<Changes | { error: string }>;
  /** Whether these changes are all that the target did to it: nothing was too large for the patch, or is never recorded. */
  isAll: (changes: Changes) => boolean;
  /** What differs between another directory and this workspace as the target found it. */
  compareWith: (directory: string) => Promise<Changes | { error: string }>;
  /** Runs teardown, ends what setup started, and removes the workspace unless it is to be kept. */
  finish: (result: { passed: boolean }) => Promise<Finished>;
}

export interface Finished {
  /** Where it was kept; null when it was not. */
  kept: string | null;
  /** What teardown printed. */
  evidence: Readonly<Record<string, string>>;
  /** E.g. that teardown failed. */
  warnings: readonly string[];
}

export interface OpenFailure extends Finished {
  /** Why there is no workspace: what the run of the case fails with. `interrupted` when the run was stopped. */
  error: string;
}

/** After an interrupt someone waits for the end. */
const LAST_LIMIT_MS = 10_000;

/**
 * Lays out a fresh workspace, as the target is to find it. A failure is a result: what was begun is undone.
 * @throws the file system's error when what setup prints has nowhere to go
 */
export async function openWorkspace(
  workspace: Workspace,
  options: LayOutOptions,
): Promise<OpenWorkspace | OpenFailure> {
  const place = makePlace(workspace.keep, options);
  if ("error" in place) return { ...place, kept: null, evidence: {}, warnings: [] };
  const context = contextIn(place, options.context);
  const { evidence, error } = await layOut(workspace, place.directory, { ...options, context }).catch(
    async (failure) => {
      await removeRoom(place.room);
      throw failure;
    },
  );
  if (error !== undefined) {
    const finished = await finish(workspace, { place, context, passed: false });
    return { ...finished, error, evidence: { ...evidence, ...finished.evidence } };
  }
  const snapshot = hasGit(context)
    ? await takeSnapshot(place.directory, context)
    : { error: `changes of files: ${NO_GIT}` };
  const unrecorded = unrecordedState(place.directory);
  const compareWith = async (directory: string) =>
    "error" in snapshot ? { error: snapshot.error } : findChanges(snapshot, directory, context);
  return {
    directory: place.directory,
    context,
    evidence,
    tree: "error" in snapshot ? undefined : snapshot.tree,
    applyPatch: (patch) => applyPatch(patch, { directory: place.directory, context }),
    recordChanges: () => compareWith(place.directory),
    isAll: ({ leftOut }) =>
      leftOut.length === 0 && unrecorded !== undefined && unrecordedState(place.directory) === unrecorded,
    compareWith,
    finish: ({ passed }) => finish(workspace, { place, context, passed, snapshot }),
  };
}

interface Ending {
  place: Place;
  context: TrialContext;
  passed: boolean;
  snapshot?: Snapshot | { error: string };
}

async function finish(workspace: Workspace, { place, context, passed, snapshot }: Ending): Promise<Finished> {
  const { setup, teardown, keep } = workspace;
  const timeoutMs = context.signal.aborted ? LAST_LIMIT_MS : COMMAND_LIMIT_MS;
  const warnings: string[] = [];
  let evidence: Record<string, string> = {};
  try {
    // Not the run's signal: it runs after an interrupt, too.
    const options = {
      phase: "teardown",
      context,
      cwd: place.directory,
      timeoutMs,
      signal: undefined,
      all: true,
    } as const;
    const done = await runCommands(teardown, options);
    warnings.push(...done.failures);
    evidence = done.evidence;
  } catch (error) {
    warnings.push(`teardown could not run: ${describeSystemError(error)}`);
  }
  // What left its process group, as servers do.
  if (setup.length + teardown.length > 0) await endTree({ tags: context.tags });
  if (snapshot !== undefined && !("error" in snapshot)) forgetSnapshot(snapshot);
  if (keep === "always" || (keep === "on_failure" && !passed)) return { kept: place.directory, evidence, warnings };
  const why = await removeRoom(place.room);
  if (why !== undefined) warnings.push(`the workspace ${place.room.path} can't be removed: ${why}`);
  return { kept: null, evidence, warnings };
}
