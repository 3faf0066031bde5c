import { cpSync, readFileSync, rmSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { execa } from "execa";
import { beforeEach, describe, expect, it } from "vitest";
import {
  check,
  cleanEnv,
  EB,
  oneCheck,
  type Project,
  PYTHON,
  project,
  temporaryDirectory,
} from "../helpers/project.js";

// Counts, not seconds: what makes a start or a check slow is seen on any machine, and under any load.

const COUNT_CALLS = resolve("tests/fixtures/count-calls.cjs");

interface Counted {
  /** The program's own files that were read, without the one that Node itself reads. */
  files: string[];
  /** Public modules of Node that the program made it load. */
  modules: string[];
  /** Names of functions of `node:fs` with their first arguments, in order. */
  calls: string[];
}

/** A copy of the program, so that no other test keeps compiled code for it. */
let bundle: string;

beforeEach(() => {
  bundle = temporaryDirectory();
  cpSync(dirname(EB), bundle, { recursive: true, filter: (path) => !path.endsWith(".cache") });
});

async function lines(p: Project, args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<string[]> {
  const log = join(temporaryDirectory(), "calls.txt");
  await execa(process.execPath, ["--require", COUNT_CALLS, ...args], {
    cwd: p.root,
    env: cleanEnv({ COUNT_CALLS: log, ...env }),
    extendEnv: false,
  });
  const text = readFileSync(log, "utf8");
  rmSync(log);
  return text.split("\n").filter(Boolean);
}

const MODULE = "NativeModule ";

async function counted(p: Project, args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<Counted> {
  const ours = await lines(p, [join(bundle, "main.cjs"), ...args], env);
  const bare = new Set(await lines(p, ["-e", "0"]));
  const calls = ours.filter((line) => !line.startsWith(MODULE));
  const read = calls.flatMap((line) => /^openSync (.*\.cjs)$/.exec(line)?.[1] ?? []);
  const modules = ours.filter((line) => line.startsWith(MODULE) && !bare.has(line));
  return {
    files: read.map((path) => basename(path, ".cjs")).filter((name) => name !== "main"),
    modules: modules.map((line) => line.slice(MODULE.length)).sort(),
    calls,
  };
}

/** A project with so many checks that do nothing. */
function trivial(checks: number): Project {
  const ids = Array.from({ length: checks }, (_, i) => `c${i}`);
  return project(Object.fromEntries(ids.map((id) => [`eval_checks/${id}.yaml`, check(id, "pass")])));
}

describe("what is loaded by", () => {
  const PLAN = ["program", "base"];
  const STREAMS = ["stream", "stream/promises", "string_decoder"];
  // With what comes along when they are loaded.
  const CHILDREN = ["child_process", "dgram", "diagnostics_channel", "net", ...STREAMS];

  it.each<[string, string[], string[]]>([
    ["--version", [], ["vm"]],
    ["--help", ["program"], ["process", "vm"]],
    ["list", PLAN, ["process", "vm"]],
    ["validate", PLAN, ["process", "vm"]],
    ["run", [...PLAN, "engine"], ["os", "process", "vm", "timers/promises", "tty", ...CHILDREN]],
  ])("%s", async (command, files, modules) => {
    const p = project(oneCheck("pass"));
    // The first start keeps compiled code, for which it needs more.
    await counted(p, [command]);
    const { files: loaded, modules: nodes } = await counted(p, [command]);
    expect(loaded.sort()).toEqual(files.sort());
    // Another version of Node may have loaded some of them by itself.
    expect(nodes.filter((name) => !modules.includes(name))).toEqual([]);
  });
});

// On a machine that is busy beyond measure even this may take so long that it gets a guard.
it("a run of one short check starts one process", { retry: 3 }, async () => {
  const p = project(oneCheck("pass"));
  const { calls } = await counted(p, ["run"], { EVAL_BANANA_PYTHON: "/bin/true" });
  expect(calls.filter((line) => line.startsWith("spawn "))).toEqual(["spawn /bin/true"]);
});

it.each<[string, number]>([
  ["--help", 1],
  ["list", 1],
  ["validate", 1],
  ["run", 1],
  // So many that the heap is kept small, with other flags of V8.
  ["run", 30],
])("%s takes compiled code from its first start, with %i checks", async (command, checks) => {
  const p = trivial(checks);
  const caches = ({ calls }: Counted, name: string) =>
    calls.filter((line) => line.startsWith(`${name} `) && /\.cache(\.\d+\.tmp)?$/.test(line)).length;
  const first = await counted(p, [command]);
  expect(caches(first, "writeFileSync")).toBe(first.files.length);
  const second = await counted(p, [command]);
  expect(caches(second, "openSync")).toBe(second.files.length);
  expect(caches(second, "writeFileSync")).toBe(0);
});

describe("a check more costs", () => {
  const FEW = 10;
  const MANY = 20;

  async function perCheck(args: readonly string[], count: (line: string) => boolean): Promise<number> {
    const [few, many] = [trivial(FEW), trivial(MANY)];
    await counted(few, args);
    const calls = async (p: Project) => (await counted(p, args)).calls.filter(count).length;
    return ((await calls(many)) - (await calls(few))) / (MANY - FEW);
  }

  // What other processes there are is looked at in /proc; calls that take a descriptor do not tell of what.
  const outsideProc = (line: string) => !/ \/proc|^(read|close|fstat)Sync/.test(line);

  it("a run at most 25 calls of the file system that name a file or write", async () => {
    expect(await perCheck(["run"], outsideProc)).toBeLessThanOrEqual(25);
  });

  it("validate and list 2: one look at the file, and one to read it", async () => {
    expect(await perCheck(["validate"], outsideProc)).toBeLessThanOrEqual(2);
    expect(await perCheck(["list"], outsideProc)).toBeLessThanOrEqual(2);
  });

  it("at most one process", async () => {
    const starts = async (p: Project) => {
      // A path that is set may set up more than an interpreter: it is asked once, and runs every check.
      const python = p.writeProgram(
        "python",
        `#!/bin/sh\necho start >> "${p.path("starts")}"\nexec "${PYTHON}" "$@"\n`,
      );
      await p.eb(["run"], { env: { EVAL_BANANA_PYTHON: python } });
      return p.read("starts").trim().split("\n").length;
    };
    const [few, many] = [await starts(trivial(FEW)), await starts(trivial(MANY))];
    expect(many - few).toBeLessThanOrEqual(MANY - FEW);
    // It is asked once, and started once more by what starts the others.
    expect(few).toBeLessThanOrEqual(FEW + 2);
  });
});
