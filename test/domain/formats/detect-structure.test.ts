import { deflateRawSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { detectFormat } from "../../../functions/domain/formats/detect.ts";
import type { FormatId } from "../../../functions/domain/formats/formats.ts";

/** @returns the header of an empty file in the old binary format (cpio(5)) */
const cpioOf = (name: string, order: "LE" | "BE"): Buffer => {
  const header = Buffer.alloc(26 + name.length + 1);
  const numbers = [0o070707, 0, 1, 0o100644, 0, 0, 1, 0, 0, 0, name.length + 1, 0, 0];
  for (const [index, number] of numbers.entries()) {
    order === "LE" ? header.writeUInt16LE(number, 2 * index) : header.writeUInt16BE(number, 2 * index);
  }
  header.write(name, 26, "latin1");
  return header;
};

/** A ZIP as specified (APPNOTE.TXT 4.3). The caller chooses where the sizes are stored. */
const zipOf = (members: Readonly<Record<string, string>>, { streamed = false, before = "" } = {}): Buffer => {
  const locals: Buffer[] = [Buffer.from(before)];
  const directory: Buffer[] = [];
  for (const [path, content] of Object.entries(members)) {
    const stored = path === "mimetype";
    const data = stored ? Buffer.from(content) : deflateRawSync(content);
    const name = Buffer.from(path);
    const fields = Buffer.alloc(26);
    fields.writeUInt16LE(20, 0);
    fields.writeUInt16LE(streamed ? 8 : 0, 2);
    fields.writeUInt16LE(stored ? 0 : 8, 4);
    fields.writeUInt32LE(data.length, 14);
    fields.writeUInt32LE(content.length, 18);
    fields.writeUInt16LE(name.length, 22);
    const local = Buffer.from(fields);
    if (streamed) {
      local.fill(0, 14, 22);
    }
    locals.push(Buffer.from("PK\u0003\u0004", "latin1"), local, name, data);
    directory.push(Buffer.from("PK\u0001\u0002\u0014\0", "latin1"), fields, Buffer.alloc(14), name);
  }
  const end = Buffer.alloc(22);
  end.write("PK\u0005\u0006", "latin1");
  end.writeUInt32LE(Buffer.concat(directory).length, 12);
  return Buffer.concat([...locals, ...directory, end]);
};

describe("a ZIP is detected by its members", () => {
  const types = "[Content_Types].xml";
  const cases: readonly [string, FormatId | undefined, Buffer][] = [
    ["a ZIP of files", "zip", zipOf({ "a.txt": "a", "b.txt": "b" })],
    ["an empty ZIP", "zip", zipOf({})],
    ["Word", "docx", zipOf({ [types]: "<Types/>", "word/document.xml": "<w/>" })],
    ["Excel", "xlsx", zipOf({ [types]: "<Types/>", "xl/workbook.xml": "<w/>" })],
    [
      "PowerPoint, streamed",
      "pptx",
      zipOf({ [types]: "<Types/>", "ppt/presentation.xml": "<p/>" }, { streamed: true }),
    ],
    ["EPUB", "epub", zipOf({ mimetype: "application/epub+zip", "META-INF/container.xml": "<c/>" })],
    [
      "a Word file inside a ZIP",
      "zip",
      zipOf({ "letters/word/a.docx": "x", "a.docx": zipOf({ "word/a": "" }).toString() }),
    ],
    ["Word after a stub", undefined, zipOf({ "word/document.xml": "<w/>" }, { before: "#!stub" })],
  ];
  test.each(cases)("%s", (_, format, bytes) => {
    expect(detectFormat(bytes)).toBe(format);
    expect(detectFormat(bytes, { filename: "picture.png" })).toBe(format);
  });

  test("by its directory, when the identifying members come late in the file", () => {
    const bytes = zipOf(
      { "a.bin": "a".repeat(5_000), [types]: "<Types/>", "xl/workbook.xml": "<w/>" },
      { streamed: true },
    );
    expect(detectFormat(bytes.subarray(0, 60), { tail: bytes.subarray(-400) })).toBe("xlsx");
    expect(detectFormat(bytes.subarray(0, 60), { tail: bytes.subarray(-10) })).toBe("zip");
  });
});

describe("a similar format is not confused with another one", () => {
  const ole = (stream: string) =>
    Buffer.concat([Buffer.from("d0cf11e0a1b11ae1", "hex"), Buffer.alloc(504), Buffer.from(`${stream}\0`, "utf16le")]);
  const cases: readonly [string, FormatId | undefined, Buffer][] = [
    ["rich text after a byte order mark", "rtf", Buffer.from("\ufeff{\\rtf1\\ansi Hello}")],
    ["rich text after white space", "rtf", Buffer.from("\r\n  {\\rtf1\\ansi Hello}")],
    ["a PDF after the headers of a mail", "pdf", Buffer.from("To: Ana\n\n%PDF-1.4\n…\nstartxref\n9\n%%EOF\n")],
    ["a PDF after unknown bytes", "pdf", Buffer.from("\0\u0001\u0002%PDF-1.4\n…\nstartxref\n9\n%%EOF\n")],
    ["a text about PDF", "txt", Buffer.from("A file starts with %PDF-1.4 and ends with startxref.\n")],
    ["a binary cpio archive", "cpio", cpioOf("a.txt", "LE")],
    ["a binary cpio archive in the other byte order", "cpio", cpioOf("a.txt", "BE")],
    ["an MP3 whose tag follows zeros", "mp3", Buffer.from(`${"\0".repeat(100)}ID3\u0004\0\0\0\0\0\u0001\0`, "latin1")],
    ["rich text", "rtf", Buffer.from("{\\rtf1\\ansi Hello}\n{")],
    ["PostScript", "eps", Buffer.from("%!PS-Adobe-3.0 EPSF-3.0\n")],
    ["JPEG-LS", "jls", Buffer.from("ffd8fff7000b", "hex")],
    ["OpenDocument text", "odt", zipOf({ mimetype: "application/vnd.oasis.opendocument.text", "content.xml": "<c/>" })],
    ["OpenDocument slides", "odp", zipOf({ mimetype: "application/vnd.oasis.opendocument.presentation" })],
    ["Word 97", "doc", ole("WordDocument")],
    ["PowerPoint 97", "ppt", ole("PowerPoint Document")],
    ["an OLE file of another kind", undefined, ole("Contents")],
  ];
  test.each(cases)("%s", (_, format, bytes) => {
    expect(detectFormat(bytes)).toBe(format);
  });
});

describe("text is detected by its structure, and by its name where that is ambiguous", () => {
  const cases: readonly [string, FormatId, string, string][] = [
    ["an HTML page", "html", "a.txt", "<!doctype html>\n<title>A</title>"],
    ["a page after a comment", "html", "a", "<!-- made by hand -->\n<html><body>A</body></html>"],
    ["an XHTML page", "html", "a.xml", `<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"/>`],
    ["an object", "json", "a.txt", `{"a": 1}`],
    ["an array", "json", "a", "[1, 2]"],
    ["numbers in brackets, which are subtitles", "txt", "a", "[0][20]Words"],
    ["Markdown with its extension", "md", "notes.MD", "# Notes\n\n- one"],
    ["Markdown without a name", "txt", "", "# Notes\n\n- one"],
    ["a table with its extension", "csv", "a.csv", "a,b\n1,2\n"],
    ["text named .png", "txt", "a.png", "Not a picture."],
    ["Latin-1", "txt", "a.txt", "caf\u00e9 na\u00efve"],
  ];
  test.each(cases)("%s", (_, format, filename, text) => {
    const encoding = /[\u0080-\u00ff]/.test(text) ? "latin1" : "utf8";
    expect(detectFormat(Buffer.from(text, encoding), { filename })).toBe(format);
  });

  test("UTF-16 without a byte order mark is text, and bytes with scattered zeros are not", () => {
    expect(detectFormat(Buffer.from("<html><body>A</body></html>", "utf16le"))).toBe("html");
    expect(detectFormat(Buffer.from("<html><body>A</body></html>", "utf16le").swap16())).toBe("html");
    expect(detectFormat(Buffer.from("ab\0cd\0\0e\u0001f"), { filename: "a.md" })).toBeUndefined();
  });
});
