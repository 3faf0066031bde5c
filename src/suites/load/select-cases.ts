import { UserError } from "../../core/errors.js";
import { sha256Hex } from "../../core/ids.js";
import { didYouMean } from "../../core/suggest.js";
import { count, oneOf, shellQuote, shortPath } from "../../core/text.js";
import type { TestCase } from "../test-case.js";

/** What must hold for a case to be selected: all that is given. An empty list is given, too: nothing has one of it. */
export interface CaseSelection {
  /** A part of its id, or of one of its tags, whatever the case. */
  filter?: string | undefined;
  /** It has any of these. */
  tags?: readonly string[] | undefined;
  /** It has one of these ids. */
  ids?: readonly string[] | undefined;
  /** It is one of this many, drawn from those for which the rest holds. */
  sample?: number | undefined;
  /** Another seed draws others. */
  seed?: string | undefined;
}

type Selectable = Pick<TestCase, "id" | "tags">;

/**
 * The selected cases, in the order of the suite; `suitePath` is for what is told.
 * @throws UserError (`usage`) for an id that no case has, (`no_cases`) when nothing is left
 */
export function selectCases<C extends Selectable>(
  cases: readonly C[],
  selection: CaseSelection,
  suitePath?: string,
): C[] {
  const { filter, tags, ids, sample, seed = "" } = selection;
  const unknown = ids?.find((id) => !cases.some((one) => one.id === id));
  if (unknown !== undefined) {
    const known = cases.map(({ id }) => id);
    throw new UserError(`no case has the id '${unknown}'${didYouMean(unknown, known)}`, {
      code: "usage",
      hint: `eb suite list${suitePath ? ` ${shellQuote(shortPath(suitePath))}` : ""} prints the cases there are`,
    });
  }
  const part = filter?.toLowerCase();
  const selected = cases.filter(
    ({ id, tags: own }) =>
      (part === undefined || [id, ...own].some((name) => name.toLowerCase().includes(part))) &&
      (tags === undefined || tags.some((tag) => own.includes(tag))) &&
      (ids === undefined || ids.includes(id)),
  );
  if (selected.length === 0) throw nothingSelected(cases.length, selection);
  return sample === undefined ? selected : drawn(selected, sample, seed);
}

/**
 * `size` of the cases, the same ones wherever they stand in the file. A case that is added or removed changes the draw
 * by one at most: each is drawn for the hash of its own id.
 */
function drawn<C extends Selectable>(cases: readonly C[], size: number, seed: string): C[] {
  const ranked = cases.map((one) => ({ one, rank: sha256Hex(`${seed}\0${one.id}`) }));
  const chosen = new Set(
    ranked
      .sort((a, b) => (a.rank < b.rank ? -1 : 1))
      .slice(0, size)
      .map(({ one }) => one),
  );
  return cases.filter((one) => chosen.has(one));
}

function nothingSelected(total: number, { filter, tags, ids }: CaseSelection): UserError {
  const filters = [
    ...(filter === undefined ? [] : [`holds '${filter}' in its id or a tag`]),
    ...(tags === undefined ? [] : [`has ${oneOf("tag", tags)}`]),
    ...(ids === undefined ? [] : [`has ${oneOf("id", ids)}`]),
  ];
  return new UserError(`no cases selected: none of the ${count(total, "case")} ${filters.join(" and ")}`, {
    code: "no_cases",
    hint: "eb suite list prints the cases there are",
  });
}
