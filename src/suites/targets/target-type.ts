import type * as z from "zod";
import type { Variable } from "../../core/env.js";
import type { Session } from "../session.js";
import type { WorkspaceLayer } from "../workspace.js";
import type { Builder } from "./builder.js";
import type { Call } from "./call.js";

/** What targets of all types have. Paths are absolute. */
export interface TargetBase {
  /** For people; by default the name of the file without its ending. */
  name: string;
  /** The target file. */
  path: string;
  /** `sha256:<hex>` over the file, the files that it names, and what the configuration says of its agents and models. */
  digest: string;
  /** The variables of the environment that its program names, as far as its text tells; that inherits them. */
  reads: readonly string[];
  /** What the suite and the case say of it wins. */
  workspace?: WorkspaceLayer | undefined;
  /** False: it is called every time; true: as seldom as it can be. Files: they are in `digest`, and no others of the project count. */
  cache?: boolean | { files: readonly string[] } | undefined;
}

/** A target without what all of them have. */
export type Parts<T> = T extends TargetBase ? Omit<T, keyof TargetBase> : never;

/**
 * All that is to be known of a type of target. `Written` is its file as it is parsed, `T` what is called. Methods, so that
 * a type stands for any of them: each is given only targets of its own.
 */
export interface TargetType<Written, T extends TargetBase, Input = unknown> extends CallableType<T> {
  /** A target file. The messages say what is wanted. */
  schema: z.ZodType<Written, Input> & z.core.$ZodTypeDiscriminable;
  /** What is called, from what is written; undefined where something is missing, which was told then. */
  build(written: Written, builder: Builder): Parts<T> | undefined;
  /** What the configuration adds to what is written, for the digest. By default nothing. */
  configured?(parts: Parts<T>): unknown;
}

/** The same of one that may not come from a file. */
export interface CallableType<T extends TargetBase> {
  /** Calls it once. The code for that is loaded when it is first called: a suite needs one type. */
  call(target: T, call: Call): Promise<Session>;
  /** The environment variables that it names. By default none. */
  variables?(parts: Parts<T>): Variable[];
  /** Those of them that are masked whatever they are called. By default none. */
  handedOut?(parts: Parts<T>): string[];
  /** The models that answer; by default that is not known. */
  models?(parts: Parts<T>): string[];
  /** Whether it runs a program of the user's, which is told of a directory for its evidence. By default not. */
  runsProgram?: boolean;
  /** Whether what it hands back may depend on any file of the project: it runs code that is there. By default not. */
  usesProject?(parts: Parts<T>, options: { hasWorkspace: boolean }): boolean;
  /** What answers is elsewhere, and may change without anything here changing. By default not. */
  isService?: boolean;
  /** What it hands back is not cached: it is on disk already, or nobody can say what it comes from. By default it is. */
  isUncached?: boolean;
}

/** A type of target. `Input` is what a program may give in place of a file. */
export function defineTarget<Written, T extends TargetBase, Input>(
  type: TargetType<Written, T, Input>,
): TargetType<Written, T, Input> {
  return type;
}
