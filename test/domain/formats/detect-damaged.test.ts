import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { detectFormat } from "../../../functions/domain/formats/detect.ts";
import type { FormatId } from "../../../functions/domain/formats/formats.ts";
import { DETECTION_BYTES } from "../../../functions/domain/limits.ts";
import { damaged } from "../../engines/support/damaged-zip.ts";
import { fixture, sampleOf } from "../../engines/support/fixtures.ts";
import { zipOf } from "../../engines/support/raw-archives.ts";

const detected = (bytes: Buffer, filename = ""): FormatId | undefined =>
  detectFormat(bytes.subarray(0, DETECTION_BYTES), { tail: bytes.subarray(-DETECTION_BYTES), filename });

describe.each(["docx", "xlsx", "pptx", "odt", "odp", "epub"] as const)("a damaged %s", (format) => {
  const bytes = readFileSync(sampleOf(format));

  test.each(Object.entries(damaged(bytes)))("with its %s is detected, whatever its name", (_, broken) => {
    expect(detected(broken)).toBe(format);
    expect(detected(broken, `a.${format}`)).toBe(format);
    expect(detected(broken, "a.zip")).toBe(format);
  });

  test("with only its first 40 bytes is detected by its name", () => {
    expect(detected(bytes.subarray(0, 40), `A.${format.toUpperCase()}`)).toBe(format);
  });
});

test("a streamed Word file without its end is detected by the parts after the first", () => {
  const first = zipOf([{ name: "[Content_Types].xml", bytes: "<Types/>" }]);
  first.writeUInt16LE(8, 6);
  const second = zipOf([{ name: "word/document.xml", bytes: "<w/>" }]);
  const bytes = Buffer.concat([first.subarray(0, first.indexOf("PK\u0001\u0002")), Buffer.alloc(16), second]);
  expect(detected(bytes.subarray(0, bytes.length - 30))).toBe("docx");
});

describe("a zip is not taken for a damaged Office file", () => {
  const zip = zipOf([{ name: "a.txt", bytes: "One" }]);
  const cut = zip.subarray(0, zip.length - 30);
  const cases: readonly [string, FormatId, Buffer, string][] = [
    ["a complete zip that is named so", "zip", zip, "a.docx"],
    ["a truncated zip without a name", "zip", cut, ""],
    ["a truncated zip with its own name", "zip", cut, "a.zip"],
    [
      "a truncated workbook that is named as a document",
      "xlsx",
      readFileSync(fixture("sample.xlsx")).subarray(0, 3_000),
      "a.docx",
    ],
  ];
  test.each(cases)("%s", (_, format, bytes, filename) => {
    expect(detected(bytes, filename)).toBe(format);
  });
});
