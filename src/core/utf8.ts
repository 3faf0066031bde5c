import { isUtf8 } from "node:buffer";

/**
 * Bytes as a text without its byte order mark; undefined where they are no UTF-8, or too many for a text. Less to load
 * than `TextDecoder`.
 */
export function decodeUtf8(bytes: Uint8Array): string | undefined {
  if (!isUtf8(bytes)) return undefined;
  try {
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
      .toString()
      .replace(/^\ufeff/, "");
  } catch {
    return undefined;
  }
}
