import { existsSync, mkdtempSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ForkedScript, ForkServer, Readiness } from "../process/fork-server.js";
import { runJob } from "../process/job.js";
import launcherSource from "../process/launcher.py";
import type { Python } from "../process/python.js";
import { type Start, startChild } from "../process/start.js";
import { itemContext, itemEnv, type RunContext } from "./context.js";
import type { PythonLauncher, ScriptJob, ScriptResult } from "./script-job.js";

export interface LauncherOptions {
  run: RunContext;
  python: Python | string | undefined;
  /** The ids of the items whose scripts are to run, one for each script. */
  ids: readonly string[];
  warn: (message: string) => Promise<void>;
}

/** From how many checks on it is worth to start a server: one costs as much as a check. */
const WORTH = 4;

/** What Python heeds as it starts, or tells as it ends, of the whole process. */
const WHOLE_PROCESS = [
  "COVERAGE_PROCESS_START",
  "COV_CORE_SOURCE",
  "PYTHONDEBUG",
  "PYTHONDUMPREFS",
  "PYTHONDUMPREFSFILE",
  "PYTHONINSPECT",
  "PYTHONMALLOCSTATS",
  "PYTHONPERFSUPPORT",
  "PYTHON_PERF_JIT_SUPPORT",
  "PYTHONPROFILEIMPORTTIME",
  "PYTHONTRACEMALLOC",
  "PYTHONVERBOSE",
];

/** The environment of a script: `last` comes last. */
export function scriptEnv({ env }: RunContext, last: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return { PYTHONUTF8: "1", ...env, PYTHONUNBUFFERED: "1", ...last };
}

/**
 * What runs the scripts, from one process that starts Python where that is worth it. Undefined where there is nothing
 * to run them with.
 */
export function createLauncher({ run, python, ids, warn }: LauncherOptions): PythonLauncher | undefined {
  if (ids.length === 0 || typeof python !== "object") return undefined;
  const wanted = run.config["deterministic.launcher"];
  const isWorth = process.platform === "linux" && (ids.length >= WORTH || wanted === "fork");
  const serve = async (directory: string): Promise<ForkServer | undefined> => {
    // Loaded only where it is worth it.
    const { startForkServer } = await import("../process/fork-server.js");
    try {
      const env = commonEnv(run);
      return startForkServer({ python, cwd: run.projectRoot, env, room: roomFor(ids, run), directory });
    } catch {
      // No room for it: each check tells by itself what there is no room for.
      return undefined;
    }
  };
  const served = isWorth ? serve(run.scratch) : undefined;
  const readiness = prepare(served, wanted, run.env, warn);

  const execute = async (job: ScriptJob, from: ForkServer | undefined, fork: boolean) => {
    let launcher: ScriptResult["launcher"] = fork ? "fork" : "spawn";
    let ran = false;
    const start: Start = async (asJob) => {
      const answer = (await from?.start(asJob, fork ? job.script : undefined)) ?? "refused";
      ran = answer !== "lost";
      if (answer !== "refused") return answer;
      launcher = "spawn";
      return startChild(asJob);
    };
    const args = [...python.args, ...argumentsOf(job.script, run.scratch)];
    const result = await runJob({ ...job, command: python.command, args, start });
    return { ran, result: { ...result, launcher } };
  };
  /** Each by a process of its own: not by this one, which a script that kills its parent would end. */
  const executeAlone = async (job: ScriptJob) => {
    const helper = await serve(mkdtempSync(join(run.scratch, "again-")));
    const done = await execute(job, (await helper?.ready) && helper, false);
    await helper?.close();
    return done;
  };
  let isLost: Promise<void> | undefined;
  return {
    async run(job) {
      const ready = await readiness;
      let { ran, result } = await execute(job, ready && (await served), ready?.fork ?? false);
      for (let losses = 0; result.lost && !result.timedOut && !result.aborted; ) {
        isLost ??= warn(LOST);
        await isLost;
        if (ran && ++losses === 2) break;
        ({ ran, result } = await executeAlone(job));
      }
      return result;
    },
    close: async () => (await served)?.close(),
  };
}

const LOST =
  "the process that starts Python for the checks was killed or does not answer; the checks that ran are run again, " +
  "and from now on Python is started anew for each";

/** How the server can be used. A warning tells why it can't fork where that was asked for. */
async function prepare(
  served: Promise<ForkServer | undefined> | undefined,
  wanted: "auto" | "fork" | "spawn",
  env: NodeJS.ProcessEnv,
  warn: LauncherOptions["warn"],
): Promise<Readiness | undefined> {
  const server = await served;
  const ready = await server?.ready;
  if (wanted === "spawn" || (wanted === "auto" && server === undefined)) return ready && { fork: false };
  const variable = WHOLE_PROCESS.find((name) => env[name]);
  const why = process.platform !== "linux" ? "that needs Linux" : variable ? `${variable} is set` : whyNot(ready);
  if (why !== undefined && wanted === "fork") {
    await warn(`the checks cannot be forked from one Python: ${why}; Python is started anew for each`);
  }
  return ready && { fork: why === undefined };
}

function whyNot(ready: Readiness | undefined): string | undefined {
  if (ready === undefined) return "it did not answer";
  return ready.fork ? undefined : ready.why;
}

/** What the environments of all scripts begin with. Nothing in it says that the process belongs to a check. */
function commonEnv(run: RunContext): NodeJS.ProcessEnv {
  const { EVAL_BANANA_CHECK_ID: _, EVAL_BANANA_OUTPUT_DIR: __, ...env } = scriptEnv(run, itemEnv(itemContext(run, "")));
  return env;
}

/** By how many bytes the environment of a check is longer than that of all; ids beyond measure are not forked. */
function roomFor(ids: readonly string[], run: RunContext): number {
  const longest = ids.reduce((most, id) => Math.max(most, Buffer.byteLength(id)), 0);
  return Math.min(longest, 8192) + Buffer.byteLength(run.runDir) + 256;
}

/** The arguments that run a script; what lies elsewhere than its bytes is run by a launcher. */
function argumentsOf({ frozen, path, context }: ForkedScript, scratch: string): string[] {
  if (path === frozen) return [frozen, context];
  const launcher = join(scratch, "launcher.py");
  if (!existsSync(launcher)) writeFileSync(launcher, launcherSource);
  return [launcher, frozen, path, context];
}
