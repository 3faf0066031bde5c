import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { RunReport } from "../../src/report/schema.js";
import { check, fileCheck, type Project, project } from "../helpers/project.js";

// One that hangs is to be named.
const LIMIT = "timeout_seconds: 60\n";
const CORPUS = "tests/fixtures/launcher-corpus";
const scripts = readdirSync(CORPUS).filter((name) => name.endsWith(".py"));

/** Runs all checks with a launcher; returns what can be seen of each, without what differs between any two starts. */
async function runAll(p: Project, launcher: string) {
  p.write({
    ".eval-banana/config.toml": `[core]\noutput_dir = "out-${launcher}"\n[deterministic]\nlauncher = "${launcher}"\n`,
  });
  const { stderr } = await p.eb(["run"], { env: { PYTHONDONTWRITEBYTECODE: "1", TZ: "Europe/Berlin" } });
  const [runId = ""] = readdirSync(p.path(`out-${launcher}`));
  const runDir = p.path(`out-${launcher}`, runId);
  const report: RunReport = JSON.parse(readFileSync(join(runDir, "report.json"), "utf8"));
  const seen = report.checks.map((result) => {
    const { check_id, status, exit_code, error_detail, reason, details } = result;
    const [stdout, stderr] = [details["stdout_path"], details["stderr_path"]].map((path) =>
      typeof path === "string" ? masked(readFileSync(join(runDir, path), "latin1")) : null,
    );
    const printed = check_id.startsWith("lib-finalizers") ? stdout?.split("\n").sort() : stdout;
    return [check_id, { status, exit_code, error_detail, reason: masked(reason ?? ""), printed, stderr }] as const;
  });
  return { stderr, launchers: report.checks.map(({ details }) => details["launcher"]), seen: Object.fromEntries(seen) };
}

function masked(text: string): string {
  return (
    text
      .replaceAll(/\/[^\s'":]*\/eval-banana-\w{6}(\/\d+)?/g, "SCRATCH")
      .replaceAll(/\d{8}_\d{6}_[0-9a-f]{8}/g, "RUN")
      .replaceAll(/out-(fork|spawn)/g, "OUT")
      .replaceAll(/0x[0-9a-f]{6,}/g, "0x…")
      // One more frame is below an inline script that is forked, as it always is below one of a file.
      .replaceAll(/repeated \d+ more times/g, "repeated … more times")
      .replaceAll(/object refcount : \d/g, "object refcount : …")
  );
}

it("a script that is forked prints and ends as one whose Python was started for it", async () => {
  const p = project({ "eval_checks/scripts/sibling.py": "X = 5\n" });
  for (const file of scripts) {
    const name = file.slice(0, -3);
    const text = readFileSync(join(CORPUS, file), "utf8");
    // JSON is YAML, and keeps every character.
    const inline = `${check(`${name}-inline`, "#", LIMIT).split("script:")[0]}script: ${JSON.stringify(text)}\n`;
    p.write({
      [`eval_checks/${name}-inline.yaml`]: inline,
      [`eval_checks/${name}-file.yaml`]: fileCheck(`${name}-file`, `scripts/${file}`, LIMIT),
      [`eval_checks/scripts/${file}`]: text,
    });
  }
  const spawned = await runAll(p, "spawn");
  const forked = await runAll(p, "fork");
  expect(new Set(spawned.launchers)).toEqual(new Set(["spawn"]));
  expect(new Set(forked.launchers)).toEqual(new Set(["fork"]));
  expect(forked.stderr).toBe(spawned.stderr);
  expect(scripts.length).toBeGreaterThan(100);
  for (const [id, seen] of Object.entries(spawned.seen)) expect.soft(forked.seen[id], id).toEqual(seen);
}, 180_000);
