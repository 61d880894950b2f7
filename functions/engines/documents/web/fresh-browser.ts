import { type Browser, startBrowser } from "../chromium/browser.ts";
import type { Protocol } from "../chromium/protocol.ts";
import { openForwarder } from "./forward.ts";

/** A browser for one page. */
export interface FreshBrowser {
  readonly protocol: Protocol;
  /** Its blank page: the ID of the main frame, and the session for commands. */
  readonly frame: string;
  readonly session: string;
  /** Connects its network to the Unix socket of a proxy. Until then, it reaches nothing. */
  forwardTo(path: string): void;
  /** Kills it. Resolves when it has exited. */
  kill(): Promise<void>;
}

/** @throws JobError `engine_failed` when it does not start */
export const openBrowser = async (): Promise<FreshBrowser> => {
  const forwarder = await openForwarder();
  let browser: Browser | undefined;
  const kill = async (): Promise<void> => {
    await browser?.kill();
    forwarder.close();
  };
  try {
    browser = await startBrowser(forwarder.port);
    const { protocol } = browser;
    await protocol.call("Browser.setDownloadBehavior", { behavior: "deny" });
    const { targetId } = await protocol.call("Target.createTarget", { url: "about:blank" });
    const { sessionId } = await protocol.call("Target.attachToTarget", { targetId, flatten: true });
    return { protocol, frame: String(targetId), session: String(sessionId), forwardTo: forwarder.to, kill };
  } catch (error) {
    await kill();
    throw error;
  }
};

/** Black, 8 × 8 pixels. */
const IMAGE =
  "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAgAAAAICAAAAADhZOFXAAAADElEQVR42mNgoA4AAABIAAEQRe/SAAAAAElFTkSuQmCC";

/** What most pages have, so that the code for it and the fonts are loaded. */
const SAMPLE = `<!doctype html><title>Sample</title><style>h1 { color: navy } td { border: 1px solid }</style>
<h1>Sample</h1><p>Text, <b>bold</b> and <i>italic</i>.</p><p style="font-family: sans-serif">Text, <b>bold</b></p>
<pre>Code</pre><table><tr><td>1<td>2</table><img src="${IMAGE}" alt=""><script>document.title += "s"</script>`;

/**
 * Prints a sample on the blank page, which starts further processes of the browser. The next document replaces the
 * sample; the browser keeps the process of the page, since a blank page belongs to no site.
 */
export const printSample = async ({ protocol, frame, session }: FreshBrowser): Promise<void> => {
  const call = (method: string, params: object) => protocol.call(method, params, session);
  await call("Page.setDocumentContent", { frameId: frame, html: SAMPLE });
  await call("Page.printToPDF", { generateDocumentOutline: true, generateTaggedPDF: true });
};
