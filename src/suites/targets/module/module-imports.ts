import { readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";

/** `from "./x.js"`, `import "./x.js"`, `import("./x.js")`, `require("./x.cjs")`: relative paths only. */
const IMPORT = /(?:\bfrom|\bimport|\brequire)\s*\(?\s*["'](\.{1,2}\/[^"'\n]+)["']/g;

/** The files of its own that a module imports, and those that they import, with their content; packages are not followed. */
export function moduleImports(path: string, source: string): Map<string, Buffer> {
  const found = new Map<string, Buffer>();
  const follow = (from: string, text: string) => {
    for (const [, target = ""] of text.matchAll(IMPORT)) {
      const file = resolve(dirname(from), target);
      if (file === path || found.has(file)) continue;
      try {
        const content = readFileSync(file);
        found.set(file, content);
        follow(file, content.toString("utf8"));
      } catch {
        // Calling the module tells that it is not there.
      }
    }
  };
  follow(path, source);
  return found;
}
