import { describe, expect, test } from "vitest";
import { conversions } from "../../functions/domain/conversions/conversions.ts";
import { engineIds } from "../../functions/domain/conversions/engines.ts";
import { planRoutes, type Route } from "../../functions/domain/conversions/plan.ts";
import { type FormatId, formats } from "../../functions/domain/formats/formats.ts";

const routes = planRoutes(new Set(engineIds));

describe("merging files", () => {
  const merged: readonly [FormatId[], FormatId, engine: string][] = [
    [["jpg", "png", "heic", "tiff"], "pdf", "pdflib"],
    [["pdf", "jpg", "pdf"], "pdf", "pdflib"],
    [["jpg", "svg", "webp"], "gif", "sharp"],
    [["gif", "jpg"], "webp", "sharp"],
    [["png", "jpg"], "apng", "sharp"],
    [["tiff", "jpg"], "tiff", "sharp"],
    [["eml", "eml"], "mbox", "mail"],
    [["docx", "mp4", "zip"], "zip", "archive"],
    [["tar"], "tar", "archive"],
  ];
  test.each(merged)("converts %j → %s with %s, in one step", (sources, to, engine) => {
    const [from] = sources;
    expect(routes.merge(sources, to)).toMatchObject({ from, to, merges: true, steps: [{ engine, from, to }] });
  });

  test("packs files of any format", () => {
    for (const { id } of formats) {
      expect(routes.merge([id, "png"], "tgz")?.steps, id).toMatchObject([{ engine: "archive", packs: true }]);
    }
  });

  test("accepts the options of all files, whichever is first", () => {
    for (const sources of [["jpg", "webp"] as const, ["webp", "jpg"] as const]) {
      expect(routes.merge(sources, "pdf")?.options).toEqual(expect.arrayContaining(["page_size", "quality"]));
    }
    expect(routes.merge(["jpg", "png"], "gif")?.options).toContain("delay");
  });

  test("uses the engine that supports the requested option", () => {
    expect(routes.merge(["jpg", "pdf"], "pdf", ["ocr_language"])).toMatchObject({
      lane: "documents",
      steps: [{ engine: "tesseract" }],
    });
  });

  test("is lossy if the conversion of any of its files is", () => {
    expect(routes.merge(["jpg", "png"], "pdf")?.fidelity).toBe("lossless");
    expect(routes.merge(["jpg", "webp"], "pdf")?.fidelity).toBe("lossy");
  });

  const refused: readonly [FormatId[], FormatId, words: RegExp][] = [
    [["jpg", "mp4"], "pdf", /^mp4 files cannot be merged into PDF, also not converted first\. It takes: .*jpg, png/],
    [["jpg", "eml"], "mbox", /^jpg files cannot be merged into .* It takes: eml\.$/],
    [["jpg", "png"], "svg", /^Files cannot be merged into SVG.*\. .*merged into: pdf, gif/],
  ];
  test.each(refused)("rejects %j → %s with the reason", (sources, to, words) => {
    expect(routes.merge(sources, to)).toBeUndefined();
    expect(routes.whyNotMerged(sources, to)).toMatch(words);
  });

  test("uses only engines of the deployment", () => {
    const few = planRoutes(new Set(["sharp"]));
    expect(few.merge(["jpg", "png"], "zip")).toBeUndefined();
    expect(few.merge(["jpg", "png"], "pdf")).toBeUndefined();
    expect(few.merge(["jpg", "png"], "gif")).toBeDefined();
  });
});

describe("merging files that no engine reads together", () => {
  const named = (steps: Route["steps"] = []) => steps.map(({ engine, from, to }) => `${engine} ${from} ${to}`);

  test("converts those that the merge does not read, and keeps the others", () => {
    const route = routes.merge(["docx", "jpg", "pdf", "html"], "pdf");
    expect(named(route?.steps)).toEqual(["soffice docx pdf", "pdflib pdf pdf"]);
    expect(route?.steps.map(({ merges }) => merges)).toEqual([undefined, true]);
    expect(route?.further?.map(named)).toEqual([[], [], ["chromium html pdf"]]);
    expect(route).toMatchObject({ from: "docx", to: "pdf", lane: "documents", fidelity: "lossy", merges: true });
  });

  test("converts all if only then the options apply", () => {
    const route = routes.merge(["jpg", "pdf"], "pdf", ["compress"]);
    expect(named(route?.steps)).toEqual(["pdflib jpg pdf", "qpdf pdf pdf"]);
  });

  test("appends tables of any format, and writes the target from the result", () => {
    const route = routes.merge(["csv", "xlsx", "parquet"], "ods");
    expect(named(route?.steps)).toEqual(["text-tables csv csv", "sheets csv ods"]);
    expect(route?.further?.map(named)).toEqual([["sheets xlsx csv"], ["duckdb parquet csv"]]);
    expect(named(routes.merge(["xlsx", "json"], "json")?.steps)).toEqual(["sheets xlsx json", "text-tables json json"]);
    expect(routes.merge(["docx", "csv"], "xlsx")).toBeUndefined();
  });
});

describe("a list of one file", () => {
  test("is converted like a single file", () => {
    expect(routes.merge(["jpg"], "gif")).toEqual(routes.find("jpg", "gif"));
    expect(routes.merge(["docx"], "pdf")).toEqual(routes.find("docx", "pdf"));
    expect(routes.merge(["jpg"], "mp3")).toBeUndefined();
  });

  test("is packed without conversion", () => {
    expect(routes.find("tar", "zip")?.steps[0]).not.toHaveProperty("packs");
    expect(routes.merge(["tar"], "zip")?.steps).toMatchObject([{ engine: "archive", packs: true }]);
  });
});

test("frames are split only on request, together with any other options", () => {
  expect(routes.find("gif", "png")?.options).not.toContain("split");
  expect(routes.find("gif", "png", ["split"])).toMatchObject({ steps: [{ engine: "sharp" }] });
  expect(routes.find("gif", "png", ["split"])?.options).toContain("split");
  const both = routes.find("pdf", "pdf", ["split", "ocr_language"]);
  expect(both?.options).toEqual(expect.arrayContaining(["split", "ocr_language"]));
});

test("exactly the pairs that merge two files are listed as merges", () => {
  for (const { from, to, merges } of routes.all) {
    expect(merges, `${from} → ${to}`).toBe(routes.merge([from, from], to) !== undefined);
  }
  const pairs = routes.all.filter(({ merges }) => merges).map(({ from, to }) => `${from} ${to}`);
  expect(pairs).toEqual(expect.arrayContaining(["jpg pdf", "png gif", "webp tiff", "pdf pdf", "eml mbox", "tar zip"]));
  expect(conversions.some(({ packs }) => packs)).toBe(false);
});
