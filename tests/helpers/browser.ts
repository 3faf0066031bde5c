import { existsSync } from "node:fs";
import { pathToFileURL } from "node:url";
import axe from "axe-core";
import { type Browser, chromium, type Page } from "playwright-core";
import { expect, onTestFinished } from "vitest";

const CHROMIUM = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find(existsSync);

export const HAS_BROWSER = CHROMIUM !== undefined;

/** Goes at the end of a test's name that needs a browser. */
export const BROWSER_NOTE = HAS_BROWSER ? "" : " (needs a browser: apt-get install chromium)";

const QUIET = [
  ...["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"],
  ...["--disable-background-networking", "--disable-component-update", "--disable-sync"],
];

/** A browser with a new and empty profile. */
export function startBrowser(): Promise<Browser> {
  return chromium.launch({ ...(CHROMIUM && { executablePath: CHROMIUM }), args: QUIET });
}

export interface OpenOptions {
  scheme?: "light" | "dark";
  width?: number;
}

/**
 * Opens a file as a double click does. The test fails where the page asks for anything but itself, is refused something
 * by its policy, or throws.
 */
export async function openFile(browser: Browser, path: string, options: OpenOptions = {}): Promise<Page> {
  const { scheme = "light", width = 1200 } = options;
  const url = pathToFileURL(path).href;
  const context = await browser.newContext({ colorScheme: scheme, viewport: { width, height: 800 } });
  const wrong: string[] = [];
  const page = await context.newPage();
  page.on("request", (request) => request.url() !== url && wrong.push(`asked for ${request.url()}`));
  page.on("console", (message) => wrong.push(message.text()));
  page.on("pageerror", (error) => wrong.push(error.message));
  page.on("dialog", (dialog) => wrong.push(dialog.message()));
  onTestFinished(async () => {
    await context.close();
    expect(wrong).toEqual([]);
  });
  await page.goto(url);
  await page.locator("h1").waitFor();
  return page;
}

/** What axe finds wrong: rules, and where. */
export async function axeViolations(page: Page): Promise<string[]> {
  // In a world of its own, which the policy of the page says nothing about.
  const session = await page.context().newCDPSession(page);
  const { frameTree } = await session.send("Page.getFrameTree");
  const { executionContextId } = await session.send("Page.createIsolatedWorld", { frameId: frameTree.frame.id });
  const run = (expression: string) =>
    session.send("Runtime.evaluate", {
      contextId: executionContextId,
      expression,
      awaitPromise: true,
      returnByValue: true,
    });
  await run(axe.source);
  const { result, exceptionDetails } = await run(
    "axe.run().then(({ violations }) => violations.map(({ id, nodes }) => [id, ...nodes.map(({ target }) => target)].join(' ')))",
  );
  if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
  return result.value;
}
