import { sha256 } from "./sha256.js";

/** Loaded when it is first used. */
export const crypto = () => process.getBuiltinModule("node:crypto");
/** After so many bytes what is made for it is faster, also where it has to be loaded first. */
let few = 1 << 15;

/** Matches what {@link createRunId} makes. */
export const RUN_ID = /^\d{8}_\d{6}_[0-9a-f]{8}$/;

/** `YYYYMMDD_HHMMSS_<8 hex>`, in UTC. */
export function createRunId(now = new Date()): string {
  const stamp = now.toISOString().replaceAll(/[-:]/g, "").replace("T", "_").slice(0, 15);
  // Not a secret: Node's source of randomness takes longer to start than the rest of a short run.
  const suffix = Math.floor(Math.random() * 2 ** 32).toString(16);
  return `${stamp}_${suffix.padStart(8, "0")}`;
}

export function sha256Hex(data: string | Uint8Array): string {
  const bytes = typeof data === "string" ? Buffer.from(data) : data;
  few -= bytes.length;
  return few > 0 ? sha256(bytes) : crypto().createHash("sha256").update(bytes).digest("hex");
}

/**
 * The name that the files of an item carry: a readable label, `-`, and the SHA-256 of the exact id.
 * At most 105 characters, and different for different ids on a case-insensitive file system too.
 */
export function itemStem(id: string): string {
  const label = id
    .replaceAll(/[^A-Za-z0-9._-]+/g, "_")
    .replaceAll(/^[._]+|[._]+$/g, "")
    .slice(0, 40);
  return `${label || "check"}-${sha256Hex(id)}`;
}
