import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { execa } from "execa";
import { beforeEach, describe, expect, it } from "vitest";
import { check, cleanEnv, EB, oneCheck, type Project, project, temporaryDirectory } from "../helpers/project.js";

/** A copy of the program that no other test runs. */
let bundle: string;
let p: Project;

beforeEach(() => {
  bundle = temporaryDirectory();
  cpSync(dirname(EB), bundle, { recursive: true, filter: (path) => !path.endsWith(".cache") });
  p = project(oneCheck("pass"));
});

/** Of the same length as before. */
function change(path: string, damage: (bytes: Buffer) => unknown): void {
  const bytes = readFileSync(path);
  damage(bytes);
  writeFileSync(path, bytes);
}

const list = () => eb("list");
const eb = (command: string, { in: where = p, nodeOptions = "" } = {}) =>
  execa(process.execPath, [join(bundle, "main.cjs"), command], {
    cwd: where.root,
    env: cleanEnv({ NODE_OPTIONS: nodeOptions }),
    extendEnv: false,
    reject: false,
  });
const caches = () => readdirSync(bundle).filter((name) => name.endsWith(".cache"));
/** So many checks that the heap is kept small, with other flags of V8. */
const ids = Array.from({ length: 25 }, (_, index) => `c${index}`);
const LISTED = { exitCode: 0, stderr: "", stdout: "it\tdeterministic\tChecks it\teval_checks/it.yaml" };

describe("compiled code", () => {
  it("is kept by the first run and used by the next", async () => {
    expect(await list()).toMatchObject(LISTED);
    expect(caches().map((name) => name.split(".")[0])).toEqual(["base", "program"]);
    const written = caches().map((name) => statSync(join(bundle, name)).mtimeMs);
    expect(await list()).toMatchObject(LISTED);
    expect(caches().map((name) => statSync(join(bundle, name)).mtimeMs)).toEqual(written);
  });

  it("is kept by a run for the next run, and by other commands for theirs", async () => {
    for (const command of ["run", "list"]) expect((await eb(command)).exitCode).toBe(0);
    const written = caches();
    for (const command of ["run", "list", "run"]) expect((await eb(command)).exitCode).toBe(0);
    expect(caches()).toEqual(written);
    const times = new Set(caches().map((name) => statSync(join(bundle, name)).mtimeMs));
    expect((await eb("run")).exitCode).toBe(0);
    expect(new Set(caches().map((name) => statSync(join(bundle, name)).mtimeMs))).toEqual(times);
  });

  it("that was made with other flags of V8 is left alone, by starts with flags and by parts that a long run loads late", async () => {
    const many = project(Object.fromEntries(ids.map((id) => [`eval_checks/${id}.yaml`, check(id, "pass")])));
    const few = project(Object.fromEntries(ids.slice(0, 5).map((id) => [`eval_checks/${id}.yaml`, check(id, "pass")])));
    const runs = [
      () => eb("run", { in: few }),
      () => eb("run", { in: many }),
      () => eb("run", { in: few, nodeOptions: "--max-old-space-size=200" }),
    ];
    for (const run of runs) expect((await run()).exitCode).toBe(0);
    const written = caches();
    expect(written.some((name) => name.startsWith("fork-server."))).toBe(process.platform === "linux");
    const times = () => written.map((name) => statSync(join(bundle, name)).mtimeMs);
    const before = times();
    for (const run of runs) expect((await run()).exitCode).toBe(0);
    expect(caches()).toEqual(written);
    expect(times()).toEqual(before);
  });

  it("of a file that has changed is not used, also where the length is the same", async () => {
    const json = async () =>
      JSON.parse(
        (
          await execa(process.execPath, [join(bundle, "main.cjs"), "list", "--json"], {
            cwd: p.root,
            env: cleanEnv(),
            extendEnv: false,
          })
        ).stdout,
      );
    expect(await json()).toHaveProperty("project_root");
    const file = join(bundle, "base.cjs");
    writeFileSync(file, readFileSync(file, "utf8").replaceAll("project_root", "project_toor"));
    expect(await json()).toHaveProperty("project_toor");
  });

  it("of another build of Node is written anew, and starts with flags keep one set of files", async () => {
    await list();
    const names = caches();
    // Both halves alike, with a head that V8 does not take.
    for (const name of names) {
      const half = statSync(join(bundle, name)).size / 2;
      change(join(bundle, name), (bytes) => [0, half].map((at) => bytes.writeUInt32LE(1, at)));
    }
    const foreign = names.map((name) => readFileSync(join(bundle, name)));
    expect(await list()).toMatchObject(LISTED);
    for (const [index, name] of names.entries()) {
      expect(readFileSync(join(bundle, name)).equals(foreign[index] as Buffer)).toBe(false);
    }
    for (const size of [200, 300, 400]) await eb("list", { nodeOptions: `--max-old-space-size=${size}` });
    expect(caches()).toHaveLength(2 * names.length);
  });

  it.each([
    ["cut off", (path: string) => truncateSync(path, Math.floor(statSync(path).size / 2))],
    ["empty", (path: string) => truncateSync(path, 0)],
    ["something else", (path: string) => writeFileSync(path, "no code at all")],
    ["all zeros", (path: string) => change(path, (bytes) => bytes.fill(0))],
    ["zeroed inside", (path: string) => change(path, (bytes) => bytes.fill(0, bytes.length >> 2, bytes.length >> 1))],
    ["zeroed to its end", (path: string) => change(path, (bytes) => bytes.fill(0, bytes.length >> 2))],
    [
      "changed in one byte",
      (path: string) => change(path, (bytes) => bytes.writeUInt8(255 - bytes.readUInt8(1000), 1000)),
    ],
  ])("that is %s is ignored and written anew", async (_, damage) => {
    await list();
    const names = caches();
    for (const name of names) damage(join(bundle, name));
    const damaged = names.map((name) => readFileSync(join(bundle, name)));
    expect(await list()).toMatchObject(LISTED);
    expect(
      names.map((name) => readFileSync(join(bundle, name)).equals(damaged[names.indexOf(name)] as Buffer)),
    ).not.toContain(true);
  });

  it("is not needed where nothing can be written", async () => {
    await list();
    const names = caches();
    for (const name of names) {
      rmSync(join(bundle, name));
      // Nothing can be renamed to a directory.
      mkdirSync(join(bundle, name, "full"), { recursive: true });
    }
    expect(await list()).toMatchObject(LISTED);
    expect(readdirSync(bundle).filter((name) => name.endsWith(".tmp"))).toEqual([]);
  });
});
