import { closeSync, openSync, readSync } from "node:fs";

/** A part of a file, in bytes. */
export interface Piece {
  offset: number;
  length: number;
}

const CHUNK = 1 << 20;

/**
 * The lines of a file without their line feeds, one at a time: a file may be larger than any text can be. A last line
 * that is not ended is one, too.
 * @throws the file system's error
 */
export function* linesOf(file: string, onChunk?: (chunk: Buffer) => void): Generator<Buffer> {
  const fd = openSync(file, "r");
  const chunk = Buffer.allocUnsafe(CHUNK);
  try {
    let pending: Buffer[] = [];
    for (let read = readSync(fd, chunk); read > 0; read = readSync(fd, chunk)) {
      // Its own: the next read goes into the same memory.
      const bytes = Buffer.from(chunk.subarray(0, read));
      onChunk?.(bytes);
      let start = 0;
      for (let end = bytes.indexOf(10); end !== -1; end = bytes.indexOf(10, start)) {
        pending.push(bytes.subarray(start, end));
        yield pending.length === 1 ? (pending[0] ?? bytes) : Buffer.concat(pending);
        pending = [];
        start = end + 1;
      }
      if (start < read) pending.push(bytes.subarray(start));
    }
    if (pending.length > 0) yield Buffer.concat(pending);
  } finally {
    closeSync(fd);
  }
}

/** A part of a file, for which `linesOf` may have told the place. @throws the file system's error */
export function readPiece(file: string, { offset, length }: Piece): Buffer {
  const fd = openSync(file, "r");
  try {
    const buffer = Buffer.alloc(length);
    readSync(fd, buffer, 0, length, offset);
    return buffer;
  } finally {
    closeSync(fd);
  }
}
