import { sha256Hex } from "../core/ids.js";

const DOMAIN = "eval-banana/check-definition-sha256/v1\0";

/**
 * `sha256:<hex>` over a check file and the script it refers to.
 * @param script its bytes; null when there is one that can't be read; undefined when the check names none
 */
export function digestDefinition(definition: Uint8Array, script?: Uint8Array | null): string {
  const components: Uint8Array[] = [Buffer.from(DOMAIN, "ascii"), ...component("definition.yaml", definition)];
  if (script === null) components.push(...component("referenced-script-unavailable", new Uint8Array()));
  else if (script !== undefined) components.push(...component("referenced-script", script));
  return `sha256:${sha256Hex(Buffer.concat(components))}`;
}

function component(name: string, content: Uint8Array): Uint8Array[] {
  return [u64be(name.length), Buffer.from(name, "ascii"), u64be(content.length), content];
}

function u64be(value: number): Uint8Array {
  const bytes = Buffer.alloc(8);
  // No file has more bytes than 6 of these 8 can say.
  bytes.writeUIntBE(value, 2, 6);
  return bytes;
}
