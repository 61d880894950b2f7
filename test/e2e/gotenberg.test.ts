import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { join } from "node:path";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { invoiceXml } from "../engines/support/documents/invoice.ts";
import { poppler, viewPdf } from "../engines/support/documents/pdf.ts";
import { isInstalled } from "../engines/support/task.ts";
import { addressOf } from "../support/address.ts";
import { startLocalTarget } from "../support/services/targets.ts";
import { type TemporaryFolder, temporaryFolder } from "../support/temporary-folder.ts";
import { zipContent, zipNames } from "../support/zip.ts";
import { gotenbergRemoteSuite, type RemoteServer, remoteServer } from "./suite/gotenberg-remote.ts";
import { fixture } from "./suite/target.ts";

/** Gotenberg's routes, with the forms that its public clients send, and web pages by the API of this service. */

type Part = string | { readonly name: string; readonly bytes: Uint8Array | string };

let running: Awaited<ReturnType<typeof startLocalTarget>>;
let folder: TemporaryFolder;
let site: Server;
let origin: string;
let remote: RemoteServer;
let key: string;

beforeAll(async () => {
  site = createServer((request, response) => {
    response.writeHead(200, { "content-type": "text/html" });
    response.end(`<!DOCTYPE html><title>Site</title><h1>Site</h1><p>${request.headers.cookie ?? ""}
      <script>document.body.append("dynamic");</script>`);
  });
  origin = await addressOf(site);
  remote = await remoteServer();
  const allowed = [origin, remote.origin].map((url) => new URL(url).host).join(",");
  running = await startLocalTarget({ ANYFORM_GOTENBERG: "true", ANYFORM_ALLOW_ADDRESSES: allowed });
  key = running.target.account.api_key;
  folder = temporaryFolder();
});
afterAll(async () => {
  for (const server of [site, remote.server]) {
    server.closeAllConnections();
    server.close();
  }
  await running.stop();
  await folder.remove();
});

const formOf = (parts: readonly (readonly [string, Part])[]): FormData => {
  const form = new FormData();
  for (const [field, part] of parts) {
    if (typeof part === "string") {
      form.append(field, part);
    } else {
      form.append(field, new Blob([Buffer.from(part.bytes)]), part.name);
    }
  }
  return form;
};

const basic = (user: string, password: string) => `Basic ${Buffer.from(`${user}:${password}`).toString("base64")}`;

const post = (path: string, parts: readonly (readonly [string, Part])[], headers: Record<string, string> = {}) =>
  fetch(`${running.target.client.url}${path}`, {
    method: "POST",
    body: formOf(parts),
    headers: { authorization: basic("key", key), ...headers },
  });

/** @returns the path of the response's file, which must be one */
const saved = async (name: string, pending: Promise<Response>): Promise<string> => {
  const response = await pending;
  const bytes = Buffer.from(await response.arrayBuffer());
  expect(response.status, bytes.toString().slice(0, 300)).toBe(200);
  const path = join(folder.path, name);
  writeFileSync(path, bytes);
  return path;
};
const textOf = (path: string): string => poppler("pdftotext", path, "-") ?? "";

const INDEX = { name: "index.html", bytes: '<!DOCTYPE html><link rel="stylesheet" href="a.css"><h1>Index</h1>' };
const STYLE = { name: "a.css", bytes: "h1 { color: rgb(255, 0, 0) }" };
const file = (name: string): Part => ({ name, bytes: readFileSync(fixture(name)) });

describe.skipIf(!isInstalled("web"))("Gotenberg's Chromium routes", () => {
  test("print a URL on the requested paper, with cookies, under the requested name", async () => {
    const pending = post(
      "/forms/chromium/convert/url",
      [
        ["url", `${origin}/`],
        ["paperWidth", "100mm"],
        ["paperHeight", "5in"],
        ["landscape", "true"],
        ["cookies", JSON.stringify([{ name: "session", value: "abc", domain: "127.0.0.1" }])],
      ],
      { "gotenberg-output-filename": "report", "gotenberg-trace": "trace-17" },
    );
    const path = await saved("url.pdf", pending);
    expect(textOf(path)).toMatch(/Site[\s\S]*session=abc[\s\S]*dynamic/);
    const [page] = await viewPdf(path);
    expect(page?.width).toBeCloseTo(360, 0);
    expect(page?.height).toBeCloseTo(283.5, 0);
    const { headers } = await pending;
    expect(headers.get("gotenberg-trace")).toBe("trace-17");
    expect(headers.get("content-disposition")).toContain('filename="report.pdf"');
  });

  test("print HTML with its files, header and footer", async () => {
    const parts = [
      ["files", INDEX],
      ["files", STYLE],
      ["files", { name: "header.html", bytes: '<p style="font-size:20px">HEADER</p>' }],
    ] as const;
    expect(textOf(await saved("html.pdf", post("/forms/chromium/convert/html", parts)))).toMatch(/HEADER[\s\S]*Index/);
  });

  test("print Markdown in a template", async () => {
    const parts = [
      ["files", { name: "index.html", bytes: '<!DOCTYPE html><body>{{ toHTML "file.md" }}</body>' }],
      ["files", { name: "file.md", bytes: "# Title\n\n* item <b>bold</b>" }],
    ] as const;
    expect(textOf(await saved("md.pdf", post("/forms/chromium/convert/markdown", parts)))).toMatch(
      /Title[\s\S]*item <b>/,
    );
  });

  test.each([
    ["url", "jpeg", [["url", "ORIGIN"]]],
    [
      "html",
      "png",
      [
        ["files", INDEX],
        ["files", STYLE],
      ],
    ],
    ["markdown", "webp", [["files", INDEX]]],
  ] as const)("draw %s as %s in a window", async (kind, format, parts) => {
    const own = parts.map(([field, part]) => [field, part === "ORIGIN" ? `${origin}/` : part] as const);
    const settings = [
      ["format", format],
      ["width", "300"],
      ["height", "200"],
      ["clip", "true"],
    ] as const;
    const path = await saved(`${kind}.${format}`, post(`/forms/chromium/screenshot/${kind}`, [...own, ...settings]));
    expect(await sharp(path).metadata()).toMatchObject({ format, width: 300, height: 200 });
  });

  test("refuse fields that have no equivalent, and forms that are not complete", async () => {
    const expression = await post("/forms/chromium/convert/html", [
      ["files", INDEX],
      ["waitForExpression", "done"],
    ]);
    expect([expression.status, await expression.text()]).toEqual([501, expect.stringContaining("'waitForExpression'")]);
    const missing = await post("/forms/chromium/convert/html", [["files", STYLE]]);
    expect([missing.status, await missing.text()]).toEqual([400, expect.stringContaining("'index.html'")]);
    const refused = await post("/forms/chromium/convert/url", [["url", `${running.target.client.url}/health`]]);
    expect([refused.status, await refused.text()]).toEqual([400, expect.stringContaining("private network")]);
  });
});

describe.skipIf(!isInstalled("soffice"))("Gotenberg's LibreOffice route", () => {
  test("converts one file, and several into a ZIP or one PDF", async () => {
    const route = "/forms/libreoffice/convert";
    const two = [
      ["files", file("sample.odt")],
      ["files", file("sample.docx")],
    ] as const;
    expect(await viewPdf(await saved("one.pdf", post(route, [two[0]])))).toHaveLength(1);
    expect(await viewPdf(await saved("merged.pdf", post(route, [...two, ["merge", "true"]])))).toHaveLength(2);
    const zip = readFileSync(await saved("two.zip", post(route, two))).toString("latin1");
    expect(zip).toMatch(/sample\.docx\.pdf[\s\S]*sample\.odt\.pdf/);
  });
});

describe.skipIf(!isInstalled("qpdf"))("Gotenberg's PDF routes", () => {
  const pdf = file("sample.pdf");

  test("merge in the order of the names, and split", async () => {
    const merged = await saved(
      "m.pdf",
      post("/forms/pdfengines/merge", [
        ["files", { name: "10.pdf", bytes: readFileSync(fixture("sample.pdf")) }],
        ["files", { name: "9.pdf", bytes: readFileSync(fixture("sample.pdf")) }],
      ]),
    );
    const count = (await viewPdf(merged)).length;
    expect(count).toBe(2 * (await viewPdf(fixture("sample.pdf"))).length);
    const parts = [
      ["files", { name: "m.pdf", bytes: readFileSync(merged) }],
      ["splitMode", "pages"],
      ["splitSpan", "1"],
      ["splitUnify", "true"],
    ] as const;
    expect(await viewPdf(await saved("s.pdf", post("/forms/pdfengines/split", parts)))).toHaveLength(1);
  });

  test("rotate, flatten and encrypt", async () => {
    const rotated = await saved(
      "r.pdf",
      post("/forms/pdfengines/rotate", [
        ["files", pdf],
        ["rotateAngle", "90"],
      ]),
    );
    expect(poppler("pdfinfo", rotated) ?? "Page rot: 90").toMatch(/Page rot:\s+90/);
    await saved("f.pdf", post("/forms/pdfengines/flatten", [["files", pdf]]));
    const smaller = post("/forms/pdfengines/optimize", [
      ["files", pdf],
      ["imageQuality", "60"],
    ]);
    execFileSync("qpdf", ["--check", await saved("o.pdf", smaller)]);
    const encrypted = await saved(
      "e.pdf",
      post("/forms/pdfengines/encrypt", [
        ["files", pdf],
        ["userPassword", "open sesame"],
      ]),
    );
    expect(poppler("pdfinfo", "-upw", "open sesame", encrypted) ?? "Encrypted: yes").toMatch(/Encrypted:\s+yes/);
  });

  test("write metadata, bookmarks and PDF/A", async () => {
    const described = await saved(
      "d.pdf",
      post("/forms/pdfengines/metadata/write", [
        ["files", pdf],
        ["metadata", JSON.stringify({ Title: "A report", Keywords: ["one", "two"] })],
      ]),
    );
    expect(poppler("pdfinfo", described) ?? "Title: A report Keywords: one, two").toMatch(
      /Title:\s+A report[\s\S]*Keywords:\s+one, two/,
    );
    const marked = await saved(
      "b.pdf",
      post("/forms/pdfengines/bookmarks/write", [
        ["files", pdf],
        ["bookmarks", JSON.stringify([{ title: "Start", page: 1, children: [{ title: "Inner", page: 1 }] }])],
      ]),
    );
    const outlines = execFileSync("qpdf", ["--json", "--json-key=outlines", marked], { encoding: "utf8" });
    expect(JSON.parse(outlines).outlines).toMatchObject([{ title: "Start", kids: [{ title: "Inner" }] }]);
    const unknown = await post("/forms/pdfengines/metadata/write", [
      ["files", pdf],
      ["metadata", '{"Trapped": true}'],
    ]);
    expect([unknown.status, await unknown.text()]).toEqual([501, expect.stringContaining("Trapped")]);
    const level = await post("/forms/pdfengines/convert", [
      ["files", pdf],
      ["pdfa", "PDF/A-9x"],
    ]);
    expect(level.status).toBe(400);
  });

  test("read metadata and bookmarks of each file by its name", async () => {
    const read = async (name: string, parts: readonly (readonly [string, Part])[]) =>
      JSON.parse(readFileSync(await saved(`${name}.json`, post(`/forms/pdfengines/${name}/read`, parts))).toString());
    const other = { name: "other.pdf", bytes: readFileSync(fixture("sample.pdf")) };
    const marked = await saved(
      "marked.pdf",
      post("/forms/pdfengines/merge", [
        ["files", pdf],
        ["metadata", JSON.stringify({ Title: "A report" })],
        ["bookmarks", JSON.stringify([{ title: "Start", page: 1, children: [{ title: "Inner", page: 1 }] }])],
      ]),
    );
    const source = { name: "marked.pdf", bytes: readFileSync(marked) };
    const files = [
      ["files", other],
      ["files", source],
    ] as const;
    expect(await read("metadata", files)).toMatchObject({
      "other.pdf": { PageCount: (await viewPdf(fixture("sample.pdf"))).length },
      "marked.pdf": { Title: "A report", FileType: "PDF" },
    });
    expect(await read("bookmarks", [["files", source]])).toEqual({
      "marked.pdf": [{ title: "Start", page: 1, children: [{ title: "Inner", page: 1, children: [] }] }],
    });
  });

  test("mark pages several times, by repeated fields", async () => {
    const flat = '{"rotation": 0}';
    const marked = await saved(
      "several.pdf",
      post("/forms/pdfengines/merge", [
        ["files", pdf],
        ["stampSource", "text"],
        ["stampExpression", "FIRST"],
        ["stampPages", "1"],
        ["stampSource", "image"],
        ["stampExpression", ""],
        ["stampSource", "text"],
        ["stampExpression", "THIRD"],
        ...[flat, "", flat].map((options): [string, Part] => ["stampOptions", options]),
        ["stamp", file("sample.png")],
      ]),
    );
    expect(textOf(marked)).toMatch(/FIRST[\s\S]*THIRD|THIRD[\s\S]*FIRST/);
    const images = (path: string) => poppler("pdfimages", "-list", path)?.split("\n").length ?? 0;
    expect(images(marked)).toBeGreaterThan(images(fixture("sample.pdf")));
    const incomplete = await post("/forms/pdfengines/stamp", [
      ["files", pdf],
      ["stampSource", "text"],
      ["stampExpression", "X"],
      ["stampSource", "image"],
    ]);
    expect([incomplete.status, await incomplete.text()]).toEqual([400, expect.stringContaining("stamp")]);
  });

  test("embed the invoice of a merged PDF", async () => {
    const invoice = await saved(
      "invoice.pdf",
      post("/forms/pdfengines/merge", [
        ["files", pdf],
        ["facturxConformanceLevel", "BASIC"],
        ["facturxXml", { name: "any.xml", bytes: invoiceXml("urn:factur-x.eu:1p0:minimum") }],
      ]),
    );
    const attachments = execFileSync("qpdf", ["--list-attachments", invoice], { encoding: "utf8" });
    expect(attachments).toContain("factur-x.xml");
    expect(execFileSync("pdfinfo", ["-meta", invoice], { encoding: "utf8" })).toContain("pdfaid:part");
    const missing = await post("/forms/pdfengines/merge", [
      ["files", pdf],
      ["facturxConformanceLevel", "BASIC"],
    ]);
    expect([missing.status, await missing.text()]).toEqual([400, expect.stringContaining("facturxXml")]);
  });

  test("embed files, and mark pages with a text or an image", async () => {
    const embedded = await saved(
      "embedded.pdf",
      post("/forms/pdfengines/embed", [
        ["files", pdf],
        ["embeds", { name: "a.txt", bytes: "one" }],
        ["embeds", { name: "b.csv", bytes: "x,y\n1,2\n" }],
      ]),
    );
    const attachments = execFileSync("qpdf", ["--list-attachments", embedded], { encoding: "utf8" });
    expect(attachments).toMatch(/a\.txt[\s\S]*b\.csv/);
    const text = await saved(
      "text.pdf",
      post("/forms/pdfengines/watermark", [
        ["files", pdf],
        ["watermarkSource", "text"],
        ["watermarkExpression", "CONFIDENTIAL"],
        ["watermarkOptions", JSON.stringify({ rotation: 0, opacity: 0.5, color: "#ff0000", points: 40 })],
      ]),
    );
    expect(textOf(text)).toContain("CONFIDENTIAL");
    const image = await saved(
      "image.pdf",
      post("/forms/pdfengines/stamp", [
        ["files", pdf],
        ["stampSource", "image"],
        ["stampExpression", "sample.png"],
        ["stamp", file("sample.png")],
      ]),
    );
    const images = (path: string) => poppler("pdfimages", "-list", path)?.split("\n").length ?? 0;
    expect(images(image)).toBeGreaterThan(images(fixture("sample.pdf")));
    const unknown = await post("/forms/pdfengines/stamp", [
      ["files", pdf],
      ["stampSource", "text"],
      ["stampExpression", "X"],
      ["stampOptions", JSON.stringify({ margins: 3 })],
    ]);
    expect([unknown.status, await unknown.text()]).toEqual([501, expect.stringContaining("margins")]);
  });

  test("split into parts with a number of pages, each protected", async () => {
    const three = ["1.pdf", "2.pdf", "3.pdf"].map(
      (name) => ["files", { name, bytes: readFileSync(fixture("sample.pdf")) }] as const,
    );
    const merged = readFileSync(await saved("three.pdf", post("/forms/pdfengines/merge", three)));
    const zip = await saved(
      "parts.zip",
      post("/forms/pdfengines/split", [
        ["files", { name: "three.pdf", bytes: merged }],
        ["splitMode", "intervals"],
        ["splitSpan", "2"],
        ["userPassword", "open"],
      ]),
    );
    const names = zipNames(zip);
    const pages = 3 * (await viewPdf(fixture("sample.pdf"))).length;
    expect(names).toEqual(Array.from({ length: Math.ceil(pages / 2) }, (_, index) => `three_${index + 1}.pdf`));
    const path = join(folder.path, "part.pdf");
    writeFileSync(path, zipContent(zip, "three_1.pdf"));
    expect(execFileSync("qpdf", ["--password=open", "--show-npages", path], { encoding: "utf8" }).trim()).toBe("2");
    const single = post("/forms/pdfengines/split", [
      ["files", pdf],
      ["splitMode", "pages"],
      ["splitSpan", "1"],
    ]);
    expect(await viewPdf(await saved("single.pdf", single))).toHaveLength(1);
  });
});

gotenbergRemoteSuite({ post, remote: () => remote, folder: () => folder.path });

describe("Gotenberg's routes", () => {
  test("require an API key, as a bearer token or by basic authentication", async () => {
    const call = (authorization: string) => post("/forms/pdfengines/merge", [["files", "x"]], { authorization });
    expect((await call("Bearer wrong")).status).toBe(401);
    expect((await call(basic("key", "wrong"))).headers.get("www-authenticate")).toContain("Basic");
    for (const header of [`Bearer ${key}`, basic(key, ""), basic("any", key)]) {
      expect((await call(header)).status).toBe(400);
    }
    const own = await post("/forms/pdfengines/merge", [["files", "x"]], { authorization: "", "x-api-key": key });
    expect(own.status).toBe(400);
  });

  test("report the version, unknown paths and methods", async () => {
    const get = (path: string) => fetch(`${running.target.client.url}${path}`);
    expect((await get("/version")).status).toBe(200);
    expect((await get("/health")).status).toBe(200);
    expect((await get("/forms/unknown")).status).toBe(404);
    expect((await get("/forms/pdfengines/merge")).status).toBe(405);
  });
});

describe.skipIf(!isInstalled("web"))("a web page by the API", () => {
  test("becomes a PDF; its cookies and headers are not returned", async () => {
    const { client } = running.target;
    const options = { cookies: "session=abc", request_headers: "X-A: b", wait_until: "network_idle" };
    const request = { url: `${origin}/`, target_format: "pdf", options };
    const { body } = await client.convert(request, { prefer: "wait=25" });
    expect(body).toMatchObject({ status: "completed", result: { filename: "127.0.0.1.pdf" } });
    expect(body.options).toEqual({ wait_until: "network_idle" });
  });

  test("in a private network fails, and a URL without a web scheme is rejected", async () => {
    const { client } = running.target;
    const convert = (url: string) => client.convert({ url, target_format: "png" }, { prefer: "wait=25" });
    expect((await convert(`${running.target.client.url}/`)).body).toMatchObject({ error: { code: "page_refused" } });
    for (const url of ["file:///etc/passwd", "chrome://version", "http://user@example.com/"]) {
      expect((await convert(url)).status, url).toBe(400);
    }
  });
});
