import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { chromium } from "playwright-core";
import sharp from "sharp";
import { engineTable, namesOf } from "../functions/domain/conversions/engines.ts";
import { pathsOf } from "../functions/engines/core/program.ts";
import { openPage, sandboxedPool } from "../test/engines/support/site.ts";
import { CHROMIUM_ARGUMENTS } from "../test/support/browser/browser.ts";
import { printTable, quantile } from "./support/figures.ts";
import { watched } from "./support/process-tree.ts";

/**
 * `node bench web`: the time of a local web page to PDF, in the sandbox and through the proxy, next to that of the same
 * Chromium without both; both are warm. Milliseconds, in alternating rounds. Our browser opens one page; the next
 * one is prepared in the pause, or not yet ready if the next page comes at once.
 */

const ROUNDS = 5;
const PAUSE_MS = 2_000;
const SECTIONS = 60;
const PHOTOS = 12;

const folder = mkdtempSync(join(tmpdir(), "bench-web-"));
const fresh = (): string => join(folder, crypto.randomUUID());
const scratch = {
  folder,
  fresh,
  path: (name: string) => join(folder, name),
  file: (bytes: string | Uint8Array) => {
    const path = fresh();
    writeFileSync(path, bytes);
    return path;
  },
};

/** A page with sections, a style sheet, a script and photos. */
const openSite = async () => {
  const noise = { noise: { type: "gaussian", mean: 128, sigma: 40 } } as const;
  const create = { width: 1_200, height: 800, channels: 3, background: "#888", ...noise } as const;
  const photo = await sharp({ create }).blur(2).jpeg({ quality: 85 }).toBuffer();
  const photos = Array.from({ length: PHOTOS }, (_, index) => `<img src="/photo-${index}.jpg" width="600">`).join("");
  const text = "The quick brown fox jumps over the lazy dog. ".repeat(20);
  const sections = Array.from({ length: SECTIONS }, (_, index) => `<h2>Section ${index}</h2><p>${text}</p>`).join("");
  const html = `<!doctype html><title>Page</title><link rel="stylesheet" href="/a.css">${sections}${photos}<script src="/a.js"></script>`;
  const files: Readonly<Record<string, readonly [string, string | Buffer]>> = {
    "/": ["text/html", html],
    "/a.css": ["text/css", "body { font: 12pt serif } h2 { color: navy }"],
    "/a.js": ["text/javascript", "document.title += ' loaded'"],
  };
  const server = createServer(({ url = "" }, response) => {
    const [type, body] = files[url] ?? ["image/jpeg", photo];
    response.writeHead(200, { "content-type": type }).end(body);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` };
};

const main = async (): Promise<void> => {
  const { server, url } = await openSite();
  const pool = await sandboxedPool(scratch);
  if (pool === undefined) {
    throw new Error("No sandbox is available.");
  }
  // The program of the service, without its sandbox, proxy and checks.
  const [executablePath] = namesOf(engineTable.chromium.programs[0]).flatMap(pathsOf);
  const browser = await chromium.launch({ args: CHROMIUM_ARGUMENTS, ...(executablePath && { executablePath }) });
  const allowed = [new URL(url).host];
  const print = async () => (await openPage(pool, scratch, { page: url, allowed })).result;
  const ways: Readonly<Record<string, () => Promise<unknown> | unknown>> = {
    "sandbox and proxy": print,
    "the same at once": print,
    "warm Chromium": async () => {
      const page = await browser.newPage();
      await page.goto(url, { waitUntil: "load" });
      await page.pdf({ printBackground: true });
      await page.close();
    },
  };
  const listsOf = () => new Map<string, number[]>(Object.keys(ways).map((name) => [name, []]));
  const [times, work] = [listsOf(), listsOf()];
  try {
    for (let round = 0; round <= ROUNDS; round += 1) {
      for (const [name, run] of Object.entries(ways)) {
        await pause(name === "the same at once" ? 0 : PAUSE_MS);
        const start = performance.now();
        const { usage } = await watched(process.pid, async () => run());
        // The first round starts the browsers.
        times.get(name)?.push(...(round === 0 ? [] : [performance.now() - start]));
        work.get(name)?.push(...(round === 0 ? [] : [usage.cpuSeconds]));
      }
    }
  } finally {
    await Promise.all([pool.stop(), browser.close()]);
    server.close();
    rmSync(folder, { recursive: true, force: true });
  }
  const rows = Object.keys(ways).map((name) => [
    quantile(times.get(name) ?? [], 0.5),
    quantile(work.get(name) ?? [], 0.5),
  ]);
  const [[ms = 0, seconds = 0] = []] = rows;
  printTable([
    ["way", "ms", "ours / this", "CPU s", "ours / this"],
    ...rows.map(([time = 1, cpu = 1], index) => [
      ...[Object.keys(ways)[index] ?? "", time.toFixed(0), (ms / time).toFixed(2)],
      ...[cpu.toFixed(2), (seconds / cpu).toFixed(2)],
    ]),
  ]);
};

await main();
