import { expect, it } from "vitest";
import { targetSecrets, targetSettings } from "../../../../src/suites/targets/target-variables.js";
import { project } from "../../../helpers/project.js";
import { targetIn } from "../../../helpers/target-call.js";

const sources = { agents: { mine: { command: ["mine"], provider_env: { OUT: "{env:HANDED}" } } } };

it.each([
  ["type: command\ncommand: [a]\nenv: {A: 'x{env:B}', C: c, D_KEY: '{env:D}'}\n", ["B", "D"], ["D"]],
  ["type: http\nurl: 'http://x/{env:A}'\nheaders: {x: '{env:B}{env:C}'}\n", ["A", "B", "C"], []],
  ["type: http\nurl: 'http://x'\nheaders: {Authorization: 'Basic {env:B}', cookie: '{env:C}'}\n", [], ["B", "C"]],
  ["type: http\nurl: 'http://x/{env:B}'\nheaders: {X-Api-Key: '{env:B}'}\n", ["B"], ["B"]],
  ["type: http\nurl: 'http://x/{env:MAX_TOKENS}?{env:SORT_KEY}&{env:MY_API_KEY}'\n", ["MAX_TOKENS", "SORT_KEY"], []],
  ["type: agent\nagent: claude\nenv: {A: '{env:B}'}\n", ["B"], []],
  ["type: agent\nagent: mine\nenv: {A: '{env:B}'}\n", ["B", "HANDED"], ["HANDED"]],
  ["type: model\nmodel: openai:m\nheaders: {x: '{env:B}'}\n", ["B"], ["OPENAI_API_KEY"]],
  ["type: model\nmodel: openai:m\napi_key_env: MINE\n", [], ["MINE"]],
  [
    "type: team\nagents: [{name: a, model: 'groq:m'}, {name: b, command: [x], env: {A: '{env:B}'}}]\n",
    ["B"],
    ["GROQ_API_KEY"],
  ],
])("of %j these are settings, and these are masked for their place", (text, settings, secrets) => {
  const target = targetIn(project({ "target.yaml": text }), "target.yaml", sources);
  expect(targetSettings(target, {}).map(([name]) => name)).toEqual(settings);
  expect(targetSecrets(target)).toEqual(secrets);
});
