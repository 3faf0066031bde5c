import type { RunContext } from "../run/context.js";
import type { Target } from "./targets/target.js";

/** All that makes a target what it is: its file, what that names, and the settings of the agents and models it uses. */
export function targetContent(target: Target, _run: RunContext): unknown {
  return target.digest;
}
