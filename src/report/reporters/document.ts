import { existsSync } from "node:fs";
import { dirname } from "node:path";
import { writeDocument } from "../../core/atomic.js";
import { makeDirectory } from "../../core/make-directory.js";
import type { Reporter, RunEnd } from "../events.js";
import type { Kind } from "../kind.js";

/** A reporter that writes one document when the run has ended; `-` as the path is standard output. `render` is told the path. */
export function documentReporter<K extends Kind>(
  name: string,
  render: (end: RunEnd<K>, path: string) => Iterable<string>,
): (path: string) => Reporter<K> {
  return (path) => ({
    name,
    async on(event) {
      if (event.type !== "run.end") return;
      const chunks = render(event, path);
      if (path === "-") return writeOut(process.stdout, chunks);
      if (!existsSync(dirname(path))) makeDirectory(dirname(path));
      writeDocument(path, chunks);
    },
  });
}

/** Writes as fast as the reader reads; one that went away ends the writing, which is no error of the report. */
async function writeOut(stream: NodeJS.WriteStream, chunks: Iterable<string>): Promise<void> {
  let gone = false;
  const leave = () => {
    gone = true;
  };
  stream.once("close", leave);
  for (const chunk of chunks) {
    if (gone) break;
    if (!stream.write(chunk)) await drained(stream);
  }
  stream.off("close", leave);
}

function drained(stream: NodeJS.WriteStream): Promise<void> {
  return new Promise((resolve) => {
    const go = () => {
      stream.off("drain", go).off("close", go);
      resolve();
    };
    stream.on("drain", go).on("close", go);
  });
}
