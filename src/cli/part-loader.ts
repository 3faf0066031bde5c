import { closeSync, fstatSync, openSync, readSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { Script } from "node:vm";

interface Part {
  exports: unknown;
}

/**
 * Loads files that the program consists of, which know each other as `./name.cjs`. Compiled code is kept beside them and
 * taken from there: half of the time that a short command takes is compiling. What does not fit (another Node, a
 * changed file) is not looked at, and written anew; where nothing can be written, nothing is kept.
 *
 * Node's own way would look for each file in the file system, and for package.json around it: a twentieth of what a run
 * takes to start.
 * @param main the file that has been loaded
 * @param variant tells apart commands that use the files differently: only what the first one used is kept compiled
 */
export function partLoader(main: NodeJS.Module, variant: string): (name: string) => unknown {
  const read = fileReader();
  const directory = dirname(main.filename);
  const loaded = new Map<string, Part>();
  // What is compiled with flags of V8 fits only these: it must not take the place of what most starts use.
  const flags = process.execArgv.length > 0 || process.env["NODE_OPTIONS"] ? "-flags" : "";
  let isStale = false;
  const compiled: { script: Script; cacheFile: string }[] = [];
  // V8 looks only at the head of its data, and what is damaged behind that ends the process or goes unnoticed. So a file
  // holds the data twice, to compare the halves: a checksum takes longer, in code that is not compiled yet as well as
  // with a module of Node that must be loaded.
  const readCompiled = (path: string): Buffer | undefined => {
    try {
      const { bytes } = read(path);
      const data = bytes.subarray(0, bytes.length >> 1);
      // Zeros: what the system may leave of a file when it loses its power.
      return data.some((byte) => byte !== 0) && data.equals(bytes.subarray(data.length)) ? data : undefined;
    } catch {
      return undefined;
    }
  };
  const load = (part: Part, path: string) => {
    const { bytes, ctimeMs } = read(path);
    const source = bytes.toString("latin1");
    // V8 itself compares no more than the length of the source.
    const cacheFile = `${path}.${process.version}-${process.arch}-${bytes.length}-${ctimeMs}-${variant}${flags}.cache`;
    const cachedData = readCompiled(cacheFile);
    const script = new Script(source, { filename: path, ...(cachedData && { cachedData }) });
    // Of the first part, what does not fit is of no use any more, nor is the rest. Where the first one did fit, this
    // process has changed the flags of V8 since.
    isStale ||= loaded.size === 1 && script.cachedDataRejected === true;
    if (!cachedData || (isStale && script.cachedDataRejected)) {
      if (compiled.length === 0) setFlushing(false);
      compiled.push({ script, cacheFile });
    }
    script.runInThisContext().call(part.exports, part.exports, partOrModule, part, path, directory);
  };
  const partOrModule = (name: string): unknown => {
    if (!name.startsWith("./")) return main.require(name);
    const known = loaded.get(name);
    if (known) return known.exports;
    const part: Part = { exports: {} };
    loaded.set(name, part);
    load(part, join(directory, name));
    return part.exports;
  };
  // At the end: by then the functions that were used are compiled, too.
  process.on("exit", () => {
    // Code fits only the flags that it was kept with.
    if (compiled.length > 0) setFlushing(true);
    for (const { script, cacheFile } of compiled) keep(script, cacheFile);
  });
  return partOrModule;
}

/** V8 forgets code that was not used for some time: what a long first run keeps would be of little use to the next one. */
function setFlushing(on: boolean): void {
  process.getBuiltinModule("node:v8").setFlagsFromString(on ? "--flush-bytecode" : "--no-flush-bytecode");
}

/**
 * Reads files, all into the same memory: what was read is overwritten by the next. Memory that is new costs more than
 * reading.
 */
function fileReader() {
  let memory = Buffer.allocUnsafeSlow(1 << 20);
  return (path: string) => {
    const file = openSync(path, "r");
    try {
      const { size, ctimeMs } = fstatSync(file);
      if (size > memory.length) memory = Buffer.allocUnsafeSlow(size);
      return { bytes: memory.subarray(0, readSync(file, memory, 0, size, 0)), ctimeMs };
    } finally {
      closeSync(file);
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
