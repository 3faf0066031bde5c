import { sha256Hex } from "../../core/ids.js";
import type { TargetParts } from "./build-parts.js";

/**
 * `sha256:<hex>` over the target file, the files that it names, and what the configuration says of the agents and
 * models in it: all that can change what comes out, apart from what is imported by a module or installed.
 * @param files names as written, the target file's being empty, and their content or its hash
 */
export function targetDigest(files: readonly (readonly [string, Uint8Array | string])[], target: TargetParts): string {
  const hashes = files.map(([name, content]) => [name, sha256Hex(content)]);
  return `sha256:${sha256Hex(JSON.stringify({ version: 1, files: hashes, configured: configured(target) }))}`;
}

function configured(target: TargetParts): unknown {
  switch (target.type) {
    case "agent":
      return target.agent;
    case "model":
      return target.settings;
    case "team":
      return target.members.map((member) => configured(member));
    default:
      return null;
  }
}
