import { describe, expect, it } from "vitest";
import { warningsHeader } from "../../../functions/api/conversion/converted-answer.ts";
import { settingsOf } from "../../../functions/api/conversion/form-options.ts";
import { filenameIn } from "../../../functions/domain/content-disposition.ts";

describe("The fields of a form", () => {
  const optionsOf = (...fields: [string, string][]) => settingsOf([["target_format", "pdf"], ...fields]).options;

  it.each([
    ["quality", "80", 80],
    ["lossless", "true", true],
    ["lossless", "false", false],
    ["page_margin", "12.5", 12.5],
    ["pages", "3", "3"],
    ["background", "#fff", "#fff"],
    ["trim_start", "90", 90],
    ["trim_start", "1:30", "1:30"],
    ["sheet", "2", "2"],
    ["rotate", "180", 180],
  ])("convert %s=%s to the type of the option", (name, text, value) => {
    expect(optionsOf([name, text])).toEqual({ [name]: value });
    expect(optionsOf([`options[${name}]`, text])).toEqual({ [name]: value });
  });

  it("can spell options in three ways, of which the last value applies", () => {
    expect(optionsOf(["options", '{"quality":1,"width":5}'], ["options[quality]", "2"], ["quality", "3"])).toEqual({
      quality: 3,
      width: 5,
    });
  });

  it("keep unknown options that are named as such, for the error", () => {
    expect(optionsOf(["options[qualty]", "80"], ["options[constructor]", "1"])).toEqual({
      qualty: "80",
      constructor: "1",
    });
  });

  it("are ignored if they are unknown or empty", () => {
    const fields: [string, string][] = [
      ["name", "a.png"],
      ["type", "image/png"],
      ["relativePath", "null"],
      ["constructor", "1"],
      ["quality", ""],
      ["filename", " "],
      ["webhook_url", ""],
    ];
    expect(settingsOf([["target_format", "jpg"], ...fields])).toEqual({ target_format: "jpg" });
  });

  it("set everything that a JSON body can set, and are checked in the same way", () => {
    expect(
      settingsOf([
        ["target_format", "jpg"],
        ["filename", "b.jpg"],
        ["webhook_url", "https://example.com/hook"],
        ["metadata", '{"order":"17"}'],
      ]),
    ).toEqual({
      target_format: "jpg",
      filename: "b.jpg",
      webhook_url: "https://example.com/hook",
      metadata: { order: "17" },
    });
    const invalid: [string, string][][] = [
      [],
      [["metadata", "order=17"]],
      [["metadata", '{"order":17}']],
      [["options", "[]"]],
      [["options", "quality"]],
      [["webhook_url", "ftp://example.com"]],
    ];
    for (const fields of invalid) {
      const all: [string, string][] = fields.length === 0 ? [] : [["target_format", "jpg"], ...fields];
      expect(() => settingsOf(all)).toThrow(expect.objectContaining({ code: "invalid_request" }));
    }
  });
});

describe("The filename of a Content-Disposition header", () => {
  it.each([
    ['attachment; filename="a b.png"', "a b.png"],
    ["attachment; filename=a.png", "a.png"],
    [`attachment; filename="_.png"; filename*=UTF-8''Z%C3%BCrich.png`, "Zürich.png"],
    ['form-data; name="file"; filename="quoted \\"x\\".png"', 'quoted "x".png'],
    ["attachment; filename*=UTF-8''%ff", undefined],
    ["attachment", undefined],
    ["", undefined],
  ])("in %s is %s", (header, name) => {
    expect(filenameIn(header)).toBe(name);
  });
});

describe("The header with the warnings of a job", () => {
  const warning = (detail: string) => ({ code: "lost", detail });

  it("is JSON in ASCII", () => {
    const header = warningsHeader([warning("Zürich\r\n☃😀")]) ?? "";
    expect(header).toMatch(/^[ -~]+$/);
    expect(JSON.parse(header)).toEqual([warning("Zürich\r\n☃😀")]);
  });

  it("has at most 4,000 bytes, and complete warnings", () => {
    const header = warningsHeader(Array.from({ length: 100 }, () => warning("☃".repeat(600)))) ?? "";
    expect(header.length).toBeLessThanOrEqual(4_000);
    expect(JSON.parse(header)).toHaveLength(1);
    expect(warningsHeader([])).toBeUndefined();
  });
});
