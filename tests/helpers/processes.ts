import { randomUUID } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { execa } from "execa";
import { onTestFinished } from "vitest";
import { cleanEnv, EB, type Project } from "./project.js";

/** Waits until `condition` gives something, looking again and again; fails after `seconds`. */
export async function until<T>(
  what: string,
  condition: () => T | undefined | false,
  seconds = 15,
): Promise<Exclude<T, false>> {
  const deadline = performance.now() + seconds * 1000;
  for (;;) {
    const value = condition();
    if (value) return value as Exclude<T, false>;
    if (performance.now() > deadline) throw new Error(`not within ${seconds} s: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

/** The state of a process as the kernel names it (`S`, `R`, `Z`, …); undefined when there is none. */
export function processState(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    return stat.slice(stat.lastIndexOf(")") + 2)[0];
  } catch {
    return undefined;
  }
}

/** A value for an environment variable, and the processes that inherited it and are still there. */
export function processMark() {
  const mark = `EB_TEST_MARK=${randomUUID()}`;
  const [name = "", value = ""] = mark.split("=");
  const survivors = () =>
    readdirSync("/proc").flatMap((entry) => {
      const pid = Number(entry);
      return Number.isInteger(pid) && carries(pid, mark) ? [pid] : [];
    });
  onTestFinished(() => {
    for (const pid of survivors()) process.kill(pid, "SIGKILL");
  });
  return { env: { [name]: value }, survivors };
}

function carries(pid: number, mark: string): boolean {
  try {
    return readFileSync(`/proc/${pid}/environ`, "latin1").includes(mark);
  } catch {
    return false;
  }
}

/** Starts `eb` without waiting for its end. */
export function startEb(project: Project, args: readonly string[], env: NodeJS.ProcessEnv = {}) {
  return execa(process.execPath, [EB, ...args], {
    cwd: project.root,
    reject: false,
    extendEnv: false,
    env: cleanEnv(env),
    stdin: "ignore",
  });
}

/** Whether the processes that clear up after a killed run are there. */
export function isGuarded(runId: string): boolean {
  return readdirSync("/proc").some((entry) => {
    try {
      return (
        /^\d+$/.test(entry) &&
        readFileSync(`/proc/${entry}/cmdline`, "latin1").includes(`\0EVAL_BANANA_RUN_ID=${runId}\0`)
      );
    } catch {
      return false;
    }
  });
}
