import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { execaNode } from "execa";
import { EB, type Finished, Project } from "../helpers/project.js";
import { type RealAgent, realAgents } from "./agents.js";
import { type ModelServer, type Script, startModelServer } from "./model-server.js";
import { processesWith } from "./processes.js";
import type { ModelRequest } from "./protocols/protocol.js";

interface StageOptions {
  /** By the agents' names: the directory of the program, and what its model says. */
  agents: Record<string, { bin: string; script: Script }>;
  /** The files of the project. */
  files: Record<string, string>;
  /** Variables that the agents would otherwise be given. */
  without?: readonly string[];
  /** Whether the agents may try again after an error; see `RealAgent.setUp`. */
  patient?: boolean;
  /** From the test's context: called when it is over. */
  onTestFinished: (finish: () => Promise<void>) => void;
}

/** A home and a project in which real agents work, each with a model server of its own. */
export interface Stage {
  project: Project;
  /** Runs the built `eb` in the project. */
  eb: (args: readonly string[]) => Promise<Finished>;
  /** The turns of an agent's work so far. */
  turns: (agent: string) => ModelRequest[];
  /** The command lines of processes that were left. */
  left: () => string[];
}

export async function stage(options: StageOptions): Promise<Stage> {
  const directory = realpathSync(mkdtempSync(join(tmpdir(), "eb-e2e-")));
  const servers: Record<string, ModelServer> = {};
  options.onTestFinished(async () => {
    for (const server of Object.values(servers)) await server.close();
    rmSync(directory, { recursive: true, force: true, maxRetries: 5 });
  });
  const home = new Project(join(directory, "home"));
  mkdirSync(home.root, { recursive: true });
  const bins = Object.values(options.agents).map(({ bin }) => bin);
  const PATH = [...bins, dirname(process.execPath), process.env["PATH"] ?? ""].join(delimiter);
  // As little as a program needs: no key and no setting of whoever runs the tests.
  const env: Record<string, string> = { HOME: home.root, PATH, LANG: "C.UTF-8", TERM: "dumb" };
  for (const [name, { script }] of Object.entries(options.agents)) {
    const agent = realAgents[name] as RealAgent;
    const server = await startModelServer(asideFrom(agent, script), [agent.wireModel]);
    servers[name] = server;
    const setUp = agent.setUp({ url: server.url, key: "test-key-0123456789", patient: options.patient ?? false });
    home.write(setUp.home ?? {});
    Object.assign(env, setUp.env);
  }
  for (const name of options.without ?? []) delete env[name];
  const project = new Project(join(directory, "project")).write(options.files);
  return {
    project,
    eb: async (args) => {
      const settings = { cwd: project.root, reject: false, extendEnv: false, stdin: "ignore", env } as const;
      const { exitCode, stdout, stderr } = await execaNode(EB, args, settings);
      return { code: exitCode, stdout, stderr };
    },
    turns: (name) => servers[name]?.requests.filter((request) => isTurn(realAgents[name] as RealAgent, request)) ?? [],
    left: () => processesWith(`HOME=${home.root}`),
  };
}

/** Whether a request is a turn of the agent's work. It also asks for titles and the like, without the tools for work. */
function isTurn(agent: RealAgent, request: ModelRequest): boolean {
  return request.tools.includes(agent.shell("").name);
}

/** The script, where what it says is said in turns only; its errors are for all requests. */
function asideFrom(agent: RealAgent, script: Script): Script {
  return (request) => {
    const reply = script(request);
    return isTurn(agent, request) || reply === "hang" || "status" in reply ? reply : { text: "A title" };
  };
}
