import { HOSTILE } from "./hostile.js";
import { check, Project } from "./project.js";

/** What would run, load or turn something around if it were anything but text on the page. */
export const ATTACKS = [
  `</script><script>globalThis.hacked = "script"</script>`,
  `<img src="http://127.0.0.1:9/x" onerror="globalThis.hacked = 'img'">`,
  `<svg onload="globalThis.hacked = 'svg'"></svg><iframe src="javascript:parent.hacked='frame'"></iframe>`,
  `<style>body { display: none }</style><base href="http://127.0.0.1:9/">`,
  `<!--<script>`,
  `"}]}; globalThis.hacked = 'json'; //`,
  HOSTILE,
].join("\n");

/** Checks of every outcome; one prints, and is described by, what is hostile. */
export function pageChecks(root?: string): Project {
  const script = `import sys
sys.stdout.write(open("attacks.txt", encoding="utf-8", newline="").read())
sys.stderr.write("Traceback: 3 links are dead\\n")
sys.exit(1)`;
  return new Project(root).write({
    "attacks.txt": ATTACKS,
    "eval_checks/attack.yaml": JSON.stringify({
      schema_version: 1,
      id: "attack",
      type: "deterministic",
      description: ATTACKS,
      tags: [`<i>tag</i>`, "smoke"],
      script,
    }),
    "eval_checks/links.yaml": check("links-resolve", "raise SystemExit('3 links are dead: a.html, b.html, c.html')"),
    "eval_checks/slow.yaml": check("slow", "import time; time.sleep(5)", "timeout_seconds: 1\n"),
    "eval_checks/smoke.yaml": check("adds-up", "print('12 of 12 rows')", "tags: [smoke]\n"),
    "eval_checks/other.yaml": check("is-short", "pass"),
  });
}

/** A target that calls tools, edits its workspace, has a price, and says what it is asked to say. */
const TARGET = `const { appendFileSync, readFileSync, writeFileSync } = require("node:fs");
const { input, run } = JSON.parse(readFileSync(0, "utf8"));
const [verb, ...rest] = String(input).split(" ");
const said = rest.join(" ");
if (verb === "crash") { console.error("no more"); process.exit(3); }
const output = verb === "sometimes" && run % 2 === 0 ? "I do not know." : verb === "attack" ? readFileSync(process.env.ATTACKS, "utf8") : said;
if (verb === "edit") {
  writeFileSync("cart.js", readFileSync("cart.js", "utf8").replace("sum - item.price", "sum + item.price"));
  writeFileSync("new.txt", output + "\\n");
}
process.stdout.write(JSON.stringify({
  output, turns: 2, usage: { input_tokens: 1200, output_tokens: 80 }, cost_usd: 0.0042, model: "small-1",
  messages: [{ role: "user", content: String(input) }, { role: "assistant", content: output }],
  tool_calls: [{ name: "look_up_order", arguments: { id: 1042, note: output.slice(0, 400) }, result: "on its way" }],
}));
`;

const SUITE = `name: Answers of the shop
config: ../targets/default.yaml
runs: 2
gates: { min_pass_rate: 0.9 }
cases:
  - { id: greets, tags: [smoke], task: "say Hello, how can I help?", expect_keywords: [hello, help] }
  - { id: sends-back, tags: [returns, policy], task: "sometimes You have 30 days.", expect_regex: ["30 days"] }
  - { id: price-of-hat, tags: [prices], task: "say The hat is 19 euros.", expect_keywords: ["21 euros"], checks: { max_words: 40 } }
  - { id: crashes, task: crash it, expect_keywords: [x] }
  - { id: attack, tags: ["<i>tag</i>"], task: attack it, expect_keywords: [never-there] }
  - id: cart-total
    tags: [workspace]
    task: edit The total was subtracted. It is added now.
    workspace: { files: { cart.js: { from: cart.js } }, keep: never }
    checks:
      files: { must_change: [cart.js], must_not_change: [new.txt] }
`;

const CART = `export function total(cart) {
  let sum = 0;
  for (const item of cart) sum = sum - item.price;
  return sum;
}
`;

/** A suite with runs, tools, workspaces, prices, and an answer that is hostile. */
export function pageSuite(root?: string): Project {
  const p = new Project(root).write({
    ".eval-banana/evals/suite.yaml": SUITE,
    ".eval-banana/evals/cart.js": CART,
    "target.cjs": TARGET,
    "attacks.txt": ATTACKS,
  });
  p.write({
    ".eval-banana/targets/default.yaml": `type: command
command: [node, ${JSON.stringify(p.path("target.cjs"))}]
input: json-stdin
output: json
env: { ATTACKS: ${JSON.stringify(p.path("attacks.txt"))} }
`,
  });
  return p;
}
