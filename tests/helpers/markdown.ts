import { marked } from "marked";
import { expect } from "vitest";

/** Markdown as a browser would get it, and the tags in it. */
export function renderMarkdown(markdown: string): { html: string; tags: Map<string, number>; rows: string[][] } {
  const html = marked.parse(markdown, { async: false, gfm: true });
  const tags = new Map<string, number>();
  for (const [, name = ""] of html.matchAll(/<([a-z!?][a-z0-9]*)/gi)) {
    tags.set(name.toLowerCase(), (tags.get(name.toLowerCase()) ?? 0) + 1);
  }
  const rows = [...html.matchAll(/<tr>(.*?)<\/tr>/gs)].map(([, row = ""]) =>
    [...row.matchAll(/<t[hd]>(.*?)<\/t[hd]>/gs)].map(([, cell = ""]) => unescapeHtml(cell)),
  );
  return { html, tags, rows };
}

/** The text of a piece of HTML without tags. */
export function unescapeHtml(html: string): string {
  return html
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&#8203;", "\u200b")
    .replaceAll("&amp;", "&");
}

/** Only the elements that `report.md` itself makes; links are to the web, as written. */
export function expectOnlyReportElements({ html, tags }: ReturnType<typeof renderMarkdown>): void {
  const known = "h1 h2 h3 ul li p code pre table thead tbody tr th td details summary a".split(" ");
  expect([...tags.keys()].filter((name) => !known.includes(name))).toEqual([]);
  for (const [, href] of html.matchAll(/<a href="([^"]*)"/g)) expect(href).toMatch(/^https?:/);
  expect(html).not.toMatch(/<[^>]*\son\w+=/);
}
