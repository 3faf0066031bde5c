import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { execaNode } from "execa";
import { itemStem } from "../../src/core/ids.js";
import type { CheckResult } from "../../src/report/schema.js";
import { EB, Project } from "../helpers/project.js";
import { type RealAgent, realAgents } from "./agents.js";
import { type ModelServer, type Script, startModelServer } from "./model-server.js";
import type { ModelRequest } from "./protocols/protocol.js";

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
  seconds: number;
  /** The command lines of processes that were left, a line each. */
  left: string;
  stdout: string;
  project: Project;
}

/** Has a real agent judge one check, in a home and a project of its own, by the built `eb run`. */
export async function judge(name: string, options: JudgeOptions): Promise<Judged> {
  const agent = realAgents[name] as RealAgent;
  const directory = realpathSync(mkdtempSync(join(tmpdir(), "eb-e2e-")));
  let server: ModelServer | undefined;
  options.onTestFinished(async () => {
    await server?.close();
    rmSync(directory, { recursive: true, force: true, maxRetries: 5 });
  });
  server = await startModelServer(asideFrom(agent, options.script), [agent.wireModel]);
  const setUp = agent.setUp({ url: server.url, key: "test-key-0123456789", patient: options.patient ?? false });
  const home = new Project(join(directory, "home")).write(setUp.home ?? {});
  mkdirSync(home.root, { recursive: true });
  const project = new Project(join(directory, "project")).write({
    ".eval-banana/config.toml": `[harness]\nagent = "${name}"\n[agents.${name}]\n${options.template ?? ""}\n`,
    "eval_checks/it.yaml": checkFile(options),
    ...options.files,
  });
  const clock = performance.now();
  const run = await execaNode(EB, ["run", ...modelFlag(agent, options.args ?? [])], {
    cwd: project.root,
    reject: false,
    extendEnv: false,
    stdin: "ignore",
    env: environment(home.root, options, setUp.env),
  });
  const seconds = (performance.now() - clock) / 1000;
  const left = processesWith(`HOME=${home.root}`).join("\n");
  const { run_id } = project.report();
  return {
    code: run.exitCode,
    result: project.result("it"),
    prompt: readPrompt(project),
    requests: server.requests.filter((request) => isTurn(agent, request)),
    seconds,
    left: [left, ...processesWith(`EVAL_BANANA_RUN_ID=${run_id}`)].join("\n").trim(),
    stdout: run.stdout,
    project,
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

function checkFile({ rubric = "Answer as you are told.", timeoutSeconds = 60 }: JudgeOptions): string {
  // A double-quoted scalar of YAML takes all of JSON.
  const head = "schema_version: 1\nid: it\ntype: harness_judge\ndescription: Judges it\n";
  return `${head}timeout_seconds: ${timeoutSeconds}\ninstructions: ${JSON.stringify(rubric)}\n`;
}

function modelFlag(agent: RealAgent, args: readonly string[]): string[] {
  return args.includes("--harness-model") ? [...args] : ["--harness-model", agent.model, ...args];
}

/** As little as a program needs: no key and no setting of whoever runs the tests. */
function environment(home: string, { bin, without = [] }: JudgeOptions, agent: Record<string, string> = {}) {
  const PATH = [bin, dirname(process.execPath), process.env["PATH"] ?? ""].join(delimiter);
  const env = { HOME: home, PATH, LANG: "C.UTF-8", TERM: "dumb", ...agent };
  return Object.fromEntries(Object.entries(env).filter(([name]) => !without.includes(name)));
}

/** The prompt as it was kept; empty where the agent was not even started. */
function readPrompt(project: Project): string {
  const path = join(project.runDir(), "checks", `${itemStem("it")}.prompt.txt`);
  return existsSync(path) ? readFileSync(path, "utf8") : "";
}

/** The command lines of all processes, those of this machine's other work too, that hold `text`. */
export function commandsHolding(text: string): string[] {
  return readdirSync("/proc").flatMap((pid) =>
    /^\d+$/.test(pid) && commandLine(pid).includes(text) ? [commandLine(pid)] : [],
  );
}

function commandLine(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "latin1").replaceAll("\0", " ");
  } catch {
    return "";
  }
}

/** The command lines of the processes that carry an entry in their environment. */
function processesWith(entry: string): string[] {
  return readdirSync("/proc").flatMap((pid) => {
    if (!/^\d+$/.test(pid)) return [];
    try {
      const entries = readFileSync(`/proc/${pid}/environ`, "latin1").split("\0");
      return entries.includes(entry) ? [commandLine(pid)] : [];
    } catch {
      return [];
    }
  });
}
