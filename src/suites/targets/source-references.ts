import { dirname, extname, join, resolve } from "node:path";
import { isFile } from "../find-beside.js";

// What the text of a program refers to: not by a parser of each language, but by how such lines look. What is put
// together from variables is not found.

/** `from "./x.js"`, `import "./x.js"`, `import("./x.js")`, `require("./x.cjs")`: relative paths only. */
const SCRIPT_IMPORT = /(?:\bfrom|\bimport|\brequire)\s*\(?\s*["'](\.{1,2}\/[^"'\n]+)["']/g;
/** In the order in which Node and its loaders try them. */
const SCRIPT_ENDINGS = ["", ".js", ".ts", ".mjs", ".cjs", ".mts", ".cts", ".jsx", ".tsx", ".json"];

/** `from a.b import c, d`, `from . import x`, `from .x import (y)`. */
const PYTHON_FROM = /(?:^|;)[ \t]*from[ \t]+(\.*[\w.]*)[ \t]+import[ \t]+(\([^)]*\)|[^\n;#]+)/gm;
/** `import a.b, c as d`. */
const PYTHON_IMPORT = /(?:^|;)[ \t]*import[ \t]+([^\n;#"']+)/gm;
/** `import_module("a.b")`, and `-m a.b` of a command. */
const PYTHON_NAMED = /(?:import_module\(\s*["']|(?:^|\s)-m\s+)([A-Za-z_][\w.]*)/g;

interface Source {
  /** Absolute. */
  path: string;
  /** Where a module of Python is looked for. */
  places: readonly string[];
}

/** Whether the text of a file refers to others in a way that is known. */
export function isSource(path: string): boolean {
  return /^(\.([cm]?[jt]sx?|py|sh|bash|zsh))?$/.test(extname(path));
}

/** The files that a source imports. */
export function importsOf(text: string, { path, places }: Source): string[] {
  const ending = extname(path);
  const [isScript, isPython] = [/^(\.[cm]?[jt]sx?)?$/.test(ending), ending === ".py" || isShell(path)];
  const scripts = isScript ? [...text.matchAll(SCRIPT_IMPORT)] : [];
  const modules = isPython ? pythonModules(text) : [];
  return [
    ...scripts.flatMap(([, to = ""]) => scriptFile(resolve(dirname(path), to)) ?? []),
    ...(modules.length > 0 ? packagesOf(dirname(path)) : []),
    ...modules.flatMap((module) => pythonFiles(module, dirname(path), places)),
  ];
}

function scriptFile(path: string): string | undefined {
  const index = SCRIPT_ENDINGS.slice(1).map((ending) => join(path, `index${ending}`));
  // TypeScript is imported by the name that it will have.
  const typed = path.replace(/\.([cm]?)js(x?)$/, ".$1ts$2");
  return [...SCRIPT_ENDINGS.map((ending) => path + ending), typed, ...index].find(isFile);
}

/** A module as it is written, with the dots before it, and names that may be modules in it. */
interface PythonModule {
  name: string;
  members: readonly string[];
}

function pythonModules(text: string): PythonModule[] {
  const namesIn = (list: string) => list.split(",").map((part) => /[\w.]+/.exec(part)?.[0] ?? "");
  return [
    ...[...text.matchAll(PYTHON_FROM)].map(([, name = "", members = ""]) => ({ name, members: namesIn(members) })),
    ...[...text.matchAll(PYTHON_IMPORT)].flatMap(([, list = ""]) =>
      namesIn(list).map((name) => ({ name, members: [] })),
    ),
    ...[...text.matchAll(PYTHON_NAMED)].map(([, name = ""]) => ({ name, members: ["__main__"] })),
  ];
}

/** The files of a module and of the packages that it is in. */
function pythonFiles({ name, members }: PythonModule, folder: string, places: readonly string[]): string[] {
  const [, dots = "", rest = ""] = /^(\.*)(.*)$/.exec(name) ?? [];
  const parts = rest.split(".").filter(Boolean);
  const from = dots === "" ? places : [resolve(folder, "../".repeat(dots.length - 1))];
  for (const place of from) {
    const found = [
      ...parts.flatMap((_, index) => moduleAt(join(place, ...parts.slice(0, index + 1)))),
      ...members.flatMap((member) => (member === "" ? [] : moduleAt(join(place, ...parts, member)))),
    ];
    if (found.length > 0) return found;
  }
  return [];
}

/** The packages that a folder is in: a relative import runs them, too. */
function packagesOf(folder: string): string[] {
  const file = join(folder, "__init__.py");
  return isFile(file) ? [file, ...packagesOf(dirname(folder))] : [];
}

function moduleAt(path: string): string[] {
  return [`${path}.py`, join(path, "__init__.py")].filter(isFile);
}

interface Named {
  /** The ways to read it: joined with the texts before it, and alone. */
  paths: readonly string[];
  /** Whether it is itself what a call writes or removes: it is what comes out. */
  isWritten: boolean;
}

const QUOTED = /(["'`])((?:(?!\1)[^\n\\]){1,200})\1/g;
/** Calls that write the file, or remove it, whose path comes first in them. */
const WRITERS =
  /(^|\W)(writeFile|appendFile|outputFile|createWriteStream|unlink|rm|rmtree|truncate|os\.remove|mkdir|makedirs|\w*FileHandler|savefig|to_(csv|json|parquet|excel|pickle|html|markdown))(Sync)?$/;
/** Calls that make one path of others; also mere parentheses. */
const MAKES_PATH = /(^|[\s(,=[:])([\w.]*\.)?(join|resolve|Path|PurePath|URL|fileURLToPath|str|abspath|normalize)?$/;
const WRITES_ITSELF =
  /^\s*\.\s*(write_text|write_bytes|unlink|touch|mkdir|open\(\s*(mode\s*=\s*)?["'][awx][bt]?\+?["'])/;
const WRITE_MODE = /^\s*,(?:.*\bmode\s*=)?\s*["'][awx][bt]?\+?["']/s;
const NEAR = 200;
const PATH = /^[^:*?<>|]*\.\w+$/;

/** The texts of a source that may be paths of files. */
export function pathsNamedIn(source: string, path: string): Named[] {
  if (!isShell(path)) return quotedPaths(source);
  const text = source.replaceAll(/(?:>>?|\btee\s+(?:-a\s+)?)\s*[^\s;|&]+/g, " ");
  const words = text.replaceAll(QUOTED, " ").split(/[\s"'`=;|&()<>${}]+/);
  return [
    ...quotedPaths(text),
    ...words.filter((word) => PATH.test(word)).map((word) => ({ paths: [word], isWritten: false })),
  ];
}

function quotedPaths(text: string): Named[] {
  const named: Named[] = [];
  let joined = "";
  let end = -1;
  for (const { 0: whole, 2: part = "", index } of text.matchAll(QUOTED)) {
    // As in `join("prompts", "tone.txt")` and `here / "prompts" / "tone.txt"`.
    const follows = end >= 0 && /^\s*[,/+]\s*$/.test(text.slice(end, index));
    joined = follows && joined.length < NEAR ? `${joined}/${part}` : part;
    end = index + whole.length;
    if (PATH.test(part)) named.push({ paths: [joined, part], isWritten: isWritten(text, index, end) });
  }
  return named;
}

/** Scripts of a shell, and what has no ending: a command line, or a program of whatever language. */
function isShell(path: string): boolean {
  return /^(\.(sh|bash|zsh))?$/.test(extname(path));
}

/** Whether the path that stands there is what a call writes. In doubt it is not: then it is followed. */
function isWritten(text: string, start: number, end: number): boolean {
  const before = text.slice(Math.max(0, start - NEAR), start);
  const after = text.slice(end, end + NEAR);
  let [from, to] = [before.length, 0];
  for (;;) {
    if (WRITES_ITSELF.test(after.slice(to))) return true;
    const call = callAround(before.slice(0, from));
    if (call === undefined) return false;
    if (!MAKES_PATH.test(call.head)) {
      const opens = /(^|\W)open(Sync)?$/.test(call.head) && WRITE_MODE.test(after.slice(to, closing(after, to)));
      return call.isFirst && (opens || WRITERS.test(call.head));
    }
    from = call.head.length;
    to = closing(after, to) + 1;
  }
}

/** The call whose arguments a text ends in: what is before its parenthesis, and whether it is the first of them. */
function callAround(text: string): { head: string; isFirst: boolean } | undefined {
  let depth = 0;
  let isFirst = true;
  for (let at = text.length - 1; at >= 0; at--) {
    const char = text[at] as string;
    if (")]}".includes(char)) depth++;
    else if (depth > 0 && "([{".includes(char)) depth--;
    else if (char === "(") return { head: text.slice(0, at), isFirst };
    // In a list, an object or a block it is no argument.
    else if (depth === 0 && "[{;".includes(char)) return undefined;
    else if (depth === 0 && char === ",") isFirst = false;
  }
  return undefined;
}

/** Where the call ends that a place is in. */
function closing(text: string, from: number): number {
  let depth = 0;
  for (let at = from; at < text.length; at++) {
    if ("([{".includes(text[at] as string)) depth++;
    else if (")]}".includes(text[at] as string) && depth-- === 0) return at;
  }
  return text.length;
}
