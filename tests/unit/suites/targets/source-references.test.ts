import { relative } from "node:path";
import { describe, expect, it } from "vitest";
import { followedFiles } from "../../../../src/suites/targets/followed-files.js";
import { pathsNamedIn } from "../../../../src/suites/targets/source-references.js";
import { project } from "../../../helpers/project.js";

/** The files that are followed from `main.*` or a command line, relative to the root. */
function followed(files: Record<string, string>, command?: string): string[] {
  const { root } = project(files);
  const [first = ""] = Object.keys(files);
  const begin = command === undefined ? { files: [`${root}/${first}`] } : { files: [], code: [command] };
  return [...followedFiles(begin, root).keys()].map((path) => relative(root, path)).sort();
}

describe("followedFiles", () => {
  it.each<[string, string, string[]]>([
    ["main.ts", 'import x from "./lib.js"; export * from "./more";', ["lib.ts", "more/index.ts"]],
    ["main.mjs", 'await import("./lib.ts"); import "zod"; import "./nowhere.js";', ["lib.ts"]],
    ["main.py", "from a.b import c, d as e", ["a/__init__.py", "a/b/__init__.py", "a/b/c.py"]],
    ["main.py", "import os, a.x as y\n", ["a/__init__.py", "a/x.py"]],
    ["main.py", "def f():\n    from a import (\n        x,\n    )\n", ["a/__init__.py", "a/x.py"]],
    ["main.py", 'import_module("a.x")', ["a/__init__.py", "a/x.py"]],
    ["a/b/c.py", "from .. import x\nfrom . import c\n", ["a/__init__.py", "a/b/__init__.py", "a/x.py"]],
    ["main.py", 'open(here / "prompts" / "tone.md")', ["prompts/tone.md"]],
    ["main.py", 'open("prompts/tone.md").read()', ["prompts/tone.md"]],
    ["main.js", "readFileSync(`prompts/tone.md`)", ["prompts/tone.md"]],
    ["main.js", 'fs.appendFileSync("log.txt", "x"); fs.readFileSync("log.txt")', []],
    ["main.py", 'open("log.txt", "a")', []],
    ["main.py", 'messages.append({"content": Path("prompts/tone.md").read_text()})', ["prompts/tone.md"]],
    ["main.js", 'process.stdout.write(readFileSync("prompts/tone.md", "utf8"))', ["prompts/tone.md"]],
    ["main.py", 'json.dump({"a": open("prompts/tone.md").read()}, out)', ["prompts/tone.md"]],
    ["main.py", 'files.append("prompts/tone.md"); files.remove("a/x.py")', ["a/x.py", "prompts/tone.md"]],
    ["main.py", 'out.write(open("prompts/tone.md", encoding="w").read())', ["prompts/tone.md"]],
    ["main.py", '(here / "log.txt").write_text(Path("prompts/tone.md").read_text())', ["prompts/tone.md"]],
    ["main.py", 'open(os.path.join(here, "log.txt"), mode="a+").write("a/x.py")', ["a/x.py"]],
    [
      "main.js",
      'fs.writeFileSync(path.join(here, "log.txt"), fs.readFileSync("prompts/tone.md"))',
      ["prompts/tone.md"],
    ],
    ["main.js", 'createWriteStream(new URL("log.txt", import.meta.url))', []],
    ["main.py", 'logging.FileHandler("log.txt"); os.remove("log.txt")', []],
    ["main.sh", 'cat prompts/tone.md >> log.txt\n"$PY" a/x.py > "log.txt"', ["a/x.py", "prompts/tone.md"]],
    ["main.py", 'open("node_modules/y/index.js")', []],
  ])("%s: %s", (path, text, expected) => {
    const files = {
      [path]: text,
      ...Object.fromEntries(["a/__init__.py", "a/b/__init__.py", "a/x.py", "lib.ts"].map((name) => [name, ""])),
      ...(path === "a/b/c.py" ? {} : { "a/b/c.py": "" }),
      "more/index.ts": "",
      "prompts/tone.md": "'a/x.py'",
      "log.txt": "",
      "node_modules/y/index.js": "",
    };
    expect(followed(files)).toEqual([path, ...expected].sort());
  });

  it("begins with a command line, and ends where files import each other", () => {
    const files = { "a/main.py": "from a import lib", "a/lib.py": "import a.main", "run.js": "require('./a/x')" };
    expect(followed(files, "python3 -m a.main --verbose")).toEqual(["a/lib.py", "a/main.py"]);
    expect(followed(files, "node -r ./run.js")).toEqual(["run.js"]);
  });

  it("takes no time for a large file on one line", () => {
    const text = '"x.js",f("y.md"),'.repeat(50_000);
    const clock = performance.now();
    expect(pathsNamedIn(text, "x.js")).toHaveLength(100_000);
    expect(performance.now() - clock).toBeLessThan(3_000);
  });
});
