import { dollars, duration } from "../core/text.js";
import type { Block, Fact } from "../viewer/page-data.js";
import type { RunFacts } from "./kind.js";

/** More of one list is in the file of the item. */
const MOST_ENTRIES = 200;

/** When an item ran, in milliseconds since the run began; what an earlier run did was before that. */
export function span(
  item: { started_at: string; completed_at: string },
  run: RunFacts,
): { began: number; ended: number } {
  const since = (time: string) => Math.max(0, Date.parse(time) - Date.parse(run.started_at));
  return { began: since(item.started_at), ended: since(item.completed_at) };
}

/** A block of text, or nothing where there is none. */
export function textBlock(title: string, text: string): Block[] {
  return text.trim() === "" ? [] : [{ kind: "text", title, text }];
}

export function factsBlock(facts: readonly (Fact | false)[]): Block[] {
  const known = facts.filter((fact) => fact !== false);
  return known.length === 0 ? [] : [{ kind: "facts", facts: known }];
}

/** What a record says, one fact for each field that has a value; `skip`: fields that are shown elsewhere. */
export function detailFacts(details: object | undefined, skip: readonly string[] = []): Fact[] {
  return Object.entries(details ?? {}).flatMap(([name, value]) =>
    value === null || skip.includes(name) ? [] : [[words(name), shownAs(name, value)] as const],
  );
}

/** The first ones, and how many more there are. */
export function firstOf<T>(entries: readonly T[], more: (left: number) => T): T[] {
  if (entries.length <= MOST_ENTRIES) return [...entries];
  return [...entries.slice(0, MOST_ENTRIES), more(entries.length - MOST_ENTRIES)];
}

/** Data as it is read: text as it is, all else as JSON. */
export function asText(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value, null, 2) ?? "");
}

function shownAs(name: string, value: unknown): string {
  if (typeof value === "number" && name.endsWith("_usd")) return dollars(value);
  if (typeof value === "number" && name.endsWith("_ms")) return duration(value);
  if (typeof value !== "object" || value === null) return String(value);
  const entries = Object.entries(value);
  const flat = entries.every(([, entry]) => typeof entry !== "object" || entry === null);
  if (!flat) return asText(value);
  return Array.isArray(value) ? value.join(", ") : entries.map(([key, entry]) => `${words(key)} ${entry}`).join(", ");
}

function words(name: string): string {
  return name.replace(/_(usd|ms)$/, "").replaceAll("_", " ");
}
