import { sha256Hex } from "../../../core/ids.js";
import type { CallableType } from "../target-type.js";
import type { FunctionTarget, TargetFunction } from "./call-function.js";

/** What a function calls can't be seen, so that no answer is kept. */
export const functionType: CallableType<FunctionTarget> = {
  call: async (target, call) => (await import("./call-function.js")).callFunction(target, call),
  runsProgram: true,
  isUncached: true,
};

/** @param path what paths of its workspace would be relative to */
export function functionTarget(given: TargetFunction, path: string): FunctionTarget {
  const digest = `sha256:${sha256Hex(String(given))}`;
  return { type: "function", name: given.name || "function", path, digest, reads: [], function: given };
}
