import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import sharp from "sharp";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Options } from "../../../../functions/domain/conversions/options.ts";
import type { FormatId } from "../../../../functions/domain/formats/formats.ts";
import { writeZip } from "../../../../functions/engines/archives/zip/writer.ts";
import type { ConversionResult } from "../../../../functions/engines/core/task.ts";
import { webEngine } from "../../../../functions/engines/documents/web.ts";
import { addressOf } from "../../../support/address.ts";
import { codeOf } from "../../support/convert.ts";
import { poppler, viewPdf } from "../../support/documents/pdf.ts";
import { scratchFolder } from "../../support/scratch.ts";
import { openPage, sandboxedPool } from "../../support/site.ts";
import { isInstalled } from "../../support/task.ts";

/** Web pages as PDF and pictures: the real browser, in the real sandbox, behind the real proxy. */

const scratch = scratchFolder();
const pool = isInstalled("web") ? await sandboxedPool(scratch) : undefined;
const MILLIMETER = 72 / 25.4;

const PAGE = `<!DOCTYPE html><title>Test page</title><link rel="stylesheet" href="/style.css">
<style>body { margin: 0 }</style><h1 id="headline">Static</h1><p class="print">printed</p><p class="screen">shown</p><img src="/red.png" width="50" height="50">
<script>document.getElementById("headline").textContent = "Dynamic";
setTimeout(() => { const late = document.createElement("p"); late.id = "late"; late.textContent = "Latecomer"; document.body.append(late); }, 700);</script>`;
const STYLE = "@media print { .screen { display: none } } @media screen { .print { display: none } }";

describe.skipIf(pool === undefined)("a web page", () => {
  let server: Server;
  let origin: string;
  let requests: IncomingMessage[] = [];
  let red: Buffer;
  beforeAll(async () => {
    red = await sharp({ create: { width: 10, height: 10, channels: 3, background: "red" } })
      .png()
      .toBuffer();
    const answers: Record<string, (response: ServerResponse) => void> = {
      "/style.css": (response) => response.writeHead(200, { "content-type": "text/css" }).end(STYLE),
      "/red.png": (response) => response.writeHead(200, { "content-type": "image/png" }).end(red),
      "/moved": (response) => response.writeHead(302, { location: "/" }).end(),
      "/file": (response) => response.writeHead(200, { "content-type": "application/zip" }).end("PK"),
      "/broken": (response) => response.writeHead(500).end("<h1>Broken"),
    };
    server = createServer((request, response) => {
      requests.push(request);
      const answer = answers[request.url ?? ""];
      if (answer !== undefined) {
        answer(response);
        return;
      }
      response.writeHead(200, { "content-type": "text/html; charset=utf-8" }).end(PAGE);
    });
    origin = await addressOf(server);
  });
  beforeEach(() => {
    requests = [];
  });
  afterAll(async () => {
    server.closeAllConnections();
    server.close();
    await pool?.stop();
  });

  const convert = async (path: string, options: Options = {}, to: FormatId = "pdf"): Promise<ConversionResult> => {
    if (pool === undefined) {
      throw new Error("No sandbox is available.");
    }
    const allowed = [new URL(origin).host];
    const { result } = await openPage(pool, scratch, { page: `${origin}${path}`, to, options, allowed });
    return result;
  };
  const textOf = ({ output }: ConversionResult): string => poppler("pdftotext", "-layout", output, "-") ?? "";

  test("becomes a PDF with its styles, pictures and scripts", async () => {
    const result = await convert("/");
    expect(textOf(result)).toMatch(/Dynamic\s+printed/);
    expect(textOf(result)).not.toContain("shown");
    expect(requests.map(({ url }) => url)).toEqual(expect.arrayContaining(["/", "/style.css", "/red.png"]));
    expect(result.warnings).toEqual([]);
    const [page] = await viewPdf(result.output);
    expect(page?.width).toBeCloseTo(595, -1);
  });

  test("is printed as on a screen, without scripts, on the requested paper", async () => {
    const options = {
      css_media: "screen",
      javascript: false,
      page_width: 100,
      page_height: 50,
      margin_left: 20,
    } as const;
    const result = await convert("/", options);
    expect(textOf(result)).toMatch(/Static\s+shown/);
    const [page] = await viewPdf(result.output);
    expect(page?.width).toBeCloseTo(100 * MILLIMETER, 0);
    expect(page?.height).toBeCloseTo(50 * MILLIMETER, 0);
    const box = poppler("pdftotext", "-bbox", result.output, "-") ?? "";
    expect(Number(/xMin="([\d.]+)"[^>]*>Static/.exec(box)?.[1])).toBeCloseTo(20 * MILLIMETER, -1);
  });

  test("is complete when the selector matches, or after the wait", async () => {
    expect(textOf(await convert("/", { wait_for_selector: "#late" }))).toContain("Latecomer");
    expect(textOf(await convert("/", { wait_ms: 1_000 }))).toContain("Latecomer");
  });

  test("has the header and the footer of the templates, with page numbers", async () => {
    const template = (text: string) => `<div style="font-size:12px;margin-left:1cm">${text}</div>`;
    const result = await convert("/", {
      header_template: template('TOP <span class="title"></span>'),
      footer_template: template('<span class="pageNumber"></span> of <span class="totalPages"></span>'),
      page_margin: 30,
    });
    expect(textOf(result)).toMatch(/TOP Test page[\s\S]*1 of 1/);
  });

  test("receives cookies, headers and the user agent", async () => {
    await convert("/", { cookies: "session=abc; theme=dark", request_headers: "X-Token: 17", user_agent: "Tester/1" });
    const first = requests.find(({ url }) => url === "/");
    expect(first?.headers).toMatchObject({
      cookie: "session=abc; theme=dark",
      "x-token": "17",
      "user-agent": "Tester/1",
    });
  });

  test.each(["png", "jpg", "webp"] as const)(
    "becomes a %s of the requested width, with its complete height",
    async (to) => {
      const { output } = await convert("/", { width: 400 }, to);
      const { width, height = 0, format } = await sharp(output).metadata();
      expect([width, format]).toEqual([400, to === "jpg" ? "jpeg" : to]);
      expect(height).toBeGreaterThanOrEqual(800);
    },
  );

  test("becomes a picture of the window alone, with a transparent background", async () => {
    const { output } = await convert("/", { width: 300, height: 200, transparent: true }, "png");
    const { data, info } = await sharp(output).raw().toBuffer({ resolveWithObject: true });
    expect([info.width, info.height, info.channels]).toEqual([300, 200, 4]);
    expect(data[3]).toBe(0);
  });

  test("is followed through a redirect", async () => {
    expect(textOf(await convert("/moved"))).toContain("Dynamic");
  });

  test.each([
    ["/broken", "page_unavailable", "status 500"],
    ["/file", "page_unavailable", "returns a file"],
  ])("at %s fails with %s", async (path, code, detail) => {
    const failure = convert(path);
    await expect(failure).rejects.toThrow(detail);
    expect(await codeOf(failure)).toBe(code);
  });

  test("is not read from a file or from a URL with a user name", async () => {
    for (const page of ["file:///etc/passwd", "chrome://version", "http://user:word@example.com/", "javascript:1"]) {
      const { result } = await openPage(pool as NonNullable<typeof pool>, scratch, { page });
      expect(await codeOf(result), page).toBe("source_corrupt");
    }
  });

  test("in a ZIP is printed with its files, and with its scripts when requested", async () => {
    const zip = scratch.path("site.zip");
    await writeZip(zip, [
      {
        path: "site/index.html",
        bytes: `<link rel=stylesheet href="css/a.css"><p>Alpha</p><img src="a b.png"><script src="js/a.js"></script>`,
      },
      { path: "site/css/a.css", bytes: "p { color: rgb(0, 0, 255); font-size: 40px }" },
      { path: "site/js/a.js", bytes: "document.body.append('scripted')" },
      { path: "site/a b.png", bytes: red },
    ]);
    const run = async (options: Options, to: FormatId = "pdf") => {
      const opened = await openPage(pool as NonNullable<typeof pool>, scratch, { page: zip, from: "zip", to, options });
      return opened.result;
    };
    expect(textOf(await run({}))).not.toContain("scripted");
    expect(textOf(await run({ javascript: true }))).toMatch(/Alpha[\s\S]*scripted/);
    const { output } = await run({ width: 200 }, "png");
    const { dominant } = await sharp(output).extract({ left: 9, top: 0, width: 10, height: 120 }).stats();
    expect(dominant).toBeDefined();
    const { data, info } = await sharp(output).removeAlpha().raw().toBuffer({ resolveWithObject: true });
    const pixels = Array.from({ length: info.width * info.height }, (_, at) =>
      data.subarray(3 * at, 3 * at + 3).join(),
    );
    expect(pixels).toContain("255,0,0");
    expect(pixels).toContain("0,0,255");
  });

  test("runs in a converter that is ended afterward", async () => {
    const alone = await sandboxedPool(scratch);
    const html = scratch.file("<!DOCTYPE html><p>One");
    const open = async () =>
      (await openPage(alone as NonNullable<typeof alone>, scratch, { page: html, from: "html" })).result;
    await Promise.all([open(), open()]);
    await alone?.stop();
  });

  test("without a proxy or a sandbox fails", async () => {
    const input = scratch.file("[InternetShortcut]\nURL=http://example.com/");
    const task = {
      input,
      output: scratch.fresh(),
      folder: scratch.folder,
      from: "url",
      to: "pdf",
      options: {},
    } as const;
    await expect(webEngine.convert({ ...task, further: [], optionFiles: {}, progress: () => {} })).rejects.toThrow(
      "does not load",
    );
  });
});
