import { extname } from "node:path";

// The variables of the environment that the text of a program names, as such lines look in the languages that are followed.

const READS = [
  // `os.environ["X"]`, `environ.get('X')`, `os.getenv("X")`, `process.env["X"]`
  /\b(?:environ(?:\.\w+\(|\[)|getenv\(|process\.env(?:\?\.)?\[)\s*["'`]([A-Za-z_]\w*)["'`]/g,
  /\bprocess\.env\??\.([A-Za-z_]\w*)/g,
];
/** `const { X, Y: y = "z" } = process.env` */
const TAKEN_APART = /\{([^{}]*)\}\s*=\s*process\.env\b(?![.[?])/g;
const SHELL = /\$\{?[#!]?([A-Za-z_]\w*)/g;

/** Their names; `path` tells the language. What has no ending may be a command line. */
export function variablesNamedIn(text: string, path: string): string[] {
  const isShell = /^(\.(sh|bash|zsh))?$/.test(extname(path));
  const namesBy = (pattern: RegExp) => [...text.matchAll(pattern)].map(([, name = ""]) => name);
  const apart = namesBy(TAKEN_APART).flatMap((list) => list.split(",").map((each) => /[A-Za-z_]\w*/.exec(each)?.[0]));
  return [...READS, ...(isShell ? [SHELL] : [])].flatMap(namesBy).concat(apart.filter((name) => name !== undefined));
}
