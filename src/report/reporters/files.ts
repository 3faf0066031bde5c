import { join } from "node:path";
import { writeFileAtomic } from "../../core/atomic.js";
import { itemStem } from "../../core/ids.js";
import type { Reporter } from "../events.js";
import type { Kind, View } from "../kind.js";

/** `checks/<stem>.json`, `cases/<stem>.json`: each result as soon as it is there. */
export function filesReporter<K extends Kind>(runDir: string, view: View<K>): Reporter<K> {
  return {
    name: "files",
    on(event) {
      if (event.type !== "item.end") return;
      const path = join(runDir, view.plural, `${itemStem(view.item(event.result).id)}.json`);
      writeFileAtomic(path, `${JSON.stringify(event.result, null, 2)}\n`);
    },
  };
}
