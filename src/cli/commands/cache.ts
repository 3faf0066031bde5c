import { count, shortPath } from "../../core/text.js";
import { cacheDirectory, cacheStats, clearCache } from "../../suites/trials/cache.js";
import { loadProject, type ProjectOptions } from "../options.js";
import { printJson, printLine } from "../print-result.js";

export interface CacheOptions extends ProjectOptions {
  json?: boolean;
}

/** Prints what the cache of the project holds. */
export function stats(options: CacheOptions): number {
  const stats = cacheStats(cacheDirectory(loadProject(options).root));
  const { directory, entries, bytes } = stats;
  const text = `${count(entries.sessions, "session")}, ${count(entries.verdicts, "verdict")}, ${(bytes / 1e6).toFixed(1)} MB in ${shortPath(directory)}`;
  if (options.json) printJson(stats);
  else printLine(text);
  return 0;
}

/** Empties the cache of the project. */
export function clear(options: CacheOptions): number {
  const directory = cacheDirectory(loadProject(options).root);
  clearCache(directory);
  if (options.json) printJson({ directory });
  else printLine(`emptied ${shortPath(directory)}`);
  return 0;
}
