import { mkdirSync, symlinkSync } from "node:fs";
import { resolve } from "node:path";
import { execa } from "execa";
import { cleanEnv, type Finished, type Project } from "./project.js";

/** Makes the built package importable by its name from a project. */
export function linkPackage(p: Project): void {
  if (p.has("node_modules")) return;
  mkdirSync(p.path("node_modules"));
  symlinkSync(resolve("."), p.path("node_modules/eval-banana"), "dir");
}

/**
 * Runs a program in the project that uses the package by its name, with `runChecks`, `runSuite` and `log` at hand.
 * An unhandled rejection ends it; it must end by itself, without listeners or timers that keep it alive.
 */
export async function runProgram(p: Project, body: string): Promise<Finished & { logged: unknown[] }> {
  linkPackage(p);
  const head = `import { runChecks, runSuite, UserError } from "eval-banana";
const log = (value) => console.log(JSON.stringify(value));
`;
  p.write({ "program.mjs": head + body });
  const { exitCode, stdout, stderr } = await execa(process.execPath, ["--unhandled-rejections=strict", "program.mjs"], {
    ...{ cwd: p.root, extendEnv: false, env: cleanEnv(), stdin: "ignore", reject: false, timeout: 20_000 },
  });
  const logged = stdout.split("\n").flatMap((line) => (line ? [JSON.parse(line)] : []));
  return { code: exitCode, stdout, stderr, logged };
}
