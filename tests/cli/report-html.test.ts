import { mkdtempSync, readFileSync, realpathSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { checksView } from "../../src/report/checks-view.js";
import { htmlDocument } from "../../src/report/reporters/html.js";
import { axeViolations, BROWSER_NOTE, HAS_BROWSER, openFile, startBrowser } from "../helpers/browser.js";
import { expectInert } from "../helpers/hostile.js";
import { pageChecks, pageSuite } from "../helpers/page-project.js";
import { oneCheck, project, temporaryDirectory } from "../helpers/project.js";
import { result, runEnd } from "../helpers/results.js";

const root = realpathSync(mkdtempSync(join(tmpdir(), "eb-page-")));
afterAll(() => rmSync(root, { recursive: true, force: true, maxRetries: 5 }));

let checks: string;
let suite: string;

beforeAll(async () => {
  const ofChecks = pageChecks(join(root, "checks"));
  const ofSuite = pageSuite(join(root, "suite"));
  await Promise.all([ofChecks.eb(["run"]), ofSuite.eb(["suite", "run", "--no-cache"])]);
  checks = join(ofChecks.runDir(), "report.html");
  suite = join(ofSuite.runDir(), "report.html");
});

describe("report.html", () => {
  it("is one file that names nothing outside of it, with a policy that lets nothing in", () => {
    for (const path of [checks, suite]) {
      const html = readFileSync(path, "utf8");
      const [page = ""] = html.split('<script type="application/json"');
      expect(page).not.toMatch(/\b(?:src|href)=|url\(|@import/);
      const [, policy] = /<meta http-equiv="Content-Security-Policy" content="([^"]*)">/.exec(page) ?? [];
      expect(policy).toMatch(
        /^default-src 'none'; script-src 'sha256-[^']+'; style-src 'sha256-[^']+'; base-uri 'none'/,
      );
      expect(policy).not.toContain("unsafe");
    }
  });

  it("holds what is hostile as data that ends no element and prints no command", () => {
    for (const path of [checks, suite]) {
      const html = readFileSync(path, "utf8");
      expect(html.match(/<script/g)).toHaveLength(2);
      expect(html).toContain("\\u003c/script>");
      expectInert(html);
    }
  });

  it("is small", () => {
    expect(statSync(checks).size).toBeLessThan(60e3);
  });

  it("stays small with 1 MB on one line in the description, on both streams and in the reason", async () => {
    const script = `import sys
print("x" * 1_000_000)
sys.exit("y" * 1_000_000)`;
    const p = project(oneCheck(script, `tags: [${"z".repeat(100_000)}]\n`));
    await p.eb(["run"]);
    expect(statSync(join(p.runDir(), "report.html")).size).toBeLessThan(80e3);
  });

  it("goes where it is told, and then links no files of the run", async () => {
    const p = project(oneCheck("print('x')"));
    await p.eb(["run", "--reporter", "html:out/page.html"]);
    const links = (html: string) => html.includes('"kind":"files"');
    expect(links(p.read("out/page.html"))).toBe(false);
    expect(links(readFileSync(join(p.runDir(), "report.html"), "utf8"))).toBe(true);
  });
});

describe.skipIf(!HAS_BROWSER)(`report.html in a browser${BROWSER_NOTE}`, () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startBrowser();
  });
  afterAll(() => browser.close());

  const ids = (page: Page) => page.locator(".items > li .id").allTextContents();
  const item = (page: Page, id: string) => page.locator(".items > li", { has: page.locator(`.id:text-is("${id}")`) });
  const openAll = (page: Page, all = ".items > li > details") =>
    page.locator(all).evaluateAll((all) => {
      for (const each of all) each.setAttribute("open", "");
    });

  it("has the verdict, its figures, and first what did not pass, with the reason", async () => {
    const page = await openFile(browser, checks);
    expect(await page.title()).toBe("✗ Checks");
    expect(await page.locator("h1").innerText()).toBe("Not passed\n40%");
    expect(await page.locator(".tally").innerText()).toMatch(/✗\s*2 failed\s*!\s*1 error\s*✓\s*2 passed/);
    expect((await ids(page)).slice(0, 3)).toEqual(["attack", "links-resolve", "slow"]);
    const links = item(page, "links-resolve").locator(".why");
    expect(await links.isVisible()).toBe(true);
    expect(await links.innerText()).toBe("exit code 1: 3 links are dead: a.html, b.html, c.html");
  });

  it("opens a check to its output, its files and the command that runs it again", async () => {
    const page = await openFile(browser, checks);
    await item(page, "adds-up").locator("summary").click();
    const text = await item(page, "adds-up").locator(".body").innerText();
    expect(text).toContain("12 of 12 rows");
    expect(text).toContain("eb run --check-id adds-up");
    const [link = ""] = await item(page, "adds-up")
      .locator("a")
      .evaluateAll((all) => all.map((each) => each.getAttribute("href") ?? ""));
    expect(readFileSync(join(checks, "..", decodeURIComponent(link)), "utf8")).toBe("12 of 12 rows\n");
  });

  it("opens a case to its runs, with assertions, session, patch and figures", async () => {
    const page = await openFile(browser, suite);
    await item(page, "cart-total").locator("summary").click();
    const body = item(page, "cart-total").locator(".body");
    const run = body.locator("details.run").first();
    expect(await run.locator(".scores").innerText()).toContain("'new.txt' must not be changed");
    expect(await run.locator(".session").innerText()).toContain("look_up_order");
    expect(await run.locator(".patch .added").allTextContents()).toContain(
      "+  for (const item of cart) sum = sum + item.price;\n",
    );
    expect(await run.locator(".facts").last().innerText()).toMatch(/tokens in · out\s+1,200 · 80\s+cost\s+\$0\.0042/);
    expect(await item(page, "sends-back").locator("summary").first().innerText()).toMatch(/flaky.*1\/2/s);
    expect(await page.locator("header .facts").innerText()).toMatch(/95% interval\s+\d/);
  });

  it.each(["light", "dark"] as const)("is accessible in %s, closed and open", async (scheme) => {
    for (const path of [checks, suite]) {
      const page = await openFile(browser, path, { scheme });
      expect(await axeViolations(page)).toEqual([]);
      await openAll(page);
      await page.locator(".body").last().waitFor();
      expect(await axeViolations(page)).toEqual([]);
    }
  });

  it("runs nothing of what is hostile, wherever it is shown", async () => {
    for (const path of [checks, suite]) {
      const page = await openFile(browser, path);
      await openAll(page);
      await page.locator(".body").last().waitFor();
      await openAll(page, "details.run");
      await page.getByRole("searchbox").fill("<img");
      await expect.poll(() => ids(page)).toEqual(["attack"]);
      await openAll(page);
      await page.locator(".body").waitFor();
      const shown = await page.locator("main").innerText();
      expect(shown).toContain(`<img src="http://127.0.0.1:9/x" onerror=`);
      for (const character of "\u001b\u202e\u2066\u200f") expect(shown).not.toContain(character);
      expect(await page.evaluate("globalThis.hacked")).toBeUndefined();
      expect(await page.locator("main :is(script, img, iframe, style, base, b[onclick], i:not([class]))").count()).toBe(
        0,
      );
    }
  });

  it("filters by outcome, tag and words, and says how many are left", async () => {
    const page = await openFile(browser, checks);
    const found = page.getByRole("status");
    await page.getByRole("radio", { name: "failed" }).check();
    await expect.poll(() => ids(page)).toEqual(["attack", "links-resolve"]);
    expect(await found.innerText()).toBe("2 of 5 checks");
    await page.getByRole("radio", { name: "all" }).check();
    await page.getByLabel("Tag").selectOption("smoke");
    await expect.poll(() => ids(page)).toEqual(["attack", "adds-up"]);
    await page.getByLabel("Tag").selectOption("");
    // In what it printed, and in any case.
    await page.getByRole("searchbox").fill("12 ROWS");
    await expect.poll(() => ids(page)).toEqual(["adds-up"]);
    await page.getByRole("searchbox").fill("nothing like it");
    await expect.poll(() => found.innerText()).toBe("0 of 5 checks");
    await page.getByRole("searchbox").fill("");
    await page.getByLabel("Order").selectOption("slowest first");
    await expect.poll(async () => (await ids(page))[0]).toBe("slow");
  });

  it("filters by type where there is more than one", async () => {
    const path = join(temporaryDirectory(), "page.html");
    const results = [result({ check_id: "script" }), result({ check_id: "judge", check_type: "harness_judge" })];
    const end = runEnd(() => results);
    writeFileSync(path, [...htmlDocument(end, { view: checksView, path })].join(""));
    const page = await openFile(browser, path);
    await page.getByLabel("Type").selectOption("harness_judge");
    await expect.poll(() => ids(page)).toEqual(["judge"]);
    const alone = await openFile(browser, checks);
    expect(await alone.getByLabel("Type").count()).toBe(0);
  });

  it("can be used without a mouse", async () => {
    const page = await openFile(browser, checks);
    await page.keyboard.press("Tab");
    await page.keyboard.press("ArrowRight");
    await expect.poll(() => ids(page)).toEqual(["attack", "links-resolve"]);
    // Past the search, the tags and the order to the first row.
    for (let n = 0; n < 4; n++) await page.keyboard.press("Tab");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await item(page, "links-resolve").locator(".body").waitFor();
    await page.keyboard.press("Home");
    await page.keyboard.press(" ");
    await item(page, "attack").locator(".body").waitFor();
  });

  it("fits a phone, with every item open", async () => {
    for (const path of [checks, suite]) {
      const page = await openFile(browser, path, { width: 360 });
      await openAll(page);
      await page.locator(".body").last().waitFor();
      expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(360);
    }
  });

  it("opens at the item that the address names", async () => {
    const page = await openFile(browser, suite);
    await page.goto(`${page.url()}#cart-total`);
    await page.reload();
    await expect.poll(() => item(page, "cart-total").locator(".body").isVisible()).toBe(true);
  });

  it("prints all that was opened, without what only a screen can use", async () => {
    const page = await openFile(browser, checks);
    await page.emulateMedia({ media: "print" });
    expect(await page.locator("form").isVisible()).toBe(false);
    expect(await page.locator(".why").first().isVisible()).toBe(true);
    expect((await page.pdf()).subarray(0, 4).toString()).toBe("%PDF");
  });

  it("shows 10,000 items at once, and finds one among them", async () => {
    const path = join(temporaryDirectory(), "page.html");
    const results = Array.from({ length: 10_000 }, (_, n) =>
      result({
        check_id: `check-${n}`,
        status: n % 100 === 50 ? "failed" : "passed",
        reason: n % 100 === 50 ? `row ${n} is wrong` : null,
        tags: [`part-${n % 7}`],
        stdout: `${"some output of it\n".repeat(100)}line ${n}.`,
        started_at: new Date(Date.parse("2026-01-02T03:04:05.678Z") + n * 10).toISOString(),
        completed_at: new Date(Date.parse("2026-01-02T03:04:05.678Z") + n * 10 + 35).toISOString(),
      }),
    );
    writeFileSync(
      path,
      [
        ...htmlDocument(
          runEnd(() => results),
          { view: checksView, path },
        ),
      ].join(""),
    );
    const begun = performance.now();
    const page = await openFile(browser, path);
    await page.locator(".items > li").first().waitFor();
    const shown = performance.now() - begun;
    expect(await page.locator(".items > li").count()).toBeLessThan(1000);
    expect((await ids(page))[0]).toBe("check-50");
    await page.getByRole("searchbox").fill("line 9876.");
    await expect.poll(() => ids(page)).toEqual(["check-9876"]);
    console.log(`10,000 items: ${statSync(path).size} bytes, ${Math.round(shown)} ms`);
    expect(shown).toBeLessThan(10_000);
  });
});
