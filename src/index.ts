/** The public API of eval-banana. */
export { type ChecksRun, type RunChecksControls, type RunChecksOptions, runChecks } from "./checks/run-checks.js";
export { type CheckDefinition, checkSchema } from "./checks/schema.js";
export { computeCheckDefinitionSha256 } from "./checks/snapshot.js";
export type { Config, SettingKey } from "./config/settings.js";
export { type ErrorCode, type Problem, UserError } from "./core/errors.js";
export type { ItemEnd, ItemStart, Reporter, RunEnd, RunEvent, RunStart, Warning } from "./report/events.js";
export {
  type CheckResult,
  checkResultSchema,
  type ItemStatus,
  type RunReport,
  type RunSummary,
  runReportSchema,
} from "./report/schema.js";
