import { join } from "node:path";
import glob from "fast-glob";
import { fileContent } from "../load/file-content.js";
import type { Builder } from "./builder.js";

/** Notes the files of `cache.files`: patterns that are relative to the project root; those with `!` leave files out. */
export function noteNamedFiles(patterns: readonly string[], { places, note, problem }: Builder): void {
  const ignore = patterns.flatMap((pattern) => (pattern.startsWith("!") ? [pattern.slice(1)] : []));
  if (ignore.length === patterns.length) problem(["cache", "files"], "leaves files out, and names none");
  const found = new Set<string>();
  for (const [index, pattern] of patterns.entries()) {
    if (pattern.startsWith("!")) continue;
    const options = { cwd: places.root, dot: true, ignore: [...ignore, "**/.git/**", "**/node_modules/**"] };
    const files = glob.sync(pattern, options);
    // A slip of the pen would keep answers for ever.
    if (files.length === 0) problem(["cache", "files", index], `matches no file of the project: '${pattern}'`);
    for (const file of files) found.add(file);
  }
  for (const file of [...found].sort()) {
    const content = fileContent(join(places.root, file));
    note(file, "bytes" in content ? content.bytes : "unreadable");
  }
}
