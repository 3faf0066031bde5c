import type { ItemContext } from "../../run/context.js";
import type { Json } from "../json.js";

/** One call of a target: one run of one case. */
export interface Call {
  caseId: string;
  input: Json;
  /** Which run of the case, from 1. */
  run: number;
  /** The working directory: the workspace of this run, or the project root. Absolute. */
  cwd: string;
  /** Undefined: no limit. */
  timeoutMs?: number | undefined;
  /**
   * Places, environment and tags of this run: what programs print goes to files whose paths begin with
   * `context.prefix`, more files into `context.evidenceDir`; `context.tags` tell its processes from all others.
   */
  context: ItemContext;
}
