import { isMap, isNode, isPair, isScalar, LineCounter, type Node, parseDocument } from "yaml";
import type { Problem } from "./errors.js";

/** Larger files are refused: a check is a page of text, not a data set. */
const MAX_BYTES = 16 * 1024 * 1024;

export interface ParsedYaml {
  value: unknown;
  /** What makes the text no YAML; empty when `value` can be used. */
  problems: Problem[];
  /** Line and column of the value, or of the key, at `path`; of the nearest thing around it where it is missing. */
  locate: (path: readonly PropertyKey[], part?: "key" | "value") => { line: number; column: number };
}

/** Parses one YAML 1.2 document (UTF-8, or UTF-16 with a byte order mark). Never throws. */
export function parseYaml(bytes: Uint8Array): ParsedYaml {
  const nowhere = () => ({ line: 1, column: 1 });
  if (bytes.length > MAX_BYTES) {
    return { value: undefined, locate: nowhere, problems: [{ message: "is larger than 16 MiB" }] };
  }
  const text = decode(bytes);
  if (text === undefined) {
    return { value: undefined, locate: nowhere, problems: [{ message: "is not valid UTF-8" }] };
  }
  const lines = new LineCounter();
  const at = (offset: number) => {
    const { line, col } = lines.linePos(offset);
    return { line: Math.max(1, line), column: Math.max(1, col) };
  };
  try {
    const doc = parseDocument(text, { lineCounter: lines, prettyErrors: false, stringKeys: true });
    const faults = [...doc.errors, ...doc.warnings];
    const problems = faults.map((fault) => ({ ...at(fault.pos[0]), message: words(fault.code, fault.message) }));
    if (problems.length > 0) return { value: undefined, locate: nowhere, problems };
    return { value: doc.toJS(), problems, locate: (path, part) => at(offsetOf(doc.contents, path, part)) };
  } catch (error) {
    // Aliases without bound or without an anchor, and nesting deeper than the stack.
    const message = error instanceof RangeError ? "is nested too deeply" : (error as Error).message;
    return {
      value: undefined,
      locate: nowhere,
      problems: [{ line: 1, column: 1, message: `not valid YAML: ${message}` }],
    };
  }
}

function words(code: string, message: string): string {
  if (code === "MULTIPLE_DOCS") return "holds several YAML documents; one file is one document";
  if (code === "DUPLICATE_KEY") return "the same key stands twice in one mapping";
  return `not valid YAML: ${message.replace(/\.$/, "")}`;
}

function decode(bytes: Uint8Array): string | undefined {
  const encoding =
    bytes[0] === 0xff && bytes[1] === 0xfe ? "utf-16le" : bytes[0] === 0xfe && bytes[1] === 0xff ? "utf-16be" : "utf-8";
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function offsetOf(root: Node | null, path: readonly PropertyKey[], part: "key" | "value" = "value"): number {
  let node: unknown = root;
  let offset = root?.range?.[0] ?? 0;
  for (const [index, key] of path.entries()) {
    const pair = isMap(node)
      ? node.items.find((item) => isPair(item) && isScalar(item.key) && item.key.value === key)
      : undefined;
    const child = pair ? pair.value : isNode(node) && "get" in node ? node.get(key, true) : undefined;
    const last = index === path.length - 1;
    const target = pair && last && part === "key" ? pair.key : child;
    if (isNode(target) && target.range) offset = target.range[0];
    else if (pair && isNode(pair.key) && pair.key.range) offset = pair.key.range[0];
    else break;
    node = child;
  }
  return offset;
}
