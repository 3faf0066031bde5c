import { closeSync, openSync, readSync } from "node:fs";
import { dirname, relative, resolve } from "node:path";
import { itemStem } from "../../core/ids.js";
import { shellQuote } from "../../core/text.js";
import template from "../../viewer/page.html";
import type { Block, PageItem, PageRun } from "../../viewer/page-data.js";
import { cutTexts } from "../cut-texts.js";
import type { RunEnd } from "../events.js";
import type { Kind, Page, View } from "../kind.js";
import { isInterrupted } from "../schema.js";
import { documentReporter } from "./document.js";

/** Longer texts are cut: all of them are in the run directory. */
const LONGEST_TEXT = 4_000;
/** In bytes. */
const LONGEST_PATCH = 20_000;

/** When so much is written, details of what passed are left out, and when twice as much is, all details: a browser has to take it in. */
const MOST_DETAILS = 32e6;

export interface HtmlOptions {
  /** The command that runs again, without a selection of items; none is shown where nothing is known of it. */
  again?: string | undefined;
}

/** `report.html`: one file with all that it needs, which a browser opens from the disk. */
export function htmlReporter<K extends Kind>(view: View<K>, options: HtmlOptions = {}) {
  return documentReporter<K>("html", (end, path) => htmlDocument(end, { view, path, ...options }));
}

interface HtmlDocument<K extends Kind> extends HtmlOptions {
  view: View<K>;
  /** Where the page will lie; files of the run are linked from its directory only. */
  path: string;
  /** More than so many characters of details are too many. */
  mostDetails?: number;
}

/** What stands in the page where the data go. */
const DATA = "<!--data-->";

/** The page, a piece at a time: first the items, since what is said of the run is known after them. */
export function* htmlDocument<K extends Kind>(end: RunEnd<K>, options: HtmlDocument<K>): Generator<string> {
  const { view, mostDetails = MOST_DETAILS } = options;
  const { summary } = end;
  const page = view.page(summary);
  const place = { runDir: summary.output_dir, linked: isIn(options.path, summary.output_dir) };
  const at = template.indexOf(DATA);
  yield `${template.slice(0, at)}<script type="application/json" id="data">{"items":[`;
  let [written, interrupted, separator] = [0, 0, "\n"];
  for (const result of end.results()) {
    if (isInterrupted(result)) interrupted++;
    const withoutDetails = written > 2 * mostDetails || (written > mostDetails && result.status === "passed");
    const text = separator + json(pageItem(result, page, { ...options, ...place, withoutDetails }));
    written += text.length;
    separator = ",\n";
    yield text;
  }
  yield `\n],\n"run":${json(pageRun(end, page, { view, interrupted }))}}</script>${template.slice(at + DATA.length)}`;
}

function pageRun<K extends Kind>(
  { summary }: RunEnd<K>,
  { figures }: Page<K>,
  { view, interrupted }: { view: View<K>; interrupted: number },
): PageRun {
  const { passed, tally } = view.run(summary);
  const { run_id, project_root, started_at, duration_ms } = summary;
  return {
    ...figures,
    noun: view.noun,
    plural: view.plural,
    passed,
    tally,
    interrupted,
    columns: view.columns(summary),
    run_id,
    project_root,
    started_at,
    duration_ms,
  };
}

/** Where files are found, and whether the page lies there. */
interface Place {
  runDir: string;
  linked: boolean;
}

function pageItem<K extends Kind>(
  result: K["result"],
  page: Page<K>,
  { view, again, withoutDetails, ...place }: HtmlDocument<K> & Place & { withoutDetails: boolean },
): PageItem {
  const { id, type, status, duration_ms, description, source, cells } = view.item(result);
  const { blocks, ...detail } = page.detail((view.brief?.(result) ?? result) as K["result"]);
  const own: Block = { kind: "files", files: [[`all of this ${view.noun}`, `${view.plural}/${itemStem(id)}.json`]] };
  return {
    ...detail,
    ...{ id, type, status, duration_ms, description, source, cells },
    ...(again !== undefined && { again: `${again} ${view.againOption} ${shellQuote(id)}` }),
    blocks: withoutDetails ? null : [...(blocks ?? []), own].flatMap((block) => fillBlock(block, place)),
  };
}

function isIn(path: string, directory: string): boolean {
  return path !== "-" && relative(dirname(resolve(path)), directory) === "";
}

/** With what is in files of the run directory; paths in it lead nowhere from elsewhere. */
function fillBlock(block: Block, place: Place): Block[] {
  switch (block.kind) {
    case "run":
      return [{ ...block, blocks: block.blocks.flatMap((inner) => fillBlock(inner, place)) }];
    case "patch":
      return [{ ...block, text: block.path === null ? "" : beginningOf(resolve(place.runDir, block.path)) }];
    case "files":
      return place.linked ? [block] : [];
    default:
      return [block];
  }
}

/** The beginning of a text file; empty where it can't be read. */
function beginningOf(path: string): string {
  try {
    const fd = openSync(path, "r");
    try {
      const buffer = Buffer.alloc(LONGEST_PATCH + 1);
      const length = readSync(fd, buffer);
      const text = buffer.toString("utf8", 0, length);
      return length > LONGEST_PATCH ? `${text.slice(0, text.lastIndexOf("\n"))}\n…` : text;
    } finally {
      closeSync(fd);
    }
  } catch {
    return "";
  }
}

/** It has an end of its own. */
function isPatch(value: object): boolean {
  return "kind" in value && value.kind === "patch";
}

/**
 * JSON with long texts cut that ends no element of a page, holds no character that turns text around or moves a cursor, and nothing that
 * GitHub's runner takes for a command where the page is printed to a log.
 */
function json(value: unknown): string {
  const whole = JSON.stringify(value);
  // Most items are shorter than the longest text.
  const text = whole.length <= LONGEST_TEXT ? whole : JSON.stringify(cutTexts(value, LONGEST_TEXT, isPatch));
  return text
    .replaceAll(
      /[<\u007f-\u009f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff\uffff]/g,
      (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
    )
    .replaceAll("##[", "\\u0023#[");
}
