import type * as z from "zod";
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
  /** What the suite and the case say of it wins. */
  workspace?: WorkspaceLayer | undefined;
  /** False: it is called every time. Files: they are in `digest`, and no others of the project count. */
  cache?: false | { files: readonly string[] } | undefined;
}

/** A target without what all of them have. */
export type Parts<T> = T extends TargetBase ? Omit<T, keyof TargetBase> : never;

/**
 * All that is to be known of a type of target. `Written` is its file as it is parsed, `T` what is called. Methods, so that
 * a type stands for any of them: each is given only targets of its own.
 */
export interface TargetType<Written, T extends TargetBase> {
  /** A target file. The messages say what is wanted. */
  schema: z.ZodType<Written> & z.core.$ZodTypeDiscriminable;
  /** What is called, from what is written; undefined where something is missing, which was told then. */
  build(written: Written, builder: Builder): Parts<T> | undefined;
  /** Calls it once. The code for that is loaded when it is first called: a suite needs one type. */
  call(target: T, call: Call): Promise<Session>;
  /** The environment variables that it names: they are masked in all that is written. By default none. */
  variables?(parts: Parts<T>): string[];
  /** What the configuration adds to what is written, for the digest. By default nothing. */
  configured?(parts: Parts<T>): unknown;
  /** The models that answer; by default that is not known. */
  models?(parts: Parts<T>): string[];
  /** Whether it runs a program of the user's, which is told of a directory for its evidence. By default not. */
  runsProgram?: boolean;
  /** Whether what it hands back may depend on any file of the project: it runs code that is there. By default not. */
  usesProject?(parts: Parts<T>, options: { hasWorkspace: boolean }): boolean;
  /** What it hands back is on disk already, and is not cached. By default it is cached. */
  isRecorded?: boolean;
}

/** A type of target. */
export function defineTarget<Written, T extends TargetBase>(type: TargetType<Written, T>): TargetType<Written, T> {
  return type;
}
