import { describe, expect, it } from "vitest";
import { check, type Finished, type Project, project } from "../helpers/project.js";

const tagged = (id: string, ...tags: string[]) => check(id, "pass", `tags: [${tags.join(", ")}]\n`);

/** Three good checks, and one file that is broken beyond its id. */
function suite(): Project {
  return project({
    "eval_checks/a.yaml": tagged("alpha", "fast", "ui"),
    "eval_checks/b.yaml": tagged("beta", "slow"),
    "eval_checks/c.yaml": check("gamma", "pass"),
    "eval_checks/sub/d.yaml": tagged("delta", "fast"),
  });
}

const broken = {
  "eval_checks/broken.yaml": "id: [\n",
  "eval_checks/typo.yaml": "schema_version: 1\nid: typo\nscrpt: x\n",
};

function idsOf({ stdout }: Finished): string[] {
  return JSON.parse(stdout).checks.map(({ check_id }: { check_id: string }) => check_id);
}

describe("checks are selected", () => {
  it.each<[string, string[], string[]]>([
    ["all", [], ["alpha", "beta", "gamma", "delta"]],
    ["by id", ["--check-id", "beta"], ["beta"]],
    ["by tag", ["--tag", "fast"], ["alpha", "delta"]],
    ["by any of several tags", ["--tag", "slow", "--tag", "ui"], ["alpha", "beta"]],
    ["by tag, of which some are not there", ["--tag", "slow", "--tag", "nope"], ["beta"]],
    ["by directory", ["--check-dir", "eval_checks/sub"], ["delta"]],
    ["by all of these together", ["--check-dir", "eval_checks", "--check-id", "alpha", "--tag", "fast"], ["alpha"]],
  ])("%s", async (_, args, expected) => {
    const result = await suite().eb(["list", "--json", ...args]);
    expect(result).toMatchObject({ code: 0, stderr: "" });
    expect(idsOf(result)).toEqual(expected);
  });

  it("in the same way by run, list and validate", async () => {
    const p = suite().write({ ".eval-banana/config.toml": "bad = =" });
    const args = ["--json", "--no-project-config", "--check-dir", "eval_checks", "--tag", "fast", "--cwd", p.root];
    const [run, list, validate] = await Promise.all(
      ["run", "list", "validate"].map((command) => p.eb([command, ...args, "--verbose"])),
    );
    for (const result of [run, list, validate]) {
      expect(result?.code).toBe(0);
      expect(result?.stderr).toContain(`debug: project root: ${p.root}\ndebug: configuration file: none\n`);
      expect(result?.stderr).toContain("debug: check files: 4, selected checks: 2, problems: 0\n");
    }
    expect(idsOf(run as Finished)).toEqual(["alpha", "delta"]);
    expect(idsOf(list as Finished)).toEqual(["alpha", "delta"]);
    expect(JSON.parse(validate?.stdout ?? "")).toEqual({ valid: true, checks: 2, errors: [] });
    expect(run?.stderr).toMatch(/^debug: started alpha$/m);
    expect(run?.stderr).toMatch(/^debug: ended alpha: passed, \d+ ms; \{"exit_code":0,/m);
  });
});

describe("--check-id", () => {
  it("runs one check while other files are broken, and says so", async () => {
    const p = suite().write(broken);
    const { code, stdout, stderr } = await p.eb(["run", "--check-id", "alpha"]);
    expect(code).toBe(0);
    expect(stdout).toContain("PASSED  1 of 1 point");
    expect(stderr).toBe("warning: left aside: 2 check files that cannot be used\n");
    expect(p.report().checks.map(({ check_id }) => check_id)).toEqual(["alpha"]);
  });

  it("does not excuse the file that it names", async () => {
    const { code, stdout, stderr } = await suite().write(broken).eb(["run", "--check-id", "typo"]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain("eval_checks/typo.yaml:3:1: scrpt: unknown field (did you mean 'script'?)");
    expect(stderr).not.toContain("broken.yaml:");
  });

  it("that is found twice is an error, elsewhere the same fault is not", async () => {
    const p = suite().write({ "more/eval_checks/e.yaml": check("alpha", "pass") });
    const { code, stdout, stderr } = await p.eb(["run", "--check-id", "alpha"]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain(
      `more/eval_checks/e.yaml:2:5: id: 'alpha' is the id of another check too: ${p.path("eval_checks/a.yaml")}\n`,
    );
    expect((await p.eb(["run", "--check-id", "beta"])).code).toBe(0);
    // Not selected by its tag, and still an error: which one was meant is not known.
    expect((await p.eb(["run", "--tag", "slow"])).code).toBe(2);
  });

  it("that nothing has is an error that suggests one; with broken files, one that shows these", async () => {
    const p = suite();
    const none = await p.eb(["run", "--check-id", "alpa"]);
    expect(none).toMatchObject({ code: 2, stdout: "" });
    expect(none.stderr).toContain(
      "error: no checks found: none of the 4 check files has the id 'alpa' (did you mean 'alpha'?)\n",
    );
    const maybe = await p.write(broken).eb(["run", "--check-id", "alpa"]);
    expect(maybe).toMatchObject({ code: 2, stdout: "" });
    expect(maybe.stderr).toContain(
      "error: no valid check has the id 'alpa' (did you mean 'alpha'?), and some are not valid\n",
    );
    expect(maybe.stderr).toMatch(/eval_checks\/broken\.yaml:\d+:\d+: /);
    expect(p.runDirs()).toEqual([]);
  });
});

describe("--tag", () => {
  it.each(["run", "list", "validate"])("that nothing has is an error, not a pass: eb %s", async (command) => {
    const { code, stdout, stderr } = await suite().eb([command, "--tag", "nope", "--tag", "fast,ui"]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toBe(
      "error: no checks found: none of the 4 check files has the tag 'nope' or 'fast,ui'\nhint: eb list prints the checks there are\n",
    );
  });

  it("does not hide that another file is broken", async () => {
    const p = suite().write(broken);
    expect((await p.eb(["run", "--tag", "fast"])).code).toBe(2);
    expect(p.runDirs()).toEqual([]);
  });
});

describe("an option", () => {
  it.each(["--check-dir", "--check-id", "--tag", "--cwd", "--output-dir", "--pass-threshold"])(
    "%s that is blank is an error, as a variable that is not set would make it",
    async (option) => {
      const p = suite();
      const { code, stdout, stderr } = await p.eb(["run", option, ""]);
      expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
      expect(stderr).toContain(option);
      expect(stderr).toContain("blank");
      expect(p.runDirs()).toEqual([]);
    },
  );

  it.each(["--check-dir", "--check-id", "--cwd"])("%s that is given twice is an error", async (option) => {
    const { code, stderr } = await suite().eb(["list", option, "one", option, "two"]);
    expect(code).toBe(2);
    expect(stderr).toContain(`'${option} `);
    expect(stderr).toContain("It was given 'one' before, and takes one value.");
  });
});
