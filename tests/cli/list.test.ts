import { describe, expect, it } from "vitest";
import { check, oneCheck, project } from "../helpers/project.js";

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
