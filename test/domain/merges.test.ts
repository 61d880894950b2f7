import { describe, expect, test } from "vitest";
import { conversions } from "../../functions/domain/conversions/conversions.ts";
import { engineIds } from "../../functions/domain/conversions/engines.ts";
import { planRoutes } from "../../functions/domain/conversions/plan.ts";
import { type FormatId, formats } from "../../functions/domain/formats/formats.ts";

const routes = planRoutes(new Set(engineIds));

describe("several files become one", () => {
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
  test.each(merged)("%j → %s by %s, in one step", (sources, to, engine) => {
    const [from] = sources;
    expect(routes.merge(sources, to)).toMatchObject({ from, to, merges: true, steps: [{ engine, from, to }] });
  });

  test("of any format where they are packed", () => {
    for (const { id } of formats) {
      expect(routes.merge([id, "png"], "tgz")?.steps, id).toMatchObject([{ engine: "archive", packs: true }]);
    }
  });

  test("with the options of all of them, whichever is first", () => {
    for (const sources of [["jpg", "webp"] as const, ["webp", "jpg"] as const]) {
      expect(routes.merge(sources, "pdf")?.options).toEqual(expect.arrayContaining(["page_size", "quality"]));
    }
    expect(routes.merge(["jpg", "png"], "gif")?.options).toContain("delay");
  });

  test("by the engine that an option is asked of", () => {
    expect(routes.merge(["jpg", "pdf"], "pdf", ["ocr_language"])).toMatchObject({
      lane: "documents",
      steps: [{ engine: "tesseract" }],
    });
  });

  test("at the loss of the one that loses", () => {
    expect(routes.merge(["jpg", "png"], "pdf")?.fidelity).toBe("lossless");
    expect(routes.merge(["jpg", "webp"], "pdf")?.fidelity).toBe("lossy");
  });

  const refused: readonly [FormatId[], FormatId, words: RegExp][] = [
    [["jpg", "psd"], "pdf", /^psd files cannot be merged into PDF\. Convert them first to one of: .*jpg, png/],
    [["jpg", "eml"], "mbox", /^jpg files cannot be merged into .* one of: eml\.$/],
    [["jpg", "png"], "jpg", /^Files cannot be merged into JPEG\. .*merged into: pdf, gif/],
  ];
  test.each(refused)("but not %j → %s, and it is said why", (sources, to, words) => {
    expect(routes.merge(sources, to)).toBeUndefined();
    expect(routes.whyNotMerged(sources, to)).toMatch(words);
  });

  test("by engines that the deployment has", () => {
    const few = planRoutes(new Set(["sharp"]));
    expect(few.merge(["jpg", "png"], "zip")).toBeUndefined();
    expect(few.merge(["jpg", "png"], "pdf")).toBeUndefined();
    expect(few.merge(["jpg", "png"], "gif")).toBeDefined();
  });
});

describe("one file of a list", () => {
  test("becomes what it becomes alone", () => {
    expect(routes.merge(["jpg"], "gif")).toEqual(routes.find("jpg", "gif"));
    expect(routes.merge(["docx"], "pdf")).toEqual(routes.find("docx", "pdf"));
    expect(routes.merge(["jpg"], "mp3")).toBeUndefined();
  });

  test("but is packed as it is", () => {
    expect(routes.find("tar", "zip")?.steps[0]).not.toHaveProperty("packs");
    expect(routes.merge(["tar"], "zip")?.steps).toMatchObject([{ engine: "archive", packs: true }]);
  });
});

test("frames are split only where that is asked for, beside whatever else is asked", () => {
  expect(routes.find("gif", "png")?.options).not.toContain("split");
  expect(routes.find("gif", "png", ["split"])).toMatchObject({ steps: [{ engine: "sharp" }] });
  expect(routes.find("gif", "png", ["split"])?.options).toContain("split");
  const both = routes.find("pdf", "pdf", ["split", "ocr_language"]);
  expect(both?.options).toEqual(expect.arrayContaining(["split", "ocr_language"]));
});

test("what merges is said of exactly the pairs of which two files become one", () => {
  for (const { from, to, merges } of routes.all) {
    expect(merges, `${from} → ${to}`).toBe(routes.merge([from, from], to) !== undefined);
  }
  const pairs = routes.all.filter(({ merges }) => merges).map(({ from, to }) => `${from} ${to}`);
  expect(pairs).toEqual(expect.arrayContaining(["jpg pdf", "png gif", "webp tiff", "pdf pdf", "eml mbox", "tar zip"]));
  expect(conversions.some(({ packs }) => packs)).toBe(false);
});
