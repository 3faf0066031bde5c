import { crypto } from "../core/ids.js";

const DOMAIN = "eval-banana/check-definition-sha256/v1\0";

/**
 * `sha256:<hex>` over a check file and the script it refers to.
 * @param script its bytes; null when there is one that can't be read; undefined when the check names none
 */
export function digestDefinition(definition: Uint8Array, script?: Uint8Array | null): string {
  const hash = crypto().createHash("sha256").update(DOMAIN, "ascii");
  const add = (name: string, content: Uint8Array) =>
    hash.update(u64be(name.length)).update(name, "ascii").update(u64be(content.length)).update(content);
  add("definition.yaml", definition);
  if (script === null) add("referenced-script-unavailable", new Uint8Array());
  else if (script !== undefined) add("referenced-script", script);
  return `sha256:${hash.digest("hex")}`;
}

function u64be(value: number): Uint8Array {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(BigInt(value));
  return bytes;
}
