import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { execa } from "execa";
import { beforeEach, describe, expect, it } from "vitest";
import { cleanEnv, EB, oneCheck, type Project, project, temporaryDirectory } from "../helpers/project.js";

/** A copy of the program that no other test runs. */
let bundle: string;
let p: Project;

beforeEach(() => {
  bundle = temporaryDirectory();
  cpSync(dirname(EB), bundle, { recursive: true, filter: (path) => !path.endsWith(".cache") });
  p = project(oneCheck("pass"));
});

const list = () =>
  execa(process.execPath, [join(bundle, "main.cjs"), "list"], {
    cwd: p.root,
    env: cleanEnv(),
    extendEnv: false,
    reject: false,
  });
const caches = () => readdirSync(bundle).filter((name) => name.endsWith(".cache"));
const LISTED = { exitCode: 0, stderr: "", stdout: "it\tdeterministic\tChecks it\teval_checks/it.yaml" };

describe("compiled code", () => {
  it("is kept by the first run and used by the next", async () => {
    expect(await list()).toMatchObject(LISTED);
    expect(caches().length).toBeGreaterThan(3);
    const written = caches().map((name) => statSync(join(bundle, name)).mtimeMs);
    expect(await list()).toMatchObject(LISTED);
    expect(caches().map((name) => statSync(join(bundle, name)).mtimeMs)).toEqual(written);
  });

  it.each([
    ["cut off", (path: string) => truncateSync(path, Math.floor(statSync(path).size / 2))],
    ["empty", (path: string) => truncateSync(path, 0)],
    ["something else", (path: string) => writeFileSync(path, "no code at all")],
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
