import type { Assertion } from "./format/assertion.js";
import type { Json } from "./json.js";
import type { WorkspaceLayer } from "./workspace.js";

/** A case of a suite, whichever of the two vocabularies it was written in. */
export interface TestCase {
  /** Unique in the suite. */
  id: string;
  /** What the target is asked: a text, or any JSON value. */
  input: Json;
  /** The file that the input came from; absolute. */
  taskFile?: string | undefined;
  /** The target file of this case, as written; undefined: that of the run, or of the suite. */
  config?: string | undefined;
  tags: readonly string[];
  /** How often it is run; undefined: as often as the suite says. */
  runs?: number | undefined;
  /** Time limit of one run in seconds, 0 = none; undefined: that of the suite. */
  timeoutSeconds?: number | undefined;
  /** Whether the session must end without an error. */
  mustSucceed: boolean;
  /** What is asserted, in the order of the file; never empty. */
  assertions: readonly Assertion[];
  /** What the case and its suite say of the workspace; what the target says of it lies below that. */
  workspace?: WorkspaceLayer | undefined;
  /** Absolute path of the file that holds the case, and where in it. */
  source: { file: string; line: number };
  /** `sha256:<hex>` over all of the above that can change what comes out; not over `tags` and `source`. */
  digest: string;
}

/** What of a case says which target it has. */
export type NamesTarget = Pick<TestCase, "id" | "config" | "source">;

/** The input as a text: what a program gets on its standard input, or an agent as its prompt. */
export function taskText(input: Json): string {
  return typeof input === "string" ? input : JSON.stringify(input, null, 2);
}
