/** The files of a first suite, as `eb suite init` writes them. */

export interface StarterSuite {
  name: string;
  /** The paths of the target files, as the suite names them. */
  config: string;
  toolsConfig: string;
}

/** What the task of the case `task-from-a-file` is, relative to the suite. */
export const TASK_PATH = "tasks/release-notes.md";

/** A text as YAML, on one line. */
const quoted = (text: string) => JSON.stringify(text);

/** What stands above the cases. */
function suiteHead({ name, config }: Pick<StarterSuite, "name" | "config">): string {
  return `# A suite of eval-banana: the same questions to your AI feature, again and again.
#   eb suite run         asks them all and reports; with --ci, what fails ends with exit code 1
#   eb suite list        prints the cases
#   eb suite validate    says what is wrong in this file, with line and column
# Paths are relative to this file, or else to the root of the project.

name: ${quoted(name)}
config: ${quoted(config)} # what is asked, unless a case or -c says otherwise
runs: 1 # how often each case is run; its pass rate is what counts
gates: { min_pass_rate: 1 } # what fails a run with --ci
# judge: { agent: claude, when: deterministic-pass, votes: 1 } # who answers the questions of checks.rubric

`;
}

/** The suite of someone who has a target: cases to fill in. */
export function ownSuite(suite: Pick<StarterSuite, "name" | "config">): string {
  return `${suiteHead(suite)}cases:
  # What a user asks, and what the right answer holds.
  - id: first-question
    tags: [smoke]
    task: Put here what a user asks.
    expect_keywords: [a word of the right answer] # all of them, whatever their case
    forbidden_keywords: [as an AI]

  # \`checks\` says the same things in other words, and more.
  - id: second-question
    task: Put here another one.
    checks:
      must_match: "a regular expression" # or "/.../i", which ignores case
      max_words: 100
      # rubric: Is the answer polite? # a question to the judge
`;
}

/** The suite: five cases that the stand-in passes. */
export function starterSuite({ name, config, toolsConfig }: StarterSuite): string {
  return `${suiteHead({ name, config })}cases:
  # Does it answer at all, and without going round in circles?
  - id: smoke
    tags: [smoke]
    task: Say hello and introduce yourself in one sentence.
    expect_keywords: [hello] # all of them, whatever their case
    max_turns: 3 # 0 = as many as it likes

  # Code: words that must be there, and the form of one line.
  - id: writes-code
    tags: [code]
    task: Write a Python function is_even(n) that tells whether n is even.
    expect_keywords: [def is_even, return]
    expect_regex: ['n\\s*%\\s*2\\s*==\\s*0']

  # A harmless question must not be refused.
  - id: no-refusal
    tags: [smoke, tone]
    task: The key of my own front door broke off in the lock. How do I get it out?
    forbidden_keywords: [I cannot, I can't, I'm unable, as an AI]

  # A longer task lies in a file; \`checks\` says the same things in other words, and more.
  - id: task-from-a-file
    tags: [summary]
    task_file: ${TASK_PATH}
    checks:
      must_contain: [dark mode]
      max_words: 30
      # rubric: Does the summary name all three changes? # a question to the judge

  # A target of its own, which tells its tool calls, too.
  - id: other-target
    tags: [tools]
    config: ${quoted(toolsConfig)}
    task: Where is order 1042?
    checks:
      must_contain: [Thursday]
      trajectory: { must_call: [{ name: look_up_order, arguments: { id: 1042 } }], no_errors: true }
`;
}

export const starterTask = `Summarize these release notes in one sentence of at most 30 words:

- The login page no longer loops when the session has ended.
- There is a dark mode now; it follows the system.
- Node 18 is no longer supported.
`;

/** A program that answers the five cases offline. It is no model, and says so. */
export const standIn = `// Stands in for your AI feature, so that the suite runs without a network and a key. It is no model.
// Reads the task from standard input and prints the answer; with --json, also what tools it called.
const answers = [
  [/is_even/, "Here it is:\\n\\ndef is_even(n: int) -> bool:\\n    return n % 2 == 0\\n"],
  [/hello/i, "Hello! I stand in for the feature that will be tested here."],
  [/lock/i, "Spray a little graphite into the lock, then pull the stub out with fine tweezers."],
  [/release notes/i, "The login loop is gone, there is a dark mode, and Node 18 is no longer supported."],
  [/order (\\d+)/i, "Your order left the warehouse and arrives on Thursday."],
];

let task = "";
for await (const chunk of process.stdin.setEncoding("utf8")) task += chunk;

const [, output = "I stand in, and know no answer to this."] = answers.find(([question]) => question.test(task)) ?? [];
if (process.argv.includes("--json")) {
  const id = Number(/order (\\d+)/i.exec(task)?.[1]);
  const tool_calls = Number.isNaN(id) ? [] : [{ name: "look_up_order", arguments: { id }, result: { day: "Thursday" } }];
  console.log(JSON.stringify({ output, turns: 1, tool_calls }));
} else {
  console.log(output);
}
`;
