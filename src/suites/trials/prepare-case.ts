import { lstatSync, mkdirSync, readdirSync, realpathSync, rmdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describeSystemError, isSystemError, UserError } from "../../core/errors.js";
import { makeDirectory } from "../../core/make-directory.js";
import { type TestCase, taskText } from "../test-case.js";
import type { Workspace } from "../workspace.js";
import { type LayOutOptions, layOut } from "../workspaces/lay-out.js";
import { contextIn, refuseBase } from "../workspaces/place.js";
import { removeRoom, roomAt } from "../workspaces/remove.js";

/** A case whose workspace is known in full: what suite, target and case say of it together. */
export type LaidCase = Omit<TestCase, "workspace"> & { workspace?: Workspace | undefined };

export const TASK_FILE = "TASK.md";
export const WORKSPACE_FOLDER = "workspace";

export interface PrepareOptions extends LayOutOptions {
  /** Where to; absolute. It must be absent or empty. */
  out: string;
}

export interface Prepared {
  /** Absolute paths. */
  task: string;
  workspace: string;
  warnings: readonly string[];
}

/**
 * Lays out the workspace of a case and its task beside it, for a person or another agent.
 * @throws UserError where `out` is in use or can't be written to, or the workspace can't be laid out; what was made
 *   is removed then
 */
export async function prepareCase(testCase: LaidCase, { out, ...options }: PrepareOptions): Promise<Prepared> {
  const isNew = claim(out);
  const directory = join(out, WORKSPACE_FOLDER);
  try {
    mkdirSync(directory);
  } catch (error) {
    throw cannotWrite(out, error);
  }
  const room = roomAt(directory);
  const context = contextIn({ room: { ...room, path: out }, directory }, options.context);
  const empty = { from: undefined, files: {}, setup: [], teardown: [], keep: "never" } as const;
  const { error } = await layOut(testCase.workspace ?? empty, directory, { ...options, context });
  if (error !== undefined) {
    await removeRoom(room);
    if (isNew) rmdirSync(out);
    throw new UserError(
      `the workspace of '${testCase.id}' can't be laid out: ${options.context.redactor.text(error)}`,
      { code: "io" },
    );
  }
  const task = join(out, TASK_FILE);
  const text = taskText(testCase.input);
  try {
    writeFileSync(task, text.endsWith("\n") ? text : `${text}\n`);
  } catch (failure) {
    throw cannotWrite(out, failure);
  }
  const why = refuseBase(realpathSync(out), [options.suiteFolder, options.context.projectRoot]);
  return { task, workspace: directory, warnings: why === undefined ? [] : [`${out} is not apart: ${why}`] };
}

/** Makes the directory, or sees that it is empty. Returns whether it was made. */
function claim(out: string): boolean {
  try {
    const stat = lstatSync(out, { throwIfNoEntry: false });
    if (stat === undefined) {
      makeDirectory(out);
      return true;
    }
    if (stat.isDirectory() && readdirSync(out).length === 0) return false;
  } catch (error) {
    throw cannotWrite(out, error);
  }
  throw new UserError(`--out is in use: ${out}`, { code: "usage", hint: "name a directory that is absent or empty" });
}

function cannotWrite(out: string, error: unknown): unknown {
  if (!isSystemError(error)) return error;
  return new UserError(`cannot write to ${out}: ${describeSystemError(error)}`, { code: "io", cause: error });
}
