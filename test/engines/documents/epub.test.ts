import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { readZip } from "../../../functions/engines/archives/zip/reader.ts";
import { writeZip, type ZipMember } from "../../../functions/engines/archives/zip/writer.ts";
import { readXml } from "../../../functions/engines/data/text/xml.ts";
import { codeOf } from "../support/convert.ts";
import { viewHtml } from "../support/documents/html.ts";
import { fixture } from "../support/fixtures.ts";
import { scratchFolder } from "../support/scratch.ts";
import { convertingBy } from "../support/task.ts";

const scratch = scratchFolder();
const convert = convertingBy("epub", scratch);

/** A book with the package document at the root, next to these files. */
const book = async (chapters: Readonly<Record<string, string>>, more: readonly ZipMember[] = []): Promise<string> => {
  const path = scratch.fresh();
  const names = Object.keys(chapters);
  const items = names.map((name, index) => `<item id="i${index}" href="${name}" media-type="application/xhtml+xml"/>`);
  const spine = names.map((_, index) => `<itemref idref="i${index}"/>`);
  const cover = '<item id="cover" href="cover.png" media-type="image/png" properties="cover-image"/>';
  await writeZip(path, [
    { path: "mimetype", bytes: "application/epub+zip", stored: true },
    {
      path: "META-INF/container.xml",
      bytes: '<container><rootfiles><rootfile full-path="book.opf"/></rootfiles></container>',
    },
    {
      path: "book.opf",
      bytes: `<package><metadata><dc:title xmlns:dc="x">A &amp; B</dc:title></metadata><manifest>${items.join("")}${cover}</manifest><spine>${spine.join("")}</spine></package>`,
    },
    ...names.map((name) => ({ path: name, bytes: chapters[name] ?? "" })),
    ...more,
  ]);
  return path;
};

const picture = readFileSync(fixture("sample.png"));

describe("a book becomes one HTML file", () => {
  test("without style sheets that only apply when the reader selects them", async () => {
    const head =
      '<head><link rel="stylesheet" href="day.css"/><link rel="alternate stylesheet" title="Night" href="night.css"/></head>';
    const input = await book({ "a.xhtml": `<html xmlns="http://www.w3.org/1999/xhtml">${head}<body>A</body></html>` }, [
      { path: "day.css", bytes: "body { color: #111111 }" },
      { path: "night.css", bytes: "body { background: #222222 }" },
    ]);
    const html = readFileSync((await convert(input, ["epub", "html"])).path, "utf8");
    expect(html).toContain("#111111");
    expect(html).not.toContain("#222222");
  });

  const html = async (path: string) => {
    const { path: output, codes } = await convert(path, ["epub", "html"]);
    const text = readFileSync(output, "utf8");
    return { text, codes, view: viewHtml(text) };
  };

  test("with working links between chapters, even with duplicate IDs", async () => {
    const { text } = await html(
      await book({
        "a.xhtml": '<p id="x">A</p><a href="b.xhtml#x">b</a><a href="#x">a</a><a href="c.xhtml">gone</a>',
        "b.xhtml": '<p id="x">B</p><a href="a.xhtml">first</a>',
      }),
    );
    expect([...text.matchAll(/<p id="([^"]+)">/g)].map(([, id]) => id)).toEqual(["c1-x", "c2-x"]);
    expect(viewHtml(text).links).toEqual(["#c2-x", "#c1-x", "#c1"]);
  });

  test("with its cover, if no chapter shows it", async () => {
    const { view, text } = await html(await book({ "a.xhtml": "<p>x</p>" }, [{ path: "cover.png", bytes: picture }]));
    expect(view.pictures).toEqual([`data:image/png;base64,${picture.toString("base64")}`]);
    expect(text).toContain("<title>A &amp; B</title>");
  });

  test("with a cover embedded in a drawing, once", async () => {
    const page = '<svg xmlns:xlink="x" viewBox="0 0 9 9"><image width="9" height="9" xlink:href="cover.png"/></svg>';
    const { view } = await html(await book({ "a.xhtml": page }, [{ path: "cover.png", bytes: picture }]));
    expect(view.pictures).toEqual([`data:image/png;base64,${picture.toString("base64")}`]);
  });

  test("without reading anything outside the book", async () => {
    const { view, codes } = await html(
      await book({
        "a.xhtml": '<img src="../../../etc/hostname"/><img src="/etc/hostname"/><img src="http://127.0.0.1:1/a"/>x',
      }),
    );
    expect(view.pictures).toEqual([]);
    expect(view.unsafe).toEqual([]);
    expect(codes).toContain("pictures_dropped");
  });

  test("from UTF-16 and with HTML entities", async () => {
    const { view } = await html(await book({ "a.xhtml": "<p>a&nbsp;&eacute;&#x142;</p>" }));
    expect(view.text).toContain("a\u00a0éł");
  });

  test("unless its chapters have DRM; obfuscated fonts are allowed", async () => {
    const lock = (algorithm: string, uri: string): ZipMember => ({
      path: "META-INF/encryption.xml",
      bytes: `<encryption><EncryptedData><EncryptionMethod Algorithm="${algorithm}"/><CipherData><CipherReference URI="${uri}"/></CipherData></EncryptedData></encryption>`,
    });
    const locked = await book({ "a.xhtml": "<p>x</p>" }, [
      lock("http://www.w3.org/2001/04/xmlenc#aes128-cbc", "a.xhtml"),
    ]);
    await expect(convert(locked, ["epub", "html"])).rejects.toThrow(/DRM/);
    expect(await codeOf(convert(locked, ["epub", "html"]))).toBe("unsupported_feature");
    const fonts = await book({ "a.xhtml": "<p>x</p>" }, [lock("http://www.idpf.org/2008/embedding", "font.otf")]);
    expect((await html(fonts)).view.text.trim()).toBe("x");
  });

  test.each([
    ["has no chapters", () => book({})],
    ["has no package document", () => file([{ path: "mimetype", bytes: "application/epub+zip", stored: true }])],
    ["is truncated", () => Promise.resolve(scratch.file(readFileSync(fixture("sample.epub")).subarray(0, 1_500)))],
  ])("unless it %s", async (_, made) => {
    expect(await codeOf(convert(await made(), ["epub", "html"]))).toBe("source_corrupt");
  });

  const file = async (members: readonly ZipMember[]): Promise<string> => {
    const path = scratch.fresh();
    await writeZip(path, members);
    return path;
  };
});

describe("HTML becomes a book", () => {
  const written = async (source: string) => {
    const { path, codes } = await convert(scratch.file(source), ["html", "epub"]);
    const members = await readZip(path, async (zip) =>
      Object.fromEntries(
        await Promise.all(zip.paths.map(async (name) => [name, String(await zip.read(name))] as const)),
      ),
    );
    const chapters = Object.keys(members).filter((name) => name.includes("chapter-"));
    for (const name of [...chapters, "EPUB/package.opf", "EPUB/contents.ncx", "EPUB/text/contents.xhtml"]) {
      readXml(members[name] ?? "", { depthMax: 300 });
    }
    return { members, chapters: chapters.map((name) => members[name] ?? ""), codes, bytes: readFileSync(path) };
  };

  test("that is detected by its first bytes", async () => {
    const { bytes } = await written("<p>x</p>");
    expect(bytes.toString("latin1", 30, 58)).toBe("mimetypeapplication/epub+zip");
  });

  test("with a chapter for each heading of the first two levels, and nested contents", async () => {
    const { members, chapters } = await written(
      "<main><p>Before</p><h1>One</h1><h2>One a</h2><p>x</p><h3>Deep</h3><h2>One b</h2><p>y</p><h1>Two</h1></main>",
    );
    expect(
      chapters.map((chapter) =>
        viewHtml(chapter)
          .headings.map(([, words]) => words)
          .join(),
      ),
    ).toEqual(["", "One,One a,Deep", "One b", "Two"]);
    const lines = viewHtml(members["EPUB/text/contents.xhtml"] ?? "").items;
    expect(lines).toEqual(["ol 1", "ol One", "ol ol One a", "ol ol ol Deep", "ol ol One b", "ol Two"]);
    expect(members["EPUB/contents.ncx"]?.match(/<navPoint /g)).toHaveLength(6);
  });

  test("with working links, unique IDs, and no links to missing targets", async () => {
    const { chapters } = await written(
      '<h1 id="a b">A</h1><p id="x">x<a href="#x">1</a><a href="#y">2</a><a href="#z">3</a><a href="other.html">4</a></p><h1>B</h1><p id="x">y</p><a name="y">z</a>',
    );
    expect(viewHtml(chapters[0] ?? "").links).toEqual(["chapter-0001.xhtml#x", "chapter-0002.xhtml#y"]);
    expect(chapters.join("").match(/id="x"/g)).toHaveLength(1);
  });

  test("with each picture once, and the first as the cover", async () => {
    const image = `<img src="data:image/png;base64,${picture.toString("base64")}">`;
    const { members } = await written(`<p>${image}</p><h1>A</h1><p>${image}</p>`);
    expect(Object.keys(members).filter((name) => name.startsWith("EPUB/pictures/"))).toEqual([
      "EPUB/pictures/picture-0001.png",
    ]);
    expect(members["EPUB/package.opf"]).toMatch(/picture-0001\.png" media-type="image\/png" properties="cover-image"/);
  });

  test("with the language, direction and author of the text", async () => {
    const { members } = await written(
      '<html lang="he" dir="rtl"><title>T</title><meta name="author" content="A & B"><p>שלום',
    );
    expect(members["EPUB/package.opf"]).toMatch(
      /<dc:language>he<[\s\S]*<dc:creator>A &amp; B<[\s\S]*page-progression-direction="rtl"/,
    );
  });

  test("with obsolete elements and attributes replaced", async () => {
    const { chapters } = await written(
      '<center><font color="#ff0000" size=5>a</font><tt>b</tt></center><table border=1><td align=right width=9>c</table>',
    );
    expect(chapters[0]).toContain('<div><span style="color: #ff0000">a</span><code>b</code></div>');
    expect(chapters[0]).toContain('<td style="text-align: right">c</td>');
  });

  test("with the chapter labels of the source book", async () => {
    const { path } = await convert(fixture("sample.epub"), ["epub", "html"]);
    const { members } = await written(readFileSync(path, "utf8"));
    expect(viewHtml(members["EPUB/text/contents.xhtml"] ?? "").items).toEqual(["ol Harbour report", "ol Steps"]);
  });

  test("unless it exceeds the chapter limit", async () => {
    expect(await codeOf(convert(scratch.file("<h1>a</h1><p>b</p>".repeat(6_000)), ["html", "epub"]))).toBe(
      "too_many_pages",
    );
  });
});
