import { join } from "node:path";
import { runJob } from "../process/job.js";
import { lookUpProgram } from "../process/look-up.js";
import { readTail } from "../process/tail.js";
import { installCommand } from "./known.js";
import type { AgentTemplate } from "./templates.js";

export interface DetectedAgent {
  name: string;
  /** Absolute path of its program; null when it is not installed. */
  path: string | null;
  /** What `--version` says, on one line; null when it says nothing. */
  version: string | null;
  /** The command that installs it; null where none is known. */
  install: string | null;
}

export interface DetectOptions {
  /** Relative commands are relative to it. */
  cwd: string;
  env: NodeJS.ProcessEnv;
  /** An empty directory for what the programs print. */
  scratch: string;
  signal: AbortSignal;
}

const VERSION_SECONDS = 20;

/** Which agents are installed, where, in which version. Asks each program for its version and nothing else. */
export function detectAgents(
  agents: Readonly<Record<string, AgentTemplate>>,
  options: DetectOptions,
): Promise<DetectedAgent[]> {
  const names = Object.keys(agents).sort();
  return Promise.all(
    names.map(async (name) => {
      const path = lookUpProgram(agents[name]?.command[0] ?? "", options) ?? null;
      const version = path === null ? null : await askVersion(name, path, options);
      return { name, path, version, install: installCommand(name) ?? null };
    }),
  );
}

async function askVersion(
  name: string,
  command: string,
  { cwd, env, scratch, signal }: DetectOptions,
): Promise<string | null> {
  const stdoutPath = join(scratch, `${name}.stdout.txt`);
  const stderrPath = join(scratch, `${name}.stderr.txt`);
  const timeoutMs = VERSION_SECONDS * 1000;
  const job = await runJob({ command, args: ["--version"], cwd, env, stdoutPath, stderrPath, timeoutMs, signal });
  if (job.exitCode !== 0) return null;
  const said = [stdoutPath, stderrPath].map((path) => readTail(path, 1000).text.trim()).find((text) => text !== "");
  return said?.split("\n")[0]?.trim() ?? null;
}
