import { isUtf8 } from "node:buffer";

/** Bytes as a text without its byte order mark; undefined where they are no UTF-8. Less to load than `TextDecoder`. */
export function decodeUtf8(bytes: Uint8Array): string | undefined {
  const { buffer, byteOffset, length } = bytes;
  return isUtf8(bytes)
    ? Buffer.from(buffer, byteOffset, length)
        .toString()
        .replace(/^\ufeff/, "")
    : undefined;
}
