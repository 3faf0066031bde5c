import { writeFileAtomic } from "../../core/atomic.js";
import type { Reporter } from "../events.js";
import type { Suites } from "../kind.js";

/** `PATH.status.json`: how far a suite has come, replaced as a whole at every start and end of a case. */
export function statusFileReporter(path: string, suite: string): Reporter<Suites> {
  const running = new Set<string>();
  let startedAt = "";
  let [total, passed, failed, interrupted] = [0, 0, 0, 0];
  const write = (state: "running" | "completed" | "interrupted") => {
    const status = {
      suite,
      total,
      completed: passed + failed,
      passed,
      failed,
      current_case: [...running].at(-1) ?? null,
      state,
      started_at: startedAt,
      updated_at: new Date().toISOString(),
      running_cases: [...running],
    };
    writeFileAtomic(path, `${JSON.stringify(status, null, 2)}\n`);
  };
  return {
    name: "status file",
    on(event) {
      switch (event.type) {
        case "run.start":
          ({ total, started_at: startedAt } = event);
          return write("running");
        case "item.start":
          running.add(event.id);
          return write("running");
        case "item.end":
          running.delete(event.result.case_id);
          if (event.result.runs < event.result.runs_wanted) interrupted++;
          else if (event.result.passed) passed++;
          else failed++;
          return write("running");
        case "run.end":
          running.clear();
          return write(interrupted > 0 ? "interrupted" : "completed");
        default:
          return;
      }
    },
  };
}
