import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { canBe } from "../../../functions/domain/formats/detect.ts";
import { type FormatId, formats } from "../../../functions/domain/formats/formats.ts";
import { DETECTION_BYTES } from "../../../functions/domain/limits.ts";
import { type FileSample, formatOfFile } from "../../../functions/domain/uploads/file-format.ts";
import { fixture, sampleOf } from "../../engines/support/fixtures.ts";
import { zipOf } from "../../engines/support/raw-archives.ts";

const sampled = (bytes: Buffer, declared: Partial<FileSample>): FileSample => ({
  head: bytes.subarray(0, DETECTION_BYTES),
  tail: () => bytes.subarray(-DETECTION_BYTES),
  filename: "",
  ...declared,
});
const zip = zipOf([{ name: "a.txt", bytes: "One" }]);
const unknown = Buffer.from([1, 0, 2, 0, 0xff, 0xfe, 0, 0]);

describe("a declared format is accepted", () => {
  const cases: readonly [string, FormatId, Buffer, string?][] = [
    ["a CSV file with another extension", "csv", Buffer.from("a,b\n1,2\n"), "data.dat"],
    ["text as Markdown", "md", Buffer.from("One"), "a.txt"],
    ["JSON as text", "txt", Buffer.from('{"a": 1}'), "a.json"],
    ["GeoJSON as JSON", "json", Buffer.from('{"type": "FeatureCollection", "features": []}')],
    ["SubRip as text", "txt", Buffer.from("1\n00:00:01,000 --> 00:00:02,000\nOne\n")],
    ["HTML as XML", "xml", Buffer.from("<p>One</p>"), "a.html"],
    ["XML with a declaration as HTML", "html", Buffer.from('<?xml version="1.0"?><p>One</p>')],
    ["text with a zero byte as CSV", "csv", Buffer.from("a\0,b\n1\0\0,2\n")],
    ["unknown bytes as CBOR", "cbor", unknown],
    ["a Kindle book as AZW3", "azw3", readFileSync(sampleOf("mobi"))],
    ["a Word file as a zip", "zip", readFileSync(sampleOf("docx"))],
    ["a truncated Word file", "docx", readFileSync(sampleOf("docx")).subarray(0, 40)],
    ["an encrypted workbook", "xlsx", readFileSync(fixture("encrypted.xlsx"))],
    ["a GeoPackage as SQLite", "sqlite", readFileSync(sampleOf("gpkg"))],
  ];
  test.each(cases)("for %s", (_, sourceFormat, bytes, filename = "") => {
    expect(formatOfFile(sampled(bytes, { sourceFormat, filename }))).toBe(sourceFormat);
  });

  const samples = formats.flatMap(({ id }) => {
    try {
      return [{ id, bytes: readFileSync(sampleOf(id)) }];
    } catch {
      return [];
    }
  });
  test.each(samples)("for the sample of $id", ({ id, bytes }) => {
    expect(canBe(id, bytes.subarray(0, DETECTION_BYTES), () => bytes.subarray(-DETECTION_BYTES))).toBe(true);
  });
});

describe("a declared format is rejected", () => {
  const playlist = "#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\nfile:///etc/passwd\n#EXT-X-ENDLIST\n";
  const cases: readonly [string, FormatId, Buffer, string][] = [
    ["a PNG image as text", "txt", readFileSync(sampleOf("png")), "content is png"],
    ["a PNG image as JPEG", "jpg", readFileSync(sampleOf("png")), "content is png"],
    ["a PDF as Word", "docx", readFileSync(sampleOf("pdf")), "content is pdf"],
    ["a workbook as Word", "docx", readFileSync(sampleOf("xlsx")), "content is xlsx"],
    ["a zip of texts as Word", "docx", zip, "content is zip"],
    ["MP3 as MP4", "mp4", readFileSync(sampleOf("mp3")), "content is mp3"],
    ["text as PNG", "png", Buffer.from("One"), "content is txt"],
    ["text as a calendar", "ics", Buffer.from("One"), "content is txt"],
    ["a playlist as MP4, because ffmpeg would read its files", "mp4", Buffer.from(playlist), "content is txt"],
    ["unknown bytes as MP4", "mp4", unknown, "content does not have the structure of this format"],
  ];
  test.each(cases)("for %s", (_, sourceFormat, bytes, found) => {
    const detail = `source_format is ${sourceFormat}, but the ${found}. Correct source_format or leave it out.`;
    expect(() => formatOfFile(sampled(bytes, { sourceFormat }))).toThrow(
      expect.objectContaining({ code: "source_format_mismatch", message: detail }),
    );
  });

  test("if there is none and the content is unknown", () => {
    expect(() => formatOfFile(sampled(unknown, {}))).toThrow(expect.objectContaining({ code: "unrecognized_format" }));
  });
});

test.each([
  ["AutoCAD drawing (DWG)", Buffer.concat([Buffer.from("AC1021"), Buffer.alloc(64)])],
  ["Windows program", Buffer.from("4d5a90000300000004000000ffff0000", "hex")],
])("names a known format that is not supported: %s", (name, bytes) => {
  expect(() => formatOfFile(sampled(bytes, {}))).toThrow(
    expect.objectContaining({
      code: "unrecognized_format",
      message: `The file is not supported: ${name}. GET /api/v1/formats lists the supported formats.`,
    }),
  );
});

test("does not take a text for a format whose signature it starts with", () => {
  expect(formatOfFile(sampled(Buffer.from("FWS and ORC are abbreviations.\n"), {}))).toBe("txt");
});
