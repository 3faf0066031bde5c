import { h } from "./elements.js";
import { showHeader, showTimeline } from "./header.js";
import { showList } from "./list.js";
import type { PageData } from "./page-data.js";

const { run, items }: PageData = JSON.parse(document.getElementById("data")?.textContent ?? "");
const list = showList({ run, items });
const timeline = showTimeline(items, list.reveal);
const header = showHeader(run);
if (timeline) header.append(timeline);
document.title = `${run.passed ? "✓" : "✗"} ${run.title}`;
document.querySelector("main")?.append(header, h("h2", {}, run.plural), ...list.elements);

// `report.html#id` opens that item.
const wanted = items.find(({ id }) => `#${encodeURIComponent(id)}` === location.hash);
if (wanted) list.reveal(wanted);
