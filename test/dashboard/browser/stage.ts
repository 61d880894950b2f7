import { join } from "node:path";
import { afterAll, beforeAll, expect } from "vitest";
import { openBrowser, openVisitor, type Visitor, type VisitorSettings } from "../../support/browser/browser.ts";
import { browserUrl, type Scene } from "../../support/browser/dashboard.ts";
import { type LocalService, startLocalService } from "../../support/services/local-service.ts";

/** A service with its pages and a browser, shared by all tests of a file. */
export interface Stage extends Scene {
  /**
   * Runs with a new visitor who is not signed in.
   * @param expected the failed requests that the test causes; any other one, and every page error, fails it
   */
  readonly visit: (
    run: (visitor: Visitor) => Promise<void>,
    options?: VisitorSettings & { readonly expected?: readonly RegExp[] },
  ) => Promise<void>;
}

/** Starts the service, which builds the pages, and a browser for the tests of a file. */
export const stage = (env: Record<string, string> = {}): Stage => {
  let service: LocalService;
  let browser: Awaited<ReturnType<typeof openBrowser>>;
  beforeAll(async () => {
    [service, browser] = await Promise.all([startLocalService({ env }), openBrowser()]);
  });
  afterAll(async () => {
    await browser?.close();
    await service?.stop();
    await service?.erase();
  });
  return {
    service: () => service,
    visit: async (run, { expected = [], ...settings } = {}) => {
      const visitor = await openVisitor(browser, browserUrl(service), settings);
      try {
        await run(visitor);
        expect(visitor.complaints).toEqual([]);
        expect(visitor.refusals.filter((refusal) => !expected.some((pattern) => pattern.test(refusal)))).toEqual([]);
      } catch (error) {
        await screenshot(visitor);
        const noted = [...visitor.complaints, ...visitor.refusals];
        throw noted.length === 0
          ? error
          : new Error(`With the page's own errors: ${noted.join("; ")}`, { cause: error });
      } finally {
        await visitor.context.close();
      }
    },
  };
};

const FAILED = join(import.meta.dirname, "../../../.screenshots/failed");

/** Saves a screenshot of a failed test, next to those of `node test/support/browser/screenshots.ts`. */
const screenshot = async ({ page }: Visitor): Promise<void> => {
  const name = (expect.getState().currentTestName ?? "").replaceAll(/\W+/g, "-").slice(-80);
  await page.screenshot({ path: join(FAILED, `${name}.png`), fullPage: true });
};
