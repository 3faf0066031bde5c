import { closeSync, ftruncateSync, openSync, readSync } from "node:fs";
import { writeAll } from "../core/atomic.js";
import type { RunStart } from "./events.js";
import type { Checks, Kind } from "./kind.js";

export interface Journal<K extends Kind = Checks> {
  /**
   * Notes the result of the item at `index` of the plan: with the system, and so safe from a kill, when this returns.
   * One that can't be written is kept in memory for the report, and the error is thrown.
   */
  append: (index: number, result: K["result"]) => void;
  /** Notes what is no result of an item, as a line of its own. */
  note: (line: K["note"]) => void;
  has: (index: number) => boolean;
  /** The results by index, read back one at a time. */
  results: () => Iterable<K["result"]>;
  close: () => void;
}

interface Place {
  offset: number;
  length: number;
}

/**
 * `journal.jsonl`: first the start of the run, then each finished item, one JSON object a line, in order of their ends.
 * What is in it survives a kill at any moment; memory holds only where each line is.
 */
export function openJournal<K extends Kind = Checks>(path: string, start: RunStart<K>): Journal<K> {
  const fd = openSync(path, "wx+");
  const places: (Place | K["result"])[] = [];
  let end = 0;
  const append = (line: string): number => {
    try {
      const length = writeAll(fd, line, end);
      end += length;
      return length;
    } catch (error) {
      // No half line stays before the next one.
      ftruncateSync(fd, end);
      throw error;
    }
  };
  append(`${JSON.stringify(start)}\n`);

  const read = ({ offset, length }: Place): K["result"] => {
    const buffer = Buffer.allocUnsafe(length);
    readSync(fd, buffer, 0, length, offset);
    return JSON.parse(buffer.toString("utf8")).result;
  };
  let closed = false;
  return {
    append(index, result) {
      places[index] = result;
      const length = append(`${JSON.stringify({ type: "item.end", result })}\n`);
      places[index] = { offset: end - length, length };
    },
    note: (line) => void append(`${JSON.stringify(line)}\n`),
    has: (index) => places[index] !== undefined,
    *results() {
      for (const place of places) {
        if (closed) throw new Error("the results can be read only until the run has ended");
        if (place) yield "offset" in place ? read(place) : place;
      }
    },
    close() {
      closed = true;
      closeSync(fd);
    },
  };
}
