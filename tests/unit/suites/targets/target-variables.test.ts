import { expect, it } from "vitest";
import { targetVariables } from "../../../../src/suites/targets/target-variables.js";
import { project } from "../../../helpers/project.js";
import { targetIn } from "../../../helpers/target-call.js";

it.each([
  ["type: command\ncommand: [a]\nenv: {A: 'x{env:B}', C: c}\n", ["B"]],
  ["type: http\nurl: 'http://x/{env:A}'\nheaders: {x: '{env:B}{env:C}'}\n", ["A", "B", "C"]],
  ["type: agent\nagent: claude\nenv: {A: '{env:B}'}\n", ["B"]],
  ["type: model\nmodel: openai:m\nheaders: {x: '{env:B}'}\n", ["OPENAI_API_KEY", "B"]],
  ["type: team\nagents: [{name: a, model: 'groq:m'}, {name: b, command: [x]}]\n", ["GROQ_API_KEY"]],
])("%j names %j", (text, names) => {
  expect(targetVariables(targetIn(project({ "target.yaml": text })))).toEqual(names);
});
