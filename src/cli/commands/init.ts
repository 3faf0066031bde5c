import { lstatSync } from "node:fs";
import { join } from "node:path";
import { agentTemplateLines } from "../../agents/template-lines.js";
import { findProject, PROJECT_DIR } from "../../config/project.js";
import { configTemplate } from "../../config/template.js";
import { writeFileAtomic } from "../../core/atomic.js";
import { UserError } from "../../core/errors.js";
import { makeDirectory } from "../../core/make-directory.js";
import { shortPath } from "../../core/text.js";
import { print } from "../print.js";

export function init(options: { force?: boolean; cwd?: string }): number {
  const { root } = findProject(options.cwd ?? ".", { useConfig: false });
  const file = join(root, PROJECT_DIR, "config.toml");
  const exists = lstatSync(file, { throwIfNoEntry: false }) !== undefined;
  if (exists && !options.force) {
    throw new UserError(`there is a configuration already: ${file}`, { code: "usage", hint: "--force overwrites it" });
  }
  makeDirectory(join(root, PROJECT_DIR));
  writeFileAtomic(file, configTemplate(agentTemplateLines()));
  print(`wrote ${shortPath(file)}
next: write a check, e.g. eval_checks/first.yaml, and run it with eb run;
put ${PROJECT_DIR}/results/ into .gitignore
`);
  return 0;
}
