import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { detectFormat } from "../../functions/domain/formats/detect.ts";
import { fixture, sampleOf } from "../engines/support/fixtures.ts";

const told = ["doc", "ppt", "rtf", "odt", "fodt", "odp", "odg", "vsdx", "wpd", "emf", "wmf", "dxf", "key"] as const;

test.each(told)("an %s is told from its bytes, whatever it is called", (format) => {
  const bytes = readFileSync(sampleOf(format));
  expect(detectFormat(bytes)).toBe(format);
  expect(detectFormat(bytes, { filename: "report.docx" })).toBe(format);
});

test("what Pages packs is told by its name, since Numbers packs the same", () => {
  const bytes = readFileSync(sampleOf("pages"));
  expect(detectFormat(bytes, { filename: "report.pages" })).toBe("pages");
  expect(detectFormat(bytes)).toBe("zip");
});

test.each(["docx", "xlsx"] as const)(
  "an encrypted %s is told by its name, since the bytes hide what it is",
  (format) => {
    const bytes = readFileSync(fixture(`encrypted.${format}`));
    expect(detectFormat(bytes, { filename: `report.${format}` })).toBe(format);
    expect(detectFormat(bytes, { filename: "report.pptx" })).toBe("pptx");
    expect(detectFormat(bytes)).toBeUndefined();
  },
);
