import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { planRoutes } from "../../../functions/domain/conversions/plan.ts";
import { readZip } from "../../../functions/engines/archives/zip/reader.ts";
import { writeZip, type ZipMember } from "../../../functions/engines/archives/zip/writer.ts";
import { convertBook } from "../../../functions/engines/documents/calibre/worker.ts";
import { htmlOfBook as htmlOfEpub } from "../../../functions/engines/documents/epub/reading.ts";
import { htmlOfBook } from "../../../functions/engines/documents/mobi/book.ts";
import { installedEngines } from "../../../local/engines/installed.ts";
import { codeOf } from "../support/convert.ts";
import { viewHtml } from "../support/documents/html.ts";
import { fixture, sampleOf } from "../support/fixtures.ts";
import { childrenOf } from "../support/processes/processes.ts";
import { scratchFolder } from "../support/scratch.ts";
import { convertingBy, isInstalled } from "../support/task.ts";

/** Book conversions with Calibre, if it is installed. */

const scratch = scratchFolder();
const convert = convertingBy("calibre", scratch);

const SECRET = "harbour-master-key-4711";
const requests: string[] = [];
const server = createServer((request, response) => {
  requests.push(request.url ?? "");
  response.end(SECRET);
});
let origin = "";
let secret = "";
beforeAll(async () => {
  // Other test files run their own Calibre, whose folders must not be counted here.
  process.env.TMPDIR = scratch.folder;
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  secret = scratch.path("secret.html");
  writeFileSync(secret, `<html><body><p>${SECRET}</p></body></html>`);
});
afterAll(() => {
  server.close();
});

interface Parts {
  readonly chapter?: string;
  readonly manifest?: string;
  readonly spine?: string;
  readonly more?: readonly ZipMember[];
}

const book = async ({
  chapter = "<p>Plain words</p>",
  manifest = "",
  spine = "",
  more = [],
}: Parts): Promise<string> => {
  const path = `${scratch.fresh()}.epub`;
  await writeZip(path, [
    { path: "mimetype", bytes: "application/epub+zip", stored: true },
    {
      path: "META-INF/container.xml",
      bytes: `<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container" version="1.0"><rootfiles><rootfile full-path="book.opf" media-type="application/oebps-package+xml"/></rootfiles></container>`,
    },
    {
      path: "book.opf",
      bytes: `<package xmlns="http://www.idpf.org/2007/opf" version="2.0"><metadata xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>Tide tables</dc:title><dc:creator>Ana Łęcka</dc:creator><dc:language>pl</dc:language></metadata><manifest><item id="one" href="one.xhtml" media-type="application/xhtml+xml"/>${manifest}</manifest><spine><itemref idref="one"/>${spine}</spine></package>`,
    },
    {
      path: "one.xhtml",
      bytes: `<html xmlns="http://www.w3.org/1999/xhtml"><head><title>x</title></head><body>${chapter}</body></html>`,
    },
    ...more,
  ]);
  return path;
};

/** A PalmDoc text without compression: a database header, a text header and one record. */
const palmDoc = (text: string): Buffer => {
  const header = Buffer.alloc(78 + 2 * 8 + 2);
  header.write("Page", 0, "latin1");
  header.write("TEXtREAd", 60, "latin1");
  header.writeUInt16BE(2, 76);
  header.writeUInt32BE(header.length, 78);
  header.writeUInt32BE(header.length + 16, 86);
  const own = Buffer.alloc(16);
  own.writeUInt16BE(1, 0);
  own.writeUInt32BE(text.length, 4);
  own.writeUInt16BE(1, 8);
  own.writeUInt16BE(4_096, 10);
  return Buffer.concat([header, own, Buffer.from(text, "latin1")]);
};

const textOf = (path: string): string => htmlOfBook(readFileSync(path)).html;

test("offers MOBI only with Calibre, for every source that converts to EPUB", () => {
  const engines = new Set(installedEngines().keys()).difference(new Set(["calibre"]));
  expect(planRoutes(engines).find("epub", "mobi")).toBeUndefined();
  const routes = planRoutes(new Set([...engines, "calibre"]));
  for (const from of ["epub", "html", "md", "docx", "fb2", "azw3", "pdf"] as const) {
    expect([from, routes.find(from, "mobi")?.lane]).toEqual([from, "documents"]);
  }
  expect(routes.find("mobi", "epub")?.steps.map(({ engine }) => engine)).toEqual(["mobi"]);
  expect(routes.find("mobi", "html")?.steps.map(({ engine }) => engine)).toEqual(["mobi"]);
});

describe.skipIf(!isInstalled("calibre"))("Calibre", () => {
  test.each(["mobi", "azw3"] as const)(
    "preserves title, author and language in %s, and adds no chapters",
    async (to) => {
      const { path } = await convert(await book({ chapter: "<h2>One</h2><p>a</p><h2>Chapter 2</h2><p>b</p>" }), [
        "epub",
        to,
      ]);
      const html = textOf(path);
      expect(html).toMatch(/<html lang="pl">[\s\S]*<title>Tide tables<\/title>[\s\S]*content="Ana Łęcka"/);
      expect(viewHtml(html).text).toMatch(/One[\s\S]*a[\s\S]*Chapter 2[\s\S]*b/);
    },
  );

  test("rasterizes drawings, which old devices do not show", async () => {
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 20"><rect width="40" height="20" fill="#c00"/></svg>`;
    const input = await book({
      chapter: `<p>Flag <img src="flag.svg" alt="Flag"/></p>`,
      manifest: `<item id="flag" href="flag.svg" media-type="image/svg+xml"/>`,
      more: [{ path: "flag.svg", bytes: svg }],
    });
    const { path } = await convert(input, ["epub", "mobi"]);
    expect(viewHtml(textOf(path)).pictures).toEqual([expect.stringMatching(/^data:image\/(?:png|jpeg|gif);/)]);
  });

  test("does not fetch or read anything that a book refers to", async () => {
    const input = await book({
      chapter: `<p>Plain words</p><img src="${origin}/a.png"/><img src="file://${secret}"/><img src="../../../../../..${secret}"/>
        <a href="file://${secret}">x</a><a href="../../../../../..${secret}">y</a><iframe src="file://${secret}"/>
        <object data="${origin}/o"/><link rel="stylesheet" href="${origin}/s.css"/><style>@import url(${origin}/i.css); p { background: url(${origin}/b.png) }</style>
        <script src="${origin}/x.js"></script>`,
      manifest: `<item id="two" href="../../../../../../../..${secret}" media-type="application/xhtml+xml"/><item id="three" href="file://${secret}" media-type="application/xhtml+xml"/><item id="css" href="${origin}/m.css" media-type="text/css"/>`,
      spine: `<itemref idref="two"/><itemref idref="three"/>`,
    });
    for (const to of ["mobi", "azw3", "fb2"] as const) {
      const { path } = await convert(input, ["epub", to]);
      expect(readFileSync(path).includes(SECRET)).toBe(false);
      expect(to === "fb2" ? readFileSync(path, "utf8") : textOf(path)).toContain("Plain words");
    }
    expect(requests).toEqual([]);
  });

  test("cannot fetch or read anything, even from an uncleaned book", async () => {
    const folder = scratch.fresh();
    mkdirSync(folder);
    const page = `<html><head><link rel="stylesheet" href="${origin}/s.css"/></head><body><p>Plain words</p><img src="${origin}/a.png"/><a href="file://${secret}">x</a><a href="${secret}">y</a></body></html>`;
    const [input, output] = [join(folder, "book.html"), join(folder, "made.txt")];
    writeFileSync(input, page);
    const { code, log } = await convertBook({ folder, arguments: [input, output] });
    expect([code, log.includes("Plain words")]).toEqual([0, false]);
    expect(readFileSync(output, "utf8")).toContain("Plain words");
    expect(readFileSync(output, "utf8")).not.toContain(SECRET);
    const outside = join(scratch.folder, "outside.mobi");
    expect((await convertBook({ folder, arguments: [fixture("sample.epub"), outside] })).code).not.toBe(0);
    expect(requests).toEqual([]);
    expect(readdirSync(scratch.folder)).not.toContain("outside.mobi");
  });

  test("does not follow references in a Palm book with HTML text", async () => {
    const page = `<html><body><p>Plain words</p><a href="${secret}">x</a><a href="file://${secret}">y</a><img src="${origin}/a.png"/><iframe src="${secret}"></iframe></body></html>`;
    const { path } = await convert(scratch.file(palmDoc(page)), ["pdb", "epub"]);
    const words = await readZip(path, async (zip) =>
      (await Promise.all(zip.paths.map((each) => zip.read(each)))).map((bytes) => bytes?.toString("latin1")).join("\n"),
    );
    expect(words).toContain("Plain words");
    expect(words).not.toContain(SECRET);
    expect(requests).toEqual([]);
  });

  test("rejects DRM-protected, damaged and invalid books with the documented codes", async () => {
    const locked = await book({
      more: [
        {
          path: "META-INF/encryption.xml",
          bytes: `<encryption xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><e:EncryptedData xmlns:e="http://www.w3.org/2001/04/xmlenc#"><e:EncryptionMethod Algorithm="http://www.w3.org/2001/04/xmlenc#aes128-cbc"/><e:CipherData><e:CipherReference URI="one.xhtml"/></e:CipherData></e:EncryptedData></encryption>`,
        },
      ],
    });
    expect(await codeOf(convert(locked, ["epub", "mobi"]))).toBe("unsupported_feature");
    const half = readFileSync(sampleOf("epub")).subarray(0, 900);
    expect(await codeOf(convert(scratch.file(half), ["epub", "mobi"]))).toBe("source_corrupt");
    const huge = Buffer.from(readFileSync(sampleOf("png")));
    huge.writeUInt32BE(60_000, 16);
    huge.writeUInt32BE(60_000, 20);
    const bomb = await book({
      chapter: `<img src="p.png"/>`,
      manifest: `<item id="p" href="p.png" media-type="image/png"/>`,
      more: [{ path: "p.png", bytes: huge }],
    });
    expect(await codeOf(convert(bomb, ["epub", "azw3"]))).toBe("too_many_pixels");
  });

  test("finds the pages and the pictures of a CHM in any case, as Windows does", async () => {
    const { path, codes } = await convert(fixture("guide.chm"), ["chm", "epub"]);
    expect(codes).toEqual([]);
    const { html } = await readZip(path, htmlOfEpub, "epub");
    const view = viewHtml(html);
    expect(view.text).toMatch(/Boats leave at nine\.[\s\S]*High water is at noon\./);
    expect(view.pictures).toEqual([expect.stringMatching(/^data:image\/png;base64,/)]);
  });

  test.each(["lit", "lrf", "pdb"] as const)(
    "reports a truncated or invalid %s as corrupt, and reads the next book",
    async (from) => {
      const bytes = readFileSync(sampleOf(from));
      expect(await codeOf(convert(scratch.file(bytes.subarray(0, 300)), [from, "epub"]))).toBe("source_corrupt");
      expect(await codeOf(convert(scratch.file("This is a text."), [from, "epub"]))).toBe("source_corrupt");
      expect((await convert(sampleOf(from), [from, "epub"])).codes).not.toContain("source_corrupt");
    },
  );

  test("stays warm for the next book, restarts after a crash, and removes its folder", async () => {
    const input = await book({});
    await convert(input, ["epub", "mobi"]);
    const [first] = childrenOf();
    await convert(input, ["epub", "azw3"]);
    expect(childrenOf()).toEqual([first]);
    process.kill(first ?? 0, "SIGKILL");
    expect(textOf((await convert(input, ["epub", "mobi"])).path)).toContain("Plain words");
    expect(childrenOf()).not.toEqual([first]);
    expect(readdirSync(tmpdir()).filter((name) => /^calibre[-_]/.test(name))).toEqual([]);
  });
});
