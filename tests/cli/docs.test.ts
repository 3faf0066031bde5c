import { cpSync, existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { execa } from "execa";
import glob from "fast-glob";
import { describe, expect, it } from "vitest";
import { cleanEnv, EB, temporaryDirectory } from "../helpers/project.js";

/** The commands in the `sh` blocks of a page. */
function commandsOf(page: string): string[] {
  const blocks = [...readFileSync(page, "utf8").matchAll(/^```sh\n(.*?)^```/gms)];
  return blocks.flatMap(([, block = ""]) => block.split("\n").filter((line) => line.trim() && !line.startsWith("#")));
}

const pages = ["README.md", ...glob.sync("docs/*.md")];
const commands = pages.flatMap((page) => commandsOf(page).map((command) => ({ page, command })));

it("every page is looked at", () => {
  expect(pages.length).toBeGreaterThan(5);
  expect(commands.length).toBeGreaterThan(3);
});

it("every link in the docs leads to a file", () => {
  const links = [...pages, "AGENTS.md", "CHANGELOG.md"].flatMap((page) =>
    [...readFileSync(page, "utf8").matchAll(/\]\((?!https?:|#)([^)#]+)/g)].map(([, target = ""]) =>
      join(dirname(page), target),
    ),
  );
  expect(links.length).toBeGreaterThan(10);
  expect(links.filter((link) => !existsSync(link))).toEqual([]);
});

/** A copy of an example: of the suite for what is about suites, else the quickstart. */
function exampleFor(command: string): string {
  const root = temporaryDirectory();
  const example = /^eb (suite (?!init)|cache)/.test(command) ? "suite" : "quickstart";
  cpSync(`examples/${example}`, root, { recursive: true, filter: (path) => !/results|cache/.test(path) });
  return root;
}

describe("a command in the docs runs in an example:", () => {
  const ours = commands.filter(({ command }) => /^(npx )?eb /.test(command) && !command.includes("harness-agent"));

  it.each(ours)("$page: $command", async ({ command }) => {
    const bare = command.replace(/^npx /, "").replace(/^eb init$/, "eb init --force");
    const root = exampleFor(bare);
    // RUN in a command stands for an earlier run.
    const earlier = / RUN\b/.test(bare) ? "eb suite run >/dev/null 2>&1; RUN=$(ls .eval-banana/results)\n" : "";
    const script = earlier + bare.replace(/ RUN\b/, ' "$RUN"');
    const result = await execa("sh", ["-c", `eb() { "${process.execPath}" "${EB}" "$@"; }\n${script}`], {
      cwd: root,
      env: cleanEnv(),
      extendEnv: false,
      reject: false,
    });
    // 1: one check of the project fails on purpose.
    expect([0, 1], `${result.stderr}`).toContain(result.exitCode);
    expect(result.stdout).not.toBe("");
  });

  it("and what others show is a target of the Makefile or a script of the package", () => {
    const makefile = readFileSync("Makefile", "utf8");
    const others = commands.filter(({ command }) => !/^(npx )?eb /.test(command));
    const unknown = others.filter(({ command }) => {
      const target = /^make ([\w-]+)/.exec(command)?.[1];
      if (target) return !new RegExp(`^${target}:`, "m").test(makefile);
      return !/^(npm install|node|python3 bench|# |git |uv )/.test(command);
    });
    expect(unknown).toEqual([]);
  });
});

it("the output that the README shows is what the quickstart prints, less paths and the traceback", async () => {
  const root = temporaryDirectory();
  cpSync("examples/quickstart", root, { recursive: true, filter: (path) => !path.includes("results") });
  const { stdout } = await execa(process.execPath, [EB, "run"], {
    cwd: root,
    env: cleanEnv(),
    extendEnv: false,
    reject: false,
  });
  const shown = /```console\n\$ eb run\n(.*?)```/s.exec(readFileSync(join("README.md"), "utf8"))?.[1] ?? "";
  const comparable = (text: string) =>
    text
      .replaceAll(/\d+(\.\d+)? m?s\b/g, "TIME")
      .split("\n")
      .filter(Boolean)
      .filter((line) => !/^ +(stdout:|stderr:|│)|^report:/.test(line))
      .sort();
  expect(comparable(shown)).toEqual(comparable(stdout));
});
