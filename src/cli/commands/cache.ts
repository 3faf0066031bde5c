import { count, shortPath } from "../../core/text.js";
import { cacheDirectory, cacheStats, clearCache } from "../../suites/cache.js";
import { loadProject, type ProjectOptions } from "../options.js";
import { print } from "../print.js";

export interface CacheOptions extends ProjectOptions {
  json?: boolean;
}

/** Prints what the cache of the project holds. */
export function stats(options: CacheOptions): number {
  const stats = cacheStats(cacheDirectory(loadProject(options).root));
  const { directory, entries, bytes } = stats;
  const text = `${count(entries.sessions, "session")}, ${count(entries.verdicts, "verdict")}, ${(bytes / 1e6).toFixed(1)} MB in ${shortPath(directory)}`;
  print(options.json ? `${JSON.stringify(stats, null, 2)}\n` : `${text}\n`);
  return 0;
}

/** Empties the cache of the project. */
export function clear(options: CacheOptions): number {
  const directory = cacheDirectory(loadProject(options).root);
  clearCache(directory);
  print(`emptied ${shortPath(directory)}\n`);
  return 0;
}
