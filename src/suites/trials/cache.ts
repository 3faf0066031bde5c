import { readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { PROJECT_DIR } from "../../config/project.js";
import { writeFileAtomic } from "../../core/atomic.js";
import { describeSystemError } from "../../core/errors.js";
import { sha256Hex } from "../../core/ids.js";
import { makeDirectory } from "../../core/make-directory.js";

/** Part of every key: entries of another version are never looked at. */
const KEY_VERSION = 3;

/** What is kept: what targets handed back, and what judges said. */
type CacheKind = "sessions" | "verdicts";

/** Answers by the content of what was asked. */
export interface Cache {
  get: (kind: CacheKind, key: string) => unknown;
  /** A value that can't be kept is a warning, once. */
  set: (kind: CacheKind, key: string, value: unknown) => void;
  /** How many entries were kept since it was opened. */
  newEntries: () => number;
  /** Removes these. */
  forgetNew: () => void;
  /** Work on one key waits for earlier work on it, so that what is asked at the same time is asked once. */
  inTurn: <T>(key: string, work: () => Promise<T>) => Promise<T>;
}

export interface CacheOptions {
  /** Absolute. */
  directory: string;
  warn: (message: string) => void;
  /** Gives nothing: what is asked takes the place of what was kept. */
  anew?: boolean;
}

/** A key for anything that can be JSON; equal for equal content, in the order of its fields. */
export function contentKey(content: unknown): string {
  return sha256Hex(JSON.stringify([KEY_VERSION, content]));
}

export function cacheDirectory(projectRoot: string): string {
  return join(projectRoot, PROJECT_DIR, "cache");
}

/** A file for each entry, written as a whole. One that can't be read, or is not as it was written, is told of and is no hit. */
export function openCache({ directory, warn, anew = false }: CacheOptions): Cache {
  let told = false;
  const warnOnce = (message: string) => {
    if (!told) warn(message);
    told = true;
  };
  const kept = new Set<string>();
  const working = new Map<string, Promise<unknown>>();
  const pathOf = (kind: CacheKind, key: string) => join(directory, kind, key.slice(0, 2), `${key}.json`);
  return {
    get(kind, key) {
      const path = pathOf(kind, key);
      try {
        if (anew) {
          // It is no longer what would be answered, also where an error is answered now.
          rmSync(path, { force: true });
          return undefined;
        }
        const entry = JSON.parse(readFileSync(path, "utf8"));
        if (entry?.key === key && entry.sha256 === digestOf(entry.value)) return entry.value;
        warnOnce(`an entry of the cache is not what its name says, and is not used: ${path}`);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
        warnOnce(`an entry of the cache cannot be read, and is not used: ${path}: ${describeSystemError(error)}`);
      }
      return undefined;
    },
    set(kind, key, value) {
      const path = pathOf(kind, key);
      try {
        makeDirectory(join(path, ".."));
        writeFileAtomic(path, JSON.stringify({ key, sha256: digestOf(value), value }));
        kept.add(path);
      } catch (error) {
        warnOnce(`the cache cannot be written: ${describeSystemError(error)}`);
      }
    },
    newEntries: () => kept.size,
    forgetNew() {
      for (const path of kept) rmSync(path, { force: true });
      kept.clear();
    },
    async inTurn(key, work) {
      if (anew) return work();
      const mine = (working.get(key) ?? Promise.resolve()).then(work, work);
      working.set(key, mine);
      try {
        return await mine;
      } finally {
        if (working.get(key) === mine) working.delete(key);
      }
    },
  };
}

/** Tells a value that was damaged, or changed by hand, from what was kept. */
function digestOf(value: unknown): string {
  return sha256Hex(JSON.stringify(value ?? null));
}

export interface CacheStats {
  directory: string;
  entries: Record<CacheKind, number>;
  bytes: number;
}

/** What a cache holds. */
export function cacheStats(directory: string): CacheStats {
  const stats: CacheStats = { directory, entries: { sessions: 0, verdicts: 0 }, bytes: 0 };
  for (const kind of ["sessions", "verdicts"] as const) {
    for (const file of filesBelow(join(directory, kind))) {
      stats.entries[kind]++;
      stats.bytes += statSync(file, { throwIfNoEntry: false })?.size ?? 0;
    }
  }
  return stats;
}

/** Removes all entries. */
export function clearCache(directory: string): void {
  for (const kind of ["sessions", "verdicts"]) rmSync(join(directory, kind), { recursive: true, force: true });
}

function filesBelow(directory: string): string[] {
  try {
    return readdirSync(directory).flatMap((part) =>
      readdirSync(join(directory, part)).map((name) => join(directory, part, name)),
    );
  } catch {
    return [];
  }
}
