import { closeSync, fstatSync, openSync, readSync } from "node:fs";

export interface Tail {
  /** The last characters; bytes that are not UTF-8 are U+FFFD. */
  text: string;
  /** Whether there is more before them. */
  cut: boolean;
  /** Size of the file. */
  bytes: number;
}

/** The last `max` characters (code points) of a file, however long it is. */
export function readTail(path: string, max: number): Tail {
  const fd = openSync(path, "r");
  try {
    const bytes = fstatSync(fd).size;
    // A character takes at most 4 bytes; a few more, to begin at the start of one.
    const length = Math.min(bytes, max * 4 + 4);
    const buffer = Buffer.alloc(length);
    const read = length === 0 ? 0 : readSync(fd, buffer, 0, length, bytes - length);
    let start = 0;
    if (length < bytes) while (start < 4 && ((buffer[start] ?? 0) & 0xc0) === 0x80) start++;
    const text = buffer.toString("utf8", start, read);
    if (text.length <= max) return { text, cut: length < bytes, bytes };
    const characters = Array.from(text);
    return { text: characters.slice(-max).join(""), cut: length < bytes || characters.length > max, bytes };
  } finally {
    closeSync(fd);
  }
}
