import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { execa } from "execa";
import type { TestProject } from "vitest/node";
import { type RealAgent, realAgents } from "./agents.js";

/** Where an agent's program is, or why it is not there. */
export type Installed = { bin: string } | { missing: string };

declare module "vitest" {
  export interface ProvidedContext {
    agents: Record<string, Installed>;
  }
}

/**
 * Looks for the agents at the versions that the tests are about, and with `EB_INSTALL_AGENTS=1` installs those that are not
 * there. One that can't be had is named, not an error.
 */
export default async function setup(project: TestProject): Promise<void> {
  const cache = process.env["EB_AGENTS_CACHE"] || join(homedir(), ".cache/eval-banana/agents");
  const installed: Record<string, Installed> = {};
  for (const [name, agent] of Object.entries(realAgents)) installed[name] = await find(join(cache, name), name, agent);
  project.provide("agents", installed);
}

async function find(directory: string, name: string, agent: RealAgent): Promise<Installed> {
  const bin = join(directory, "node_modules/.bin");
  try {
    if (versionIn(directory, agent.package) !== agent.version) {
      if (process.env["EB_INSTALL_AGENTS"] !== "1")
        return { missing: `${name} ${agent.version} is not installed: make e2e-agents installs it` };
      mkdirSync(directory, { recursive: true });
      writeFileSync(join(directory, "package.json"), '{ "private": true }\n');
      const what = `${agent.package}@${agent.version}`;
      await execa("npm", ["install", "--no-audit", "--no-fund", "--save-exact", what], {
        cwd: directory,
        timeout: 300_000,
      });
    }
    const { stdout, stderr } = await execa(join(bin, name), ["--version"], { stdin: "ignore", timeout: 60_000 });
    if (!`${stdout}${stderr}`.includes(agent.version))
      throw new Error(`its version is ${stdout}, not ${agent.version}`);
    return { bin };
  } catch (error) {
    return { missing: (error as Error).message.split("\n").slice(0, 3).join(" ").slice(0, 300) };
  }
}

function versionIn(directory: string, name: string): string | undefined {
  const path = join(directory, "node_modules", name, "package.json");
  return existsSync(path) ? JSON.parse(readFileSync(path, "utf8")).version : undefined;
}
