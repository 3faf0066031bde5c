import type { StarterTarget } from "../suites/starter-target.js";

/** What `eb suite init` writes, and where. Paths are absolute. */
export interface InitPlan {
  root: string;
  name: string;
  suite: string;
  /** The target file that the suite names. */
  config: string;
  /** What is written there; undefined: it is there already. */
  target: StarterTarget | undefined;
}
