import { join } from "node:path";
import { writeFileAtomic } from "../../core/atomic.js";
import { itemStem } from "../../core/ids.js";
import type { Reporter } from "../events.js";

/** `checks/<stem>.json`: each result as soon as it is there. */
export function filesReporter(runDir: string): Reporter {
  return {
    name: "files",
    on(event) {
      if (event.type !== "item.end") return;
      const path = join(runDir, "checks", `${itemStem(event.result.check_id)}.json`);
      writeFileAtomic(path, `${JSON.stringify(event.result, null, 2)}\n`);
    },
  };
}
