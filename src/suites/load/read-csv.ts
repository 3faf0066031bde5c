import { type CsvError, parse } from "csv-parse/sync";
import type { Problem } from "../../core/errors.js";
import { didYouMean } from "../../core/suggest.js";
import { count } from "../../core/text.js";
import { caseSchema } from "../format/schema.js";
import { formsOf, plainSchema, type SchemaNode, schemaAt } from "../format/schema-at.js";
import type { UncheckedCases } from "../format/written-case.js";
import { typedCell } from "./csv-cell.js";

interface Row {
  cells: string[];
  line: number;
}

interface Column {
  path: string[];
  schema: SchemaNode;
}

/**
 * The cases in a CSV text (RFC 4180; any line ends): columns are named like fields (`id`, `checks.must_contain`), an
 * empty cell is a field that is not given.
 */
export function readCsv(text: string, file: string): UncheckedCases {
  const { rows, problems } = readRows(text);
  const [header, ...body] = rows;
  if (header === undefined) return { cases: [], problems: withFile(problems, file) };
  const { columns, problems: unknown } = readHeader(header);
  problems.push(...unknown);
  if (unknown.length > 0) return { cases: [], problems: withFile(problems, file) };

  const cases = body.flatMap(({ cells, line }) => {
    if (cells.length > columns.length)
      problems.push({ line, message: `has ${count(cells.length, "cell")}, and the header ${columns.length}` });
    return [{ value: caseOf(cells, columns), file, locate: () => ({ line }) }];
  });
  return { cases, problems: withFile(problems, file) };
}

function withFile(problems: readonly Problem[], file: string): Problem[] {
  return problems.map((problem) => ({ ...problem, file }));
}

function readRows(text: string): { rows: Row[]; problems: Problem[] } {
  const bytes = Buffer.from(text);
  const rows: Row[] = [];
  // The parser's own line numbers count a CRLF inside quotes twice; where a row ends, it knows.
  let line = 1;
  let end = 0;
  const advance = (to: number) => {
    for (; end < to; end++) if (bytes[end] === 0x0a || (bytes[end] === 0x0d && bytes[end + 1] !== 0x0a)) line += 1;
  };
  try {
    const records = parse(bytes, {
      info: true,
      relax_column_count: true,
      record_delimiter: ["\r\n", "\n", "\r"],
    }) as unknown as { record: string[]; info: { bytes: number } }[];
    for (const { record, info } of records) {
      if (record.some((cell) => cell.trim() !== "")) rows.push({ cells: record, line });
      advance(info.bytes);
    }
    return { rows, problems: [] };
  } catch (error) {
    const { message, bytes: offset } = error as CsvError & { bytes?: number };
    advance(offset ?? 0);
    return { rows: [], problems: [{ line, message: `not valid CSV: ${message.replace(/ at line \d+/, "")}` }] };
  }
}

function readHeader({ cells, line }: Row): { columns: Column[]; problems: Problem[] } {
  const schema = plainSchema(caseSchema);
  const known = fieldNames(schema);
  const columns: Column[] = [];
  const problems: Problem[] = [];
  for (const [index, cell] of cells.entries()) {
    const name = cell.trim();
    const path = name.split(".");
    const part = schemaAt(schema, path);
    if (cells.findIndex((other) => other.trim() === name) < index)
      problems.push({ line, message: `the column '${name}' is there twice` });
    else if (part === undefined)
      problems.push({ line, message: `no field is named like the column '${name}'${didYouMean(name, known)}` });
    else columns.push({ path, schema: part });
  }
  return { columns, problems };
}

/** `id`, `checks.must_contain`, `checks.retrieval.k` … */
function fieldNames(schema: SchemaNode, prefix = ""): string[] {
  return formsOf(schema).flatMap(({ properties = {} }) =>
    Object.entries(properties).flatMap(([name, part]) => [
      `${prefix}${name}`,
      ...fieldNames(part, `${prefix}${name}.`),
    ]),
  );
}

function caseOf(cells: readonly string[], columns: readonly Column[]): Record<string, unknown> {
  const fields: Record<string, unknown> = {};
  for (const [index, { path, schema }] of columns.entries()) {
    const cell = cells[index] ?? "";
    if (cell.trim() === "") continue;
    let around = fields;
    for (const name of path.slice(0, -1)) {
      const inner = { ...(typeof around[name] === "object" ? around[name] : {}) };
      around[name] = inner;
      around = inner as Record<string, unknown>;
    }
    around[path.at(-1) ?? ""] = typedCell(cell, schema);
  }
  return fields;
}
