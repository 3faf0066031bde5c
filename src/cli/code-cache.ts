import {
  closeSync,
  fstatSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import Module from "node:module";
import { basename, dirname, join } from "node:path";
import { Script } from "node:vm";

type Exporting = { exports: unknown };
type Loader = (module: NodeJS.Module, filename: string) => void;

/**
 * Keeps the compiled code of the program's own files beside them, and takes it from there: half of the time that a
 * short command takes is compiling. A cache that does not fit (another Node, a changed file) is not looked at or
 * ignored, and one is written anew; where nothing can be written, nothing is kept.
 * @param variant tells apart commands that use the files differently: only what the first one used is kept compiled
 */
export function useCodeCache(variant: string): void {
  const loaders = (Module as unknown as { _extensions: Record<string, Loader> })._extensions;
  const read = cacheReader();
  const compiled: { script: Script; cacheFile: string }[] = [];
  const load = (module: Exporting, path: string, requireAny: (name: string) => unknown) => {
    // V8 itself compares no more than the length of the source.
    const { ctimeMs, size } = statSync(path);
    const cacheFile = `${path}.${process.version}-${process.arch}-${size}-${ctimeMs}-${variant}.cache`;
    const cachedData = read(cacheFile);
    const source = readFileSync(path, "latin1");
    const script = new Script(source, { filename: path, ...(cachedData && { cachedData }) });
    if (!cachedData || script.cachedDataRejected) {
      if (compiled.length === 0) setFlushing(false);
      compiled.push({ script, cacheFile });
    }
    const run = script.runInThisContext();
    run.call(module.exports, module.exports, requireAny, module, path, dirname(path));
  };
  // Our files know each other by name. Node would look for each in the file system, and for package.json around it:
  // a twentieth of what a run takes to start.
  const ours = new Map<string, Exporting>([["./main.cjs", module]]);
  loaders[".cjs"] = (module, filename) => {
    const requireAny = (name: string): unknown => {
      if (!name.startsWith("./")) return module.require(name);
      const known = ours.get(name);
      if (known) return known.exports;
      const fresh: Exporting = { exports: {} };
      ours.set(name, fresh);
      load(fresh, join(dirname(filename), name), requireAny);
      return fresh.exports;
    };
    ours.set(`./${basename(filename)}`, module);
    load(module, filename, requireAny);
  };
  // At the end: by then the functions that were used are compiled, too.
  process.on("exit", () => {
    // Code fits only the flags that it was kept with.
    if (compiled.length > 0) setFlushing(true);
    for (const { script, cacheFile } of compiled) keep(script, cacheFile);
  });
}

/** V8 forgets code that was not used for some time: what a long first run keeps would be of little use to the next one. */
function setFlushing(on: boolean): void {
  process.getBuiltinModule("node:v8").setFlagsFromString(on ? "--flush-bytecode" : "--no-flush-bytecode");
}

/**
 * Reads what `keep` wrote. V8 looks only at the head of its data, and what is damaged behind that ends the process or
 * goes unnoticed. So the file holds the data twice, to compare the halves: a checksum takes longer, in code that is not
 * compiled yet as well as with a module of Node that must be loaded. All files are read into the same memory, as V8 is
 * done with one before the next: memory that is new costs more than reading.
 */
function cacheReader(): (path: string) => Buffer | undefined {
  let memory = Buffer.allocUnsafeSlow(1 << 20);
  return (path) => {
    let file: number | undefined;
    try {
      file = openSync(path, "r");
      const { size } = fstatSync(file);
      if (size > memory.length) memory = Buffer.allocUnsafeSlow(size);
      const read = memory.subarray(0, readSync(file, memory, 0, size, 0));
      const data = read.subarray(0, size >> 1);
      return data.equals(read.subarray(size >> 1)) ? data : undefined;
    } catch {
      return undefined;
    } finally {
      if (file !== undefined) closeSync(file);
    }
  };
}

function keep(script: Script, path: string): void {
  const temporary = `${path}.${process.pid}.tmp`;
  try {
    const data = script.createCachedData();
    writeFileSync(temporary, Buffer.concat([data, data]));
    renameSync(temporary, path);
  } catch {
    // The package may stand where its user can't write.
    rmSync(temporary, { force: true });
  }
}
