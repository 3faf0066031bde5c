import { isAbsolute, relative } from "node:path";
import { canonicalJson } from "../../core/canonical-json.js";
import { sha256Hex } from "../../core/ids.js";
import type { Assertion } from "../format/assertion.js";
import type { TestCase } from "../test-case.js";
import type { WorkspaceLayer } from "../workspace.js";
import { fileContent } from "./file-content.js";

const DOMAIN = "eval-banana/test-case-sha256/v1";

/**
 * `sha256:<hex>` over what can change the outcome of a run of the case: not its tags and place, nor how often it is
 * run. Of scripts and files that it names, their content. Equal on every machine: paths are relative to `root`.
 */
export function caseDigest(testCase: Omit<TestCase, "digest">, root: string): string {
  const { id, input, config, timeoutSeconds, mustSucceed, assertions, workspace } = testCase;
  const short = (path: string) => (isAbsolute(path) ? relative(root, path).replaceAll("\\", "/") : path);
  const parts = {
    id,
    input,
    config,
    timeoutSeconds,
    mustSucceed,
    assertions: assertions.map((assertion) => digestible(assertion, short)),
    workspace: workspace && digestibleWorkspace(workspace, short),
  };
  return digestOf(DOMAIN, parts);
}

/** `sha256:<hex>` of a value that is plain data. `domain` says what it is, and which version of that. */
export function digestOf(domain: string, value: unknown): string {
  return `sha256:${sha256Hex(`${domain}\0${canonicalJson(value)}`)}`;
}

type Shorten = (path: string) => string;

function digestible(assertion: Assertion, short: Shorten): object {
  if (assertion.type === "script_path") return { type: assertion.type, ...digestedFile(assertion.path, short) };
  // As it was written: how it is translated may get better.
  if (assertion.type === "matches") {
    const { type, written, flags } = assertion;
    return { type, written, ignoreCase: flags.includes("i") };
  }
  return assertion;
}

function digestibleWorkspace({ from, files = {}, ...rest }: WorkspaceLayer, short: Shorten): object {
  return {
    ...rest,
    keep: undefined,
    from: from && Object.fromEntries(Object.entries(from).map(([name, value]) => [name, short(value)])),
    files: Object.fromEntries(
      Object.entries(files).map(([path, file]) => [path, "from" in file ? digestedFile(file.from, short) : file]),
    ),
  };
}

function digestedFile(path: string, short: Shorten): object {
  const content = fileContent(path);
  return { from: short(path), sha256: "bytes" in content ? sha256Hex(content.bytes) : null };
}
