import { BROWSER_MS_MAX } from "../../../domain/conversions/conversion-limits.ts";
import { JobError } from "../../../domain/errors.ts";
import { inTime } from "../../core/in-time.ts";
import { type Browser, browsers } from "./browser.ts";

/**
 * Runs a document's work with a browser. A browser that is still busy with one document is killed, not reused for the
 * next.
 *
 * @throws JobError `timed_out`
 */
export const withBrowser = <R>(work: (browser: Browser) => Promise<R>): Promise<R> =>
  browsers.use((browser) =>
    inTime(BROWSER_MS_MAX, work(browser), () => {
      void browser.kill();
      throw new JobError("timed_out", `The browser did not finish the document within ${BROWSER_MS_MAX / 1_000} s.`);
    }),
  );
