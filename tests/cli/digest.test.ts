import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { computeCheckDefinitionSha256, UserError } from "../../src/index.js";
import { check, oneCheck, project } from "../helpers/project.js";

interface Vector {
  name: string;
  yaml_base64: string;
  script_base64?: string | null;
  digest: string;
}

const vectors: Vector[] = JSON.parse(readFileSync("tests/fixtures/digest/vectors.json", "utf8"));
const bytes = (base64: string) => Buffer.from(base64, "base64");

/** A directory for each vector, and the paths of their check files. */
function vectorProject() {
  const files = vectors.flatMap(({ yaml_base64, script_base64 }, index): [string, Uint8Array][] => [
    [`${index}/check.yaml`, bytes(yaml_base64)],
    ...(typeof script_base64 === "string" ? [[`${index}/check.py`, bytes(script_base64)] as [string, Uint8Array]] : []),
  ]);
  return { p: project(Object.fromEntries(files)), paths: vectors.map((_, index) => `${index}/check.yaml`) };
}

describe("eb digest", () => {
  it("gives the reference digests, a line each, as a program and as a library", async () => {
    const { p, paths } = vectorProject();
    expect(vectors.length).toBeGreaterThan(5);
    expect(await p.eb(["digest", ...paths])).toEqual({
      code: 0,
      stdout: vectors.map(({ digest }, index) => `${digest}  ${paths[index]}\n`).join(""),
      stderr: "",
    });
    for (const [index, { name, digest }] of vectors.entries()) {
      expect(computeCheckDefinitionSha256({ sourcePath: p.path(paths[index] ?? "") }), name).toBe(digest);
    }
  });

  it("is what the report says of the check, also where the script is not there", async () => {
    const files = vectors.flatMap((vector, index): [string, Uint8Array][] => {
      const yaml = bytes(vector.yaml_base64)
        .toString()
        .replace(/^id: .*(?=\r?$)/m, `id: v${index}`);
      const script = typeof vector.script_base64 === "string" ? bytes(vector.script_base64) : undefined;
      return yaml.includes("harness_judge")
        ? []
        : [
            [`eval_checks/${index}/c.yaml`, Buffer.from(yaml)],
            ...(script ? [[`eval_checks/${index}/check.py`, script] as [string, Uint8Array]] : []),
          ];
    });
    const p = project(Object.fromEntries(files));
    expect((await p.eb(["run"])).code).toBe(1);
    const { checks } = p.report();
    expect(checks.length).toBeGreaterThan(5);
    for (const { check_definition_sha256, source_path, status, error_detail } of checks) {
      expect(check_definition_sha256).toBe(computeCheckDefinitionSha256({ sourcePath: source_path }));
      if (status === "error") expect(error_detail).toMatch(/^the script cannot be read: .*check\.py$/);
    }
    expect(checks.filter(({ status }) => status === "error")).toHaveLength(1);
  });

  it("goes on after files that have none, and says why they have none", async () => {
    const p = project({
      ...oneCheck("pass"),
      "-leading.yaml": check("leading", "pass"),
      "bad.yaml": "id: 5\n",
      "dir/x": "",
    });
    const { code, stdout, stderr } = await p.eb([
      "digest",
      "gone.yaml",
      "bad.yaml",
      "dir",
      "eval_checks/it.yaml",
      "--",
      "-leading.yaml",
    ]);
    expect(code).toBe(2);
    expect(stdout).toMatch(/^sha256:[0-9a-f]{64} {2}eval_checks\/it\.yaml\nsha256:[0-9a-f]{64} {2}-leading\.yaml\n$/);
    expect(stderr).toContain("error: no such file or directory (ENOENT): gone.yaml\n");
    expect(stderr).toContain("error: the check is not valid\n  bad.yaml:1:1: ");
    expect(stderr).toContain("bad.yaml:1:5: id: expected a string, found 5 (a number)\n");
    expect(stderr).toContain(`error: it is a directory (EISDIR): ${p.path("dir")}\n`);
    expect((await p.eb(["digest"])).code).toBe(2);
  });

  it("as a library throws the file system's error, or says that it is no check", () => {
    const p = project({ "bad.yaml": "id: 5\n" });
    expect(() => computeCheckDefinitionSha256({ sourcePath: p.path("gone.yaml") })).toThrow(
      expect.objectContaining({ code: "ENOENT" }),
    );
    expect(() => computeCheckDefinitionSha256({ sourcePath: p.root })).toThrow(
      expect.objectContaining({ code: "EISDIR", path: p.root }),
    );
    expect(() => computeCheckDefinitionSha256({ sourcePath: p.path("bad.yaml") })).toThrow(UserError);
  });
});
