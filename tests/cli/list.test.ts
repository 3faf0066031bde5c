import { execa } from "execa";
import { describe, expect, it } from "vitest";
import { check, cleanEnv, EB, oneCheck, PYTHON, project } from "../helpers/project.js";

describe("eb list", () => {
  it("prints id, type, description and path, separated by tabs, a line each, and runs nothing", async () => {
    const p = project({
      "eval_checks/a.yaml": check("a", "open('ran', 'w')").replace(
        /description: .*/,
        'description: "two\\n\\tlines\\e[31m"',
      ),
      "eval_checks/b.yaml":
        "schema_version: 1\nid: ' b '\ntype: harness_judge\ndescription: A judge\ninstructions: Look.\ntags: [x, y]\n",
    });
    expect(await p.eb(["list"])).toEqual({
      code: 0,
      stdout: "a\tdeterministic\ttwo ⏎ lines\teval_checks/a.yaml\nb\tharness_judge\tA judge\teval_checks/b.yaml\n",
      stderr: "",
    });
    const { code, stdout, stderr } = await p.eb(["list", "--json", "--tag", "y"]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(JSON.parse(stdout)).toEqual({
      project_root: p.root,
      checks: [
        {
          check_id: "b",
          check_type: "harness_judge",
          description: "A judge",
          tags: ["x", "y"],
          source_path: p.path("eval_checks/b.yaml"),
        },
      ],
      errors: [],
    });
    expect(() => p.read("ran")).toThrow("ENOENT");
    expect(p.runDirs()).toEqual([]);
  });

  it("prints the valid checks when others are not valid, and fails", async () => {
    const p = project({ ...oneCheck("pass"), "eval_checks/x.yaml": "id: 5\nschema_version: 2\n" });
    const { code, stdout, stderr } = await p.eb(["list"]);
    expect(code).toBe(2);
    expect(stdout).toBe("it\tdeterministic\tChecks it\teval_checks/it.yaml\n");
    expect(stderr).toContain("eval_checks/x.yaml:2:17: schema_version: unsupported schema_version 2");
    const json = JSON.parse((await p.eb(["list", "--json"])).stdout);
    expect(json.checks).toHaveLength(1);
    expect(json.errors).toEqual([
      expect.objectContaining({ file: p.path("eval_checks/x.yaml"), line: 2, column: 17, field: "schema_version" }),
    ]);
  });

  it("prints all of a long list where the output is a pipe that does not wait, and says nothing where no one reads", async () => {
    const long = "long ".repeat(100);
    const files = Object.fromEntries(
      Array.from({ length: 300 }, (_, i) => [
        `eval_checks/${i}.yaml`,
        check(`c${i}`, "pass").replace(/description: .*/, `description: ${long}`),
      ]),
    );
    const p = project(files);
    const { stdout } = await p.eb(["list"]);
    expect(stdout.length).toBeGreaterThan(2 * 65_536);
    const slowReader = `import os, subprocess, sys, time
r, w = os.pipe()
os.set_blocking(w, False)
eb = subprocess.Popen(sys.argv[1:], stdout=w)
os.close(w)
time.sleep(1)
while chunk := os.read(r, 65536): sys.stdout.buffer.write(chunk)
sys.exit(eb.wait())`;
    const options = { cwd: p.root, env: cleanEnv(), extendEnv: false, stripFinalNewline: false } as const;
    const slow = await execa(PYTHON, ["-c", slowReader, process.execPath, EB, "list"], options);
    expect(slow.stdout).toBe(stdout);
    const gone = await execa(
      "sh",
      ["-c", '{ "$0" "$1" list; echo "code $?" >&2; } | :', process.execPath, EB],
      options,
    );
    expect(gone.stderr).toBe("code 0\n");
  });

  it("is an error where there is nothing to list", async () => {
    const p = project();
    const { code, stdout, stderr } = await p.eb(["list"]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toBe(
      `error: no checks found: there is no *.yaml or *.yml in any eval_checks/ below ${p.root}\n` +
        "hint: write one, e.g. eval_checks/first.yaml, or go to a project with --cwd\n",
    );
  });
});
