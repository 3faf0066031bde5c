import { readFileSync } from "node:fs";
import { execa } from "execa";
import { expect, it } from "vitest";
import { check, cleanEnv, EB, project } from "../helpers/project.js";

/** Says on standard error how much memory the process had at most, as the kernel counted. */
const MEASURE = `data:text/javascript,import { readFileSync, writeSync } from "node:fs";
process.on("exit", () => writeSync(2, readFileSync("/proc/self/status", "utf8").match(/VmHWM:.*/)[0]));`;

async function peakMegabytes(checks: number): Promise<number> {
  const ids = Array.from({ length: checks }, (_, i) => `c${i}`);
  const p = project(Object.fromEntries(ids.map((id) => [`eval_checks/${id}.yaml`, check(id, "pass")])));
  const { exitCode, stderr } = await execa(process.execPath, ["--import", MEASURE, EB, "run"], {
    cwd: p.root,
    extendEnv: false,
    env: cleanEnv({ EVAL_BANANA_PYTHON: "/bin/true" }),
    stdout: "ignore",
    reject: false,
  });
  expect(exitCode).toBe(0);
  return Number(/VmHWM:\s*(\d+) kB/.exec(String(stderr))?.[1]) / 1024;
}

it.skipIf(!isElf("/bin/true"))(
  "memory hardly grows with the number of checks (needs a true that is a program)",
  async () => {
    const few = await peakMegabytes(100);
    const many = await peakMegabytes(700);
    expect(few).toBeGreaterThan(10);
    // It is 9, give or take 3, and 23 where V8 is left alone.
    expect(many - few).toBeLessThan(16);
  },
  120_000,
);

function isElf(path: string): boolean {
  try {
    return readFileSync(path).subarray(1, 4).toString() === "ELF";
  } catch {
    return false;
  }
}
