import { readFileSync } from "node:fs";
import { expect, test, vi } from "vitest";
import { detectFormat } from "../../../functions/domain/formats/detect.ts";
import { fixture, sampleOf } from "../../engines/support/fixtures.ts";

const formats = ["doc", "ppt", "rtf", "odt", "fodt", "odp", "odg", "vsdx", "wpd", "emf", "wmf", "dxf", "key"] as const;

test.each(formats)("%s is detected by its bytes, whatever its name", (format) => {
  const bytes = readFileSync(sampleOf(format));
  expect(detectFormat(bytes)).toBe(format);
  expect(detectFormat(bytes, { filename: "report.docx" })).toBe(format);
});

test.each([
  ["xls", 1],
  ["msg", 1],
  ["docx", 1],
  ["png", 0],
] as const)("the last bytes of a %s are joined %i times", (format, times) => {
  const bytes = readFileSync(sampleOf(format));
  const tail = vi.fn(() => bytes);
  expect(detectFormat(bytes, { tail })).toBe(format);
  expect(tail).toHaveBeenCalledTimes(times);
});

test("a Pages file is detected by its name, because Numbers files have the same structure", () => {
  const bytes = readFileSync(sampleOf("pages"));
  expect(detectFormat(bytes, { filename: "report.pages" })).toBe("pages");
  expect(detectFormat(bytes)).toBe("zip");
});

test.each(["docx", "xlsx"] as const)(
  "an encrypted %s is detected by its name, because encryption hides the content",
  (format) => {
    const bytes = readFileSync(fixture(`encrypted.${format}`));
    expect(detectFormat(bytes, { filename: `report.${format}` })).toBe(format);
    expect(detectFormat(bytes, { filename: "report.pptx" })).toBe("pptx");
    expect(detectFormat(bytes)).toBeUndefined();
  },
);
