import { sha256 as digest } from "@noble/hashes/sha2.js";

/**
 * SHA-256 in hexadecimal, for what is small: `node:crypto` takes a sixth of what Node itself takes to start, and a
 * short run needs it for nothing else.
 */
export function sha256(data: Uint8Array): string {
  return Buffer.from(digest(data)).toString("hex");
}
