import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { execa, type Options } from "execa";
import { onTestFinished } from "vitest";
import type { RunReport } from "../../src/report/schema.js";

/** The built program. */
export const EB = resolve("dist/cli/main.cjs");

/** A real interpreter, not a shim: starting one is most of what these tests do. */
export const PYTHON = execFileSync("python3", ["-c", "import sys; print(sys.executable)"], { encoding: "utf8" }).trim();

export interface Finished {
  /** Undefined when it was ended by a signal. */
  code: number | undefined;
  stdout: string;
  stderr: string;
}

/** A temporary directory that is gone after the test; symbolic links in its path are resolved. */
export function temporaryDirectory(): string {
  const directory = realpathSync(mkdtempSync(join(tmpdir(), "eb-test-")));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true, maxRetries: 5 }));
  return directory;
}

/** The environment of a user who has set nothing: no variable that changes what eb does. */
export function cleanEnv(extra: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv {
  const unwanted =
    /^(EVAL_BANANA_|GITHUB_|CI$|NO_COLOR$|FORCE_COLOR$|NODE_EXTRA_CA_CERTS$|NODE_OPTIONS$|VITEST|PYTHON|npm_)/;
  const inherited = Object.entries(process.env).filter(([name]) => !unwanted.test(name));
  return { ...Object.fromEntries(inherited), EVAL_BANANA_PYTHON: PYTHON, ...extra };
}

/** Runs `eb` to its end; the exit code is a result, not an error. */
export async function eb(args: readonly string[], options: Options = {}): Promise<Finished> {
  const { env, ...rest } = options;
  const result = await execa(process.execPath, [EB, ...args], {
    reject: false,
    extendEnv: false,
    env: cleanEnv(env),
    stdin: "ignore",
    stripFinalNewline: false,
    maxBuffer: 400e6,
    ...rest,
  });
  return { code: result.exitCode, stdout: String(result.stdout), stderr: String(result.stderr) };
}

export class Project {
  constructor(readonly root = temporaryDirectory()) {}

  /** Writes files by their paths relative to the root. */
  write(files: Record<string, string | Uint8Array>): this {
    for (const [path, content] of Object.entries(files)) {
      mkdirSync(dirname(this.path(path)), { recursive: true });
      writeFileSync(this.path(path), content);
    }
    return this;
  }

  /** Writes a program, e.g. a stand-in for Python or an agent. */
  writeProgram(path: string, content: string): string {
    this.write({ [path]: content });
    chmodSync(this.path(path), 0o755);
    return this.path(path);
  }

  path(...parts: string[]): string {
    return join(this.root, ...parts);
  }

  read(path: string): string {
    return readFileSync(this.path(path), "utf8");
  }

  has(path: string): boolean {
    return existsSync(this.path(path));
  }

  eb(args: readonly string[], options: Options = {}): Promise<Finished> {
    return eb(args, { cwd: this.root, ...options });
  }

  /** The directories of all runs, oldest first. */
  runDirs(): string[] {
    const results = this.path(".eval-banana/results");
    return existsSync(results)
      ? readdirSync(results)
          .map((name) => ({ path: join(results, name), begun: statSync(join(results, name)).birthtimeMs }))
          .sort((a, b) => a.begun - b.begun)
          .map(({ path }) => path)
      : [];
  }

  /** The directory of the only run. */
  runDir(): string {
    const [directory, ...others] = this.runDirs();
    if (directory === undefined || others.length > 0)
      throw new Error(`expected one run, found ${this.runDirs().length}`);
    return directory;
  }

  report(): RunReport {
    return JSON.parse(readFileSync(join(this.runDir(), "report.json"), "utf8"));
  }

  /** What the only run says of one check. */
  result(id: string): RunReport["checks"][number] {
    const result = this.report().checks.find(({ check_id }) => check_id === id);
    if (!result) throw new Error(`no result of ${id}`);
    return result;
  }
}

/** A project in a temporary directory. */
export function project(files: Record<string, string | Uint8Array> = {}): Project {
  return new Project().write(files);
}

/** The YAML of a deterministic check with an inline script. */
export function check(id: string, script: string, more = ""): string {
  const body = script
    .split("\n")
    .map((line) => `  ${line}`)
    .join("\n");
  return `schema_version: 1\nid: ${id}\ntype: deterministic\ndescription: Checks ${id}\n${more}script: |\n${body}\n`;
}

/** The YAML of a deterministic check whose script lies in a file. */
export function fileCheck(id: string, scriptPath: string, more = ""): string {
  const path = JSON.stringify(scriptPath);
  return `schema_version: 1\nid: ${id}\ntype: deterministic\ndescription: Checks ${id}\n${more}script_path: ${path}\n`;
}

/** Files of a project with one inline check. */
export function oneCheck(script: string, more = ""): Record<string, string> {
  return { "eval_checks/it.yaml": check("it", script, more) };
}
