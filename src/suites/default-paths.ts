/** Where a suite and a target are looked for that nobody names; relative to the project root. */
export const DEFAULT_SUITE = ".eval-banana/evals/suite.yaml";
export const DEFAULT_TARGET = ".eval-banana/targets/default.yaml";
