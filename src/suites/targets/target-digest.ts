import { sha256Hex } from "../../core/ids.js";

/**
 * `sha256:<hex>` over the target file, the files that it names, and what the configuration says of the agents and
 * models in it: all that can change what comes out, apart from what is imported by a module or installed.
 * @param files names as written, the target file's being empty, and their content or its hash
 * @param configured what the configuration says of them
 */
export function targetDigest(files: readonly (readonly [string, Uint8Array | string])[], configured: unknown): string {
  const hashes = files.map(([name, content]) => [name, sha256Hex(content)]);
  return `sha256:${sha256Hex(JSON.stringify({ version: 1, files: hashes, configured }))}`;
}
