import {
  Composer,
  type Document,
  isMap,
  isNode,
  isPair,
  isScalar,
  Lexer,
  LineCounter,
  type Node,
  type ParsedNode,
  Parser,
  visit,
  YAMLParseError,
} from "yaml";
import type { Problem } from "./errors.js";
import { decodeUtf8 } from "./utf8.js";

// A check is a page of text, not a data set. The parser takes quadratic time for what is larger or more intricate
// than this, and its recursion ends the process, beyond any catch, where nesting is deep enough.
const MAX_BYTES = 16 * 1024 * 1024;
const MAX_TOKENS = 100_000;
const MAX_DEPTH = 100;

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
  const failed = (problems: Problem[]): ParsedYaml => ({ value: undefined, locate: nowhere, problems });
  let doc: Parsed;
  try {
    doc = compose(text, lines);
  } catch (error) {
    const { offset, message } = error as Partial<TooMuch> & Error;
    return failed([{ ...at(offset ?? 0), message }]);
  }
  const faults = [...doc.errors, ...doc.warnings];
  if (faults.length > 0) {
    return failed(faults.map((fault) => ({ ...at(fault.pos[0]), message: words(fault.code, fault.message) })));
  }
  try {
    return { value: doc.toJS(), problems: [], locate: (path, part) => at(offsetOf(doc.contents, path, part)) };
  } catch (error) {
    // An alias without an anchor, or aliases that expand to too much.
    const { message } = error as Error;
    return failed([{ ...at(aliasOffset(doc, message)), message: `not valid YAML: ${message}` }]);
  }
}

type Parsed = Document.Parsed<ParsedNode>;
type TooMuch = Error & { offset: number };

/** What `parseDocument` does, within limits; in YAML 1.2 whatever the file's `%YAML` says. @throws TooMuch */
function compose(text: string, lines: LineCounter): Parsed {
  const composer = new Composer({ prettyErrors: false, stringKeys: true, schema: "core" });
  const [doc, second] = composer.compose(tokens(text, lines), true, text.length) as Iterable<Parsed>;
  if (!doc) throw new Error("the YAML parser made no document");
  if (second) doc.errors.push(new YAMLParseError([second.range[0], second.range[1]], "MULTIPLE_DOCS", ""));
  return doc;
}

function* tokens(text: string, lines: LineCounter) {
  const parser = new Parser(lines.addNewLine);
  const tooMuch = (message: string) => Object.assign(new Error(message), { offset: parser.offset });
  let count = 0;
  lines.addNewLine(0);
  for (const lexeme of new Lexer().lex(text)) {
    count += 1;
    if (count > MAX_TOKENS)
      throw tooMuch(`is too large: it goes on after ${MAX_TOKENS.toLocaleString("en")} YAML tokens`);
    yield* parser.next(lexeme);
    if (parser.stack.length > MAX_DEPTH) throw tooMuch(`is nested too deeply: more than ${MAX_DEPTH} levels`);
  }
  yield* parser.end();
}

/** Where the alias stands that a message of the parser ends with. */
function aliasOffset(doc: Parsed, message: string): number {
  let offset = doc.range[0];
  visit(doc, {
    Alias: (_, alias) => {
      if (!message.endsWith(`: ${alias.source}`)) return undefined;
      offset = alias.range?.[0] ?? offset;
      return visit.BREAK;
    },
  });
  return offset;
}

function words(code: string, message: string): string {
  if (code === "MULTIPLE_DOCS") return "holds several YAML documents; one file is one document";
  if (code === "DUPLICATE_KEY") return "the same key stands twice in one mapping";
  return `not valid YAML: ${message.replace(/\.$/, "")}`;
}

function decode(bytes: Uint8Array): string | undefined {
  const [first, second] = bytes;
  const encoding = first === 0xff && second === 0xfe ? "utf-16le" : first === 0xfe && second === 0xff ? "utf-16be" : "";
  try {
    if (encoding) return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
  return decodeUtf8(bytes);
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
