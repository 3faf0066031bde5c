/** The public API of eval-banana. */
export { checkSchema } from "./checks/check-schema.js";
export { type ChecksRun, type RunChecksControls, type RunChecksOptions, runChecks } from "./checks/run-checks.js";
export type { CheckDefinition } from "./checks/schema.js";
export { computeCheckDefinitionSha256 } from "./checks/snapshot.js";
export type { Config, SettingKey } from "./config/settings.js";
export { type ErrorCode, type Problem, UserError } from "./core/errors.js";
export type { ItemEnd, ItemStart, Reporter, RunEnd, RunEvent, RunStart, Warning } from "./report/events.js";
export type { Checks, Kind, Suites } from "./report/kind.js";
export {
  type CheckResult,
  checkResultSchema,
  type ItemStatus,
  type RunReport,
  type RunSummary,
  runReportSchema,
} from "./report/schema.js";
export {
  type CaseResult,
  type SuiteReport,
  type SuiteSummary,
  suiteReportSchema,
  type TrialResult,
} from "./report/suite-schema.js";
export type { SuiteFields } from "./suites/format/schema.js";
export type { Json } from "./suites/json.js";
export { type RunSuiteControls, runSuite, type SuiteRun } from "./suites/library/run-suite.js";
export type { RunSuiteOptions } from "./suites/library/run-suite-options.js";
export type { TargetContext, TargetFunction, TargetSession } from "./suites/targets/function/call-function.js";
export type { TargetFields } from "./suites/targets/types.js";
