import { readdirSync, readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { defineConfig, type Plugin, type RolldownOptions } from "rolldown";
import { pageAsText } from "./src/viewer/page-as-text.ts";

const { version } = JSON.parse(readFileSync("package.json", "utf8"));

const common: RolldownOptions = {
  platform: "node",
  resolve: {
    extensionAlias: { ".js": [".ts", ".js"] },
    // The same as modules: what is not used can be left out.
    alias: { yaml: resolve("node_modules/yaml/browser/dist/index.js") },
  },
  moduleTypes: { ".py": "text" },
  transform: { target: "node20", define: { __VERSION__: JSON.stringify(version) } },
};

/**
 * What packages load or ask for at their start, and we have no use for: together a fifth of what a short run takes.
 * The rest of what only that needs is left out of the bundle with it.
 */
const UNUSED: [file: string, code: string, instead: string][] = [
  // For subcommands in files of their own.
  [
    "commander/lib/command.js",
    "const childProcess = require('node:child_process');",
    "const childProcess = { spawn: (...args) => require('node:child_process').spawn(...args) };",
  ],
  // Names in reach of an `eval` can't be shortened, nor their values kept where they are found fast.
  ["@iarna/toml/lib/toml-parser.js", "eval(\"require('util').inspect\")", "{}"],
  ["@iarna/toml/toml.js", "require('./stringify.js')", "undefined"],
  ["@iarna/toml/parse.js", "require('./parse-async.js')", "undefined"],
  ["@iarna/toml/parse.js", "require('./parse-stream.js')", "undefined"],
  // Whether there are colours we decide ourselves; asking sets up the standard output.
  ["picocolors/picocolors.js", "(p.stdout || {}).isTTY", "false"],
];

const leaveOutUnused: Plugin = {
  name: "leave-out-unused",
  transform(code, id) {
    const path = id.replaceAll("\\", "/");
    const parts = UNUSED.filter(([file]) => path.endsWith(`node_modules/${file}`));
    if (parts.length === 0) return;
    return parts.reduce((rest, [file, part, instead]) => {
      if (!rest.includes(part))
        throw new Error(`${file} has changed: does it still do at its start what we don't need?`);
      return rest.replace(part, instead);
    }, code);
  },
};

/**
 * The function that SHA-256 calls thousands of times for a few small texts is written out: else V8 finds it worth to
 * optimize, which takes longer than all the hashing of a short run.
 */
const inlineRotations: Plugin = {
  name: "inline-rotations",
  transform(code, id) {
    if (!/@noble[\\/]hashes[\\/]sha2\.js$/.test(id)) return;
    const inline = code.replaceAll(/\brotr\((\w+), (\d+)\)/g, "(($1 << (32 - $2)) | ($1 >>> $2))");
    if (inline === code) throw new Error("the hash library has changed: what does it call most often?");
    return inline;
  },
};

/** Puts into each part what it takes of the bundler's own helpers: a file of their own takes longer to load. */
const inlineHelpers: Plugin = {
  name: "inline-helpers",
  generateBundle(_, bundle) {
    const helpers = bundle["rolldown-runtime.cjs"];
    if (helpers?.type !== "chunk") throw new Error("the bundler has no file of its own any more");
    const inline = `(exports=>{${helpers.code}return exports})({})`;
    for (const file of Object.values(bundle)) {
      if (file.type === "chunk") file.code = file.code.replaceAll('require("./rolldown-runtime.cjs")', () => inline);
    }
    delete bundle["rolldown-runtime.cjs"];
  },
};

/** Code in which every character is one byte takes half the room in memory, and is read without a look at each. */
const onlyAscii: Plugin = {
  name: "only-ascii",
  generateBundle(_, bundle) {
    for (const file of Object.values(bundle)) {
      if (file.type !== "chunk") continue;
      file.code = file.code.replaceAll(
        /[^\0-\x7f]/g,
        (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
      );
      if (file.name !== "main") file.code = `(function(exports,require,module,__filename,__dirname){${file.code}\n})`;
    }
  },
};

/**
 * What a part hands to others is a property, not a function that gets it: there are hundreds of them. But for what is
 * set after it was made, if anything is.
 */
const plainExports: Plugin = {
  name: "plain-exports",
  renderChunk: (code) =>
    code.replaceAll(GETTER, (getter, name: string, value: string) => {
      const variable = `(?<![\\w$.])${value.replaceAll("$", "\\$")}(?![\\w$])`;
      const isSet = new RegExp(
        `(?<!const |let |var )${variable}(?: [^\\w\\s=<>!]*=[^=>]|\\+\\+|--)|(?:\\+\\+|--)${variable}`,
      );
      return isSet.test(code) ? getter : `exports.${name} = ${value};`;
    }),
};
const GETTER =
  /Object\.defineProperty\(exports, "([\w$]+)", \{\s+enumerable: true,\s+get: function \(\) \{\s+return ([\w$]+);\s+\}\s+\}\);/g;

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

/**
 * The schemas of suites have methods, and need all that zod has; those of checks and settings a third of it. With a copy
 * of its own for either, `eb run` and `eb list` read and make no more than they use. What belongs to both, the registry
 * and the settings of zod, is global anyway.
 */
const ownZodForSuites: Plugin = {
  name: "own-zod-for-suites",
  async resolveId(source, importer) {
    if (!importer || !/zod[\\/]v4[\\/](?:classic[\\/]|.*\?suites$)/.test(importer)) return;
    const found = await this.resolve(source, importer.replace(FOR_SUITES, ""), { skipSelf: true });
    if (found && /zod[\\/]v4[\\/]core[\\/]/.test(found.id)) return `${found.id}?suites`;
  },
  load: (id) => (FOR_SUITES.test(id) ? readFileSync(id.replace(FOR_SUITES, ""), "utf8") : undefined),
};
const FOR_SUITES = /\?suites$/;

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
  const imports = readFileSync(file, "utf8").matchAll(/^(?:import|export)(?! type)[^;]*? from "(\.[^"]+)";$/gm);
  for (const [, target = ""] of imports) neededBy(resolve(dirname(file), target.replace(/\.js$/, ".ts")), found);
  return found;
}

const inPackages = (names: string) => new RegExp(`node_modules[\\\\/](?:${names})[\\\\/.]`);
/** What every command needs that reads checks, and what `run` needs besides. */
const BASE_PACKAGES = inPackages(
  "yaml|@iarna|@noble|fastest-levenshtein|zod[\\\\/]v4[\\\\/](?:core|mini|locales[\\\\/]en)",
);
const ENGINE_PACKAGES = inPackages("p-limit|yocto-queue|picocolors");

/**
 * A part of the program for what `list` and `validate` need, and one for what `run` needs besides. Every file more is
 * read and compiled on its own; left alone, what many parts share comes in a dozen small ones.
 */
function parts(): { name: string; test: (id: string) => boolean }[] {
  const needed = (...commands: string[]) => {
    const files = commands.map((command) => neededBy(resolve(`src/cli/commands/${command}.ts`)));
    return (id: string) => files.some((each) => each.has(id));
  };
  const program = neededBy(resolve("src/cli/program.ts"));
  const [base, engine] = [needed("list", "validate"), needed("run")];
  return [
    {
      name: "base",
      test: (id) => (base(id) && !program.has(id)) || (BASE_PACKAGES.test(id) && !FOR_SUITES.test(id)),
    },
    {
      name: "engine",
      test: (id) => (engine(id) && !base(id) && !program.has(id)) || ENGINE_PACKAGES.test(id),
    },
  ];
}

export default defineConfig([
  {
    // The program: CommonJS starts fastest; a part for each command, loaded when it is used.
    ...common,
    input: { program: "src/cli/program.ts" },
    // What parts of their own take out of others is exported from there.
    preserveEntrySignatures: "allow-extension",
    plugins: [
      leaveOutUnused,
      inlineRotations,
      ownZodForSuites,
      noReportSchemas,
      plainExports,
      inlineHelpers,
      onlyAscii,
      pageAsText,
      notices,
    ],
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
    // What loads it.
    ...common,
    input: { main: "src/cli/main.ts" },
    plugins: [onlyAscii],
    output: { dir: "dist/cli", format: "cjs", entryFileNames: "[name].cjs", minify: true },
  },
  {
    // The library. What its types mention stays a dependency.
    ...common,
    input: { index: "src/index.ts", "write-schemas": "src/write-schemas.ts" },
    external: [/^zod(\/|$)/],
    plugins: [leaveOutUnused, pageAsText, notices],
    output: { dir: "dist/lib", format: "esm", chunkFileNames: "[name].js", cleanDir: true },
  },
]);
