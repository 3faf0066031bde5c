import { expect } from "vitest";

/** Text that tries to run, break or fake something wherever it is shown. No two lines are the same. */
export const HOSTILE = [
  `</script><img src=x onerror=alert(1)> & &lt;b&gt; "quotes" 'single'`,
  "| a | b | \\| c \\",
  "| --- | --- |",
  "`code` ``` fence ```` longer",
  "```",
  "~~~",
  "</code></pre></details><h1>big</h1>",
  "# heading",
  "setext\n===",
  "[link](javascript:alert(1)) ![image](x.png) <javascript:alert(1)> [ref]: x",
  "**bold** _it_ ~~gone~~ $math$ :smile: @everyone #1",
  "<!-- comment ]]> <![CDATA[ &undefined; <?php",
  "\u001b[31mred\u001b[0m \u001b]0;title\u0007 \u001b]8;;http://x\u001b\\link\u001b]8;;\u001b\\ \u001b[2J\u001b[1A\u001b",
  "nul \u0000 bell \u0007 back \b\b\b c1 \u009b31m del \u007f bom \ufeff ffff \uffff",
  "right-to-left \u202e txet \u2066 isolate \u200f mark",
  "separators \u2028 and \u2029 \u0085 end",
  "carriage\rreturn",
  "::error file=a.yaml,line=1::injected",
  "  ::add-mask::e",
  "\u3000::stop-commands::x",
  "before ##[error]injected",
  "✓ fake passed",
  "PASSED  99 of 99 points",
].join("\n");

const CONTROL =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/;

/** What a text shown to a person must not hold: control characters, and commands to GitHub's runner. */
export function expectInert(text: string): void {
  expect(text).not.toMatch(CONTROL);
  expectNoCommands(text);
}

/** GitHub's runner takes `::name` for a command when it is first on a line, and `##[name]` anywhere. */
export function expectNoCommands(text: string): void {
  expect(text).not.toMatch(/^\s*::/m);
  expect(text).not.toContain("##[");
}
