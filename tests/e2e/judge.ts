import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { itemStem } from "../../src/core/ids.js";
import type { CheckResult } from "../../src/report/schema.js";
import type { Project } from "../helpers/project.js";
import { type RealAgent, realAgents } from "./agents.js";
import type { Script } from "./model-server.js";
import { processesWith } from "./processes.js";
import type { ModelRequest } from "./protocols/protocol.js";
import { stage } from "./stage.js";

export interface JudgeOptions {
  /** The directory of the agent's program. */
  bin: string;
  script: Script;
  /** What the judge is asked; an indented block of YAML. */
  rubric?: string;
  timeoutSeconds?: number;
  args?: readonly string[];
  /** More files of the project. */
  files?: Record<string, string>;
  /** Variables that the agent would otherwise be given. */
  without?: readonly string[];
  /** Fields of `[agents.<name>]`, as TOML. */
  template?: string;
  /** Whether the agent may try again after an error; see `RealAgent.setUp`. */
  patient?: boolean;
  /** From the test's context: called when it is over. */
  onTestFinished: (finish: () => Promise<void>) => void;
}

/** What one run of `eb run` with one check came to. */
export interface Judged {
  code: number | undefined;
  result: CheckResult;
  /** The prompt as it was kept with the run. */
  prompt: string;
  requests: ModelRequest[];
  /** The command lines of processes that were left, a line each. */
  left: string;
  project: Project;
}

/** Has a real agent judge one check, in a home and a project of its own, by the built `eb run`. */
export async function judge(name: string, options: JudgeOptions): Promise<Judged> {
  const { bin, script, without = [], patient = false, onTestFinished } = options;
  const files = {
    ".eval-banana/config.toml": `[harness]\nagent = "${name}"\n[agents.${name}]\n${options.template ?? ""}\n`,
    "eval_checks/it.yaml": checkFile(options),
    ...options.files,
  };
  const { project, eb, turns, left } = await stage({
    agents: { [name]: { bin, script } },
    files,
    without,
    patient,
    onTestFinished,
  });
  const { code } = await eb(["run", ...modelFlag(realAgents[name] as RealAgent, options.args ?? [])]);
  const { run_id } = project.report();
  return {
    code,
    result: project.result("it"),
    prompt: readPrompt(project),
    requests: turns(name),
    left: [...left(), ...processesWith(`EVAL_BANANA_RUN_ID=${run_id}`)].join("\n").trim(),
    project,
  };
}

function checkFile({ rubric = "Answer as you are told.", timeoutSeconds = 60 }: JudgeOptions): string {
  // A double-quoted scalar of YAML takes all of JSON.
  const head = "schema_version: 1\nid: it\ntype: harness_judge\ndescription: Judges it\n";
  return `${head}timeout_seconds: ${timeoutSeconds}\ninstructions: ${JSON.stringify(rubric)}\n`;
}

function modelFlag(agent: RealAgent, args: readonly string[]): string[] {
  return args.includes("--harness-model") ? [...args] : ["--harness-model", agent.model, ...args];
}

/** The prompt as it was kept; empty where the agent was not even started. */
function readPrompt(project: Project): string {
  const path = join(project.runDir(), "checks", `${itemStem("it")}.prompt.txt`);
  return existsSync(path) ? readFileSync(path, "utf8") : "";
}
