import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type DetectedAgent, detectAgents } from "../../agents/detect.js";
import { agentNamed, resolveAgents } from "../../agents/resolve.js";
import { planChecks } from "../../checks/plan.js";
import { runPlan } from "../../checks/run.js";
import { type LoadedConfig, loadConfig } from "../../config/load.js";
import { duration, oneLine } from "../../core/text.js";
import type { CheckResult } from "../../report/schema.js";
import { watchInterrupts } from "../interrupt.js";
import { printError } from "../print.js";
import { printJson, printLine } from "../print-result.js";

export interface AgentsOptions {
  probe?: string;
  json?: boolean;
  cwd?: string;
  projectConfig: boolean;
}

/** Prints which agents are installed; with `--probe`, asks one for a verdict. */
export async function agents(options: AgentsOptions): Promise<number> {
  const project = loadConfig({ cwd: options.cwd ?? ".", useConfig: options.projectConfig });
  const templates = resolveAgents(project.agents);
  if (options.probe !== undefined) agentNamed(options.probe, templates);
  const scratch = mkdtempSync(join(tmpdir(), "eval-banana-agents-"));
  const interrupt = watchInterrupts(printError);
  const { signal } = interrupt;
  try {
    if (options.probe !== undefined) {
      const code = await probe(options.probe, { project, scratch, signal, json: options.json ?? false });
      return interrupt.exitCode() ?? code;
    }
    const detected = await detectAgents(templates, { cwd: project.root, env: process.env, scratch, signal });
    if (options.json) printJson({ agents: detected });
    else printLine(table(detected));
    return interrupt.exitCode() ?? 0;
  } finally {
    interrupt.release();
    rmSync(scratch, { recursive: true, force: true });
  }
}

function table(detected: readonly DetectedAgent[]): string {
  const rows = detected.map(({ name, path, version, install }) =>
    path === null
      ? [name, "not installed", install ?? ""]
      : [name, oneLine(version ?? "version unknown", 40), oneLine(path)],
  );
  const widths = [0, 1].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

const PROBE = `schema_version: 1
id: probe
type: harness_judge
description: The judge answers.
instructions: Look at nothing and change nothing. Answer at once, with score 1 and the reason "ready".
`;

interface ProbeOptions {
  project: LoadedConfig;
  scratch: string;
  signal: AbortSignal;
  json: boolean;
}

/** One real call; the agent runs in the project root as it would in a run. */
async function probe(name: string, { project, scratch, signal, json }: ProbeOptions): Promise<number> {
  const checkDir = join(scratch, "eval_checks");
  mkdirSync(checkDir);
  writeFileSync(join(checkDir, "probe.yaml"), PROBE);
  const config = { ...project.config, "harness.agent": name, "core.output_dir": join(scratch, "results") };
  const { checks } = planChecks({ root: project.root, checkDir, excludeDirs: [] });
  const outcome = await runPlan({ project: { ...project, config }, checks, flat: false, reporters: () => [], signal });
  const [result] = outcome.end.results();
  outcome.close();
  if (result && json) printJson(result);
  else if (result) printLine(describe(name, result));
  return result?.status === "error" ? 1 : 0;
}

function describe(name: string, { status, reason, error_detail, duration_ms, details }: CheckResult): string {
  const model = details["model"] ?? "its default model";
  if (status === "error") return `${name} gave no verdict: ${oneLine(error_detail ?? "", 1000)}`;
  return `${name} gave a verdict in ${duration(duration_ms)} (${model}): ${status}, ${oneLine(reason ?? "", 300)}`;
}
