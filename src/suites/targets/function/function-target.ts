import type * as z from "zod";
import { sha256Hex } from "../../../core/ids.js";
import type { Json } from "../../json.js";
import type { answerSchema } from "../answer.js";
import type { CallableType, TargetBase } from "../target-type.js";

/** What a function is told besides the input. The names are those that a module's function gets. */
export interface TargetContext {
  /** The id of the case. */
  case_id: string;
  /** Which run of the case, from 1. */
  run: number;
  /** The workspace of this run, or the project root; absolute. It is not the working directory of the process. */
  cwd: string;
  /** A directory for files to be kept as evidence; absolute. */
  output_dir: string;
  /** Aborts when the time of the run is over, or the run is stopped. What is answered then is not looked at. */
  signal: AbortSignal;
}

/** A session: the answer with what was done for it. All but `output` is optional, times are measured, not told. */
export type TargetSession = z.input<typeof answerSchema>;

/**
 * A target in the program itself. It answers with the final message as a text, with any other JSON value, which is put
 * into JSON, or with an object that has `output` or `error`, which is a session. What it throws fails the run of the case.
 */
export type TargetFunction = (
  input: Json,
  context: TargetContext,
) => Json | TargetSession | Promise<Json | TargetSession>;

/** A function of the program that runs the suite. */
export interface FunctionTarget extends TargetBase {
  type: "function";
  function: TargetFunction;
}

/** What a function calls can't be seen, so that no answer is kept. */
export const functionType: CallableType<FunctionTarget> = {
  call: async (target, call) => (await import("./call-function.js")).callFunction(target, call),
  runsProgram: true,
  isUncached: true,
};

/** @param path what paths of its workspace would be relative to */
export function functionTarget(given: TargetFunction, path: string): FunctionTarget {
  const digest = `sha256:${sha256Hex(String(given))}`;
  return { type: "function", name: given.name || "function", path, digest, function: given };
}
