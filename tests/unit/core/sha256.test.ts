import { createHash } from "node:crypto";
import { expect, it } from "vitest";
import { sha256Hex } from "../../../src/core/ids.js";
import { sha256 } from "../../../src/core/sha256.js";

const hashed = (data: Uint8Array | string) => createHash("sha256").update(data).digest("hex");

it("is SHA-256, for data of every length", () => {
  const data = Buffer.from(Array.from({ length: 300 }, (_, i) => (i * 7) % 256));
  for (let length = 0; length <= data.length; length++) {
    const part = data.subarray(0, length);
    expect(sha256(part)).toBe(hashed(part));
  }
});

it("is the same however much is hashed, and for text in UTF-8", () => {
  for (const text of ["", "ü \u{1f34c}", "x".repeat(30_000), "x".repeat(30_000), "ü"]) {
    expect(sha256Hex(text)).toBe(hashed(text));
  }
});
