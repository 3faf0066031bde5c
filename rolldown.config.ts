import { readdirSync, readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { defineConfig, type Plugin, type RolldownOptions } from "rolldown";
import { pageAsText } from "./page-as-text.ts";

const { version } = JSON.parse(readFileSync("package.json", "utf8"));

const common: RolldownOptions = {
  platform: "node",
  resolve: { extensionAlias: { ".js": [".ts", ".js"] } },
  moduleTypes: { ".py": "text" },
  // In the TOML parser, and made to be tried and given up in a bundle.
  checks: { eval: false },
  transform: { target: "node20", define: { __VERSION__: JSON.stringify(version) } },
};

/** commander loads `node:child_process` for subcommands in files of their own, which we have none of: 8 ms of every start. */
const lazyChildProcess: Plugin = {
  name: "lazy-child-process",
  transform(code, id) {
    if (!/commander[\\/]lib[\\/]command\.js$/.test(id)) return;
    const line = "const childProcess = require('node:child_process');";
    if (!code.includes(line))
      throw new Error("commander has changed: is node:child_process still loaded at its start?");
    return code.replace(
      line,
      "const childProcess = { spawn: (...args) => require('node:child_process').spawn(...args) };",
    );
  },
};

/**
 * The program itself validates no report, but would make all schemas of it, and load the whole of zod for that:
 * a tenth of what `eb run` takes to start. Marked as free of side effects, what is not used is left out.
 */
const noReportSchemas: Plugin = {
  name: "no-report-schemas",
  transform(code, id) {
    if (!/src[\\/]report[\\/]schema\.ts$/.test(id)) return;
    return code.replaceAll(/(?<![\w.])(?:z|\w+Schema)\s*\.(?=\w+\()/g, "/* @__PURE__ */ $&");
  },
};

/** Writes the names and licences of the packages that are bundled: theirs ask for it. */
const notices: Plugin = {
  name: "notices",
  generateBundle(_, bundle) {
    const modules = Object.values(bundle).flatMap((file) => (file.type === "chunk" ? file.moduleIds : []));
    const folders = new Set(modules.flatMap((id) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(id)?.[0] ?? []));
    const texts = [...folders].sort().map((folder) => {
      const { name, version, license } = JSON.parse(readFileSync(`${folder}/package.json`, "utf8"));
      const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
      const text = file ? readFileSync(`${folder}/${file}`, "utf8").trim() : "";
      return `${name} ${version} (${license})\n\n${text}\n`;
    });
    this.emitFile({
      type: "asset",
      fileName: "THIRD-PARTY-NOTICES.txt",
      source: texts.join(`\n${"-".repeat(80)}\n\n`),
    });
  },
};

/** The files of ours that a file needs as soon as it is loaded: itself, what it imports, and so on. */
function neededBy(file: string, found = new Set<string>()): Set<string> {
  if (found.has(file)) return found;
  found.add(file);
  const imports = readFileSync(file, "utf8").matchAll(/^(?:import|export)(?! type)[^;]*? from "(\.[^"]+)\.js";$/gm);
  for (const [, target = ""] of imports) neededBy(resolve(dirname(file), `${target}.ts`), found);
  return found;
}

const inPackages = (names: string) => new RegExp(`node_modules[\\\\/](?:${names})[\\\\/.]`);
const GLOB =
  "fast-glob|@nodelib|micromatch|picomatch|braces|fill-range|to-regex-range|is-\\w+|glob-parent|merge2|fastq|reusify|run-parallel|queue-microtask";
/** What every command needs that reads checks, and what `run` needs besides. */
const BASE_PACKAGES = inPackages(
  `yaml|@iarna|fastest-levenshtein|zod[\\\\/]v4[\\\\/](?:core|mini|locales[\\\\/]en)|${GLOB}`,
);
const ENGINE_PACKAGES = inPackages("p-limit|yocto-queue|picocolors");

/**
 * A part of the program for each step: what `list` needs, what `validate` needs besides, and `run`. Every file more is
 * looked for, read and compiled on its own; left alone, what many parts share comes in a dozen small ones.
 */
function parts(): { name: string; test: (id: string) => boolean }[] {
  const program = neededBy(resolve("src/cli/program.ts"));
  const needed = (command: string) => neededBy(resolve(`src/cli/commands/${command}.ts`));
  const [list, validate, run] = [needed("list"), needed("validate"), needed("run")];
  return [
    { name: "base", test: (id) => (list.has(id) && !program.has(id)) || BASE_PACKAGES.test(id) },
    { name: "harness", test: (id) => validate.has(id) && !list.has(id) && !program.has(id) },
    {
      name: "engine",
      test: (id) =>
        (run.has(id) && !validate.has(id) && !list.has(id) && !program.has(id)) ||
        ENGINE_PACKAGES.test(id) ||
        /\.(?:py|html)$/.test(id),
    },
  ];
}

export default defineConfig([
  {
    // The program: CommonJS starts fastest; a part for each command, loaded when it is used.
    ...common,
    input: { main: "src/cli/main.ts" },
    // What parts of their own take out of others is exported from there.
    preserveEntrySignatures: "allow-extension",
    plugins: [lazyChildProcess, noReportSchemas, pageAsText, notices],
    output: {
      dir: "dist/cli",
      format: "cjs",
      entryFileNames: "[name].cjs",
      chunkFileNames: "[name].cjs",
      minify: true,
      cleanDir: true,
      codeSplitting: { includeDependenciesRecursively: false, groups: parts() },
    },
  },
  {
    // The library. What its types mention stays a dependency.
    ...common,
    input: { index: "src/index.ts", "write-schemas": "src/write-schemas.ts" },
    external: [/^zod(\/|$)/],
    plugins: [pageAsText, notices],
    output: { dir: "dist/lib", format: "esm", chunkFileNames: "[name].js", cleanDir: true },
  },
]);
