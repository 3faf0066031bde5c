import { extname } from "node:path";

/** Why this Node can't load a module of that name; undefined when it can. It strips types from version 22.18 on. */
export function cannotLoad(path: string, strips = stripsTypes(), version = process.version): string | undefined {
  const ending = extname(path);
  if ([".ts", ".mts", ".cts"].includes(ending)) {
    if (strips) return undefined;
    return `a module in TypeScript needs Node 22.18 or newer, this is ${version}: use that, or name the JavaScript it is compiled to`;
  }
  if ([".js", ".mjs", ".cjs"].includes(ending)) return undefined;
  return `expected a module that ends in .js, .mjs, .cjs, .ts, .mts or .cts, found '${path}'`;
}

function stripsTypes(): boolean {
  return Boolean((process.features as { typescript?: unknown }).typescript);
}
