import { readFileSync, writeFileSync } from "node:fs";
import { degrees, PDFDocument } from "@cantoo/pdf-lib";
import sharp, { type Sharp } from "sharp";
import { beforeAll, describe, expect, test } from "vitest";
import { planRoutes } from "../../../functions/domain/conversions/plan.ts";
import { codeOf } from "../support/convert.ts";
import { checkByQpdf, poppler, viewPdf } from "../support/documents/pdf.ts";
import { typeset } from "../support/documents/typeset.ts";
import { sampleOf } from "../support/fixtures.ts";
import { tiffOf } from "../support/pictures/tiff.ts";
import { scratchFolder } from "../support/scratch.ts";
import { convertingBy, isInstalled } from "../support/task.ts";

const scratch = scratchFolder();
const read = convertingBy("tesseract", scratch);
const toPdf = convertingBy("pdflib", scratch);
const describeInstalled = describe.skipIf(!isInstalled("tesseract"));

const LINES = ["The quick brown fox jumps over the lazy dog.", "Invoice 4711 of 28 February, total 1,234.50"];
const DPI = 200;

/** A page as a scanner captures it: pixels only. */
let scan: () => Sharp;
beforeAll(async () => {
  const page = scratch.file(typeset(`#set page(width: 300pt, height: 120pt, margin: 20pt)\n${LINES.join("\n\n")}`));
  const [view] = await viewPdf(page, { scale: DPI / 72 });
  const { pixels = new Uint8Array(), pixelWidth = 1, pixelHeight = 1 } = view ?? {};
  scan = () =>
    sharp(pixels, { raw: { width: pixelWidth, height: pixelHeight, channels: 3 } }).withMetadata({ density: DPI });
});

const fileOf = async (made: Sharp): Promise<string> => scratch.file(await made.toBuffer());

describeInstalled("text of a picture", () => {
  const formats = [
    ["jpg", () => scan().jpeg()],
    ["png", () => scan().png()],
    ["webp", () => scan().webp()],
    ["tiff", () => scan().tiff({ compression: "lzw" })],
    ["gif", () => scan().gif()],
    ["avif", () => scan().avif()],
  ] as const;
  test.each(formats)("is read from %s", async (from, make) => {
    const { path, codes } = await read(await fileOf(make()), [from, "txt"]);
    expect(readFileSync(path, "utf8").split("\n").filter(Boolean)).toEqual(LINES);
    expect(codes).toEqual([]);
  });

  test("is read upright from a rotated picture", async () => {
    const { data, info } = await scan().rotate(270).raw().toBuffer({ resolveWithObject: true });
    const input = await fileOf(sharp(data, { raw: info }).withMetadata({ orientation: 6, density: DPI }).jpeg());
    const { path } = await read(input, ["jpg", "txt"]);
    expect(readFileSync(path, "utf8")).toContain("quick brown fox");
  });

  test("is read on a transparent background", async () => {
    const input = await fileOf(
      (
        await scan()
          .toColourspace("b-w")
          .png()
          .toBuffer()
          .then((gray) =>
            sharp({ create: { width: 10, height: 10, channels: 4, background: "#0000" } })
              .resize(833, 333)
              .composite([{ input: gray, blend: "over" }]),
          )
      ).png(),
    );
    const { path } = await read(input, ["png", "txt"]);
    expect(readFileSync(path, "utf8")).toContain("quick brown fox");
  });

  test("is empty with a warning if there is none", async () => {
    const { path, codes } = await read(sampleOf("png"), ["png", "txt"]);
    expect(readFileSync(path, "utf8").trim()).toBe("");
    expect(codes).toEqual(["no_text_found"]);
  });

  test.each(["jpg", "png", "webp", "tiff", "avif", "gif"] as const)(
    "is read from %s without an intermediate copy",
    (from) => {
      const route = planRoutes(new Set(["sharp", "tesseract"])).find(from, "txt");
      expect(route?.steps.map(({ engine }) => engine)).toEqual(["tesseract"]);
    },
  );

  test("requires text recognition", async () => {
    expect(await codeOf(read(sampleOf("png"), ["png", "txt"], { ocr: "off" }))).toBe("unsupported_feature");
  });

  test("of a TIFF with too many pages is rejected before the first is read", async () => {
    const pages = scratch.file(tiffOf(Array.from({ length: 26 }, () => ({ width: 8, height: 8 }))));
    expect(await codeOf(read(pages, ["tiff", "txt"]))).toBe("too_many_pages");
  });

  test.each(["png", "webp", "tiff"] as const)("of a truncated %s is rejected", async (from) => {
    const complete = readFileSync(sampleOf(from));
    const input = scratch.file(complete.subarray(0, complete.length / 2));
    expect(await codeOf(read(input, [from, "txt"]))).toBe("source_corrupt");
  });
});

/** @returns the position of a word in points from the left and from the top, as reported by poppler */
const placeOf = (path: string, word: string): number[] | undefined => {
  const boxes = poppler("pdftotext", "-bbox", path, "-");
  const found =
    boxes === undefined ? undefined : new RegExp(`xMin="([\\d.]+)" yMin="([\\d.]+)"[^>]*>${word}<`).exec(boxes);
  return boxes === undefined ? undefined : [Number(found?.[1]), Number(found?.[2])];
};

describeInstalled("a picture as PDF with its text", () => {
  test("shows the picture, and has the words at their positions", async () => {
    const input = await fileOf(scan().jpeg());
    const { path } = await read(input, ["jpg", "pdf"], { ocr: "auto" });
    checkByQpdf(path);
    const [page] = await viewPdf(path);
    expect(page?.text).toContain("quick brown fox");
    const jpeg = readFileSync(input);
    // Its scan is unchanged; metadata such as a location is left out.
    expect(readFileSync(path).includes(jpeg.subarray(jpeg.indexOf(Buffer.from([0xff, 0xda]))))).toBe(true);
    const [left = 0, top = 0] = placeOf(path, "The") ?? [20, 20];
    expect(Math.abs(left - 20) + Math.abs(top - 20)).toBeLessThan(8);
  });

  test("has no text unless requested", async () => {
    const { path } = await toPdf(await fileOf(scan().jpeg()), ["jpg", "pdf"]);
    expect((await viewPdf(path))[0]?.text).toBe("");
  });

  test("places the text over the picture wherever it is on the page", async () => {
    const options = { ocr: "auto", page_size: "a4", page_orientation: "portrait", page_margin: 10 } as const;
    const { path } = await read(await fileOf(scan().png()), ["png", "pdf"], options);
    const scale = (595.28 - 2 * 28.35) / 300;
    const [left = 0, top = 0] = placeOf(path, "The") ?? [28.35 + 20 * scale, (841.89 - 120 * scale) / 2 + 20 * scale];
    expect(Math.abs(left - (28.35 + 20 * scale))).toBeLessThan(8);
    expect(Math.abs(top - ((841.89 - 120 * scale) / 2 + 20 * scale))).toBeLessThan(12);
  });
});

describeInstalled("a scanned PDF", () => {
  const scanned = async (turn = 0): Promise<string> => {
    const { data, info } = await scan()
      .rotate(360 - turn)
      .raw()
      .toBuffer({ resolveWithObject: true });
    const picture = await fileOf(sharp(data, { raw: info }).withMetadata({ density: DPI }).png());
    const { path } = await toPdf(picture, ["png", "pdf"]);
    const document = await PDFDocument.load(readFileSync(path));
    document.getPage(0).setRotation(degrees(turn));
    writeFileSync(path, await document.save());
    return path;
  };

  test.each([0, 90, 180, 270])("rotated by %i degrees becomes searchable and looks unchanged", async (turn) => {
    const input = await scanned(turn);
    const { path } = await read(input, ["pdf", "pdf"], { ocr: "auto" });
    checkByQpdf(path);
    const [before, after] = [await viewPdf(input), await viewPdf(path)];
    expect(before[0]?.text).toBe("");
    expect(after[0]?.text).toContain("quick brown fox");
    expect(Buffer.compare(Buffer.from(before[0]?.pixels ?? []), Buffer.from(after[0]?.pixels ?? [0]))).toBe(0);
    const [left = 0, top = 0] = placeOf(path, "The") ?? [20, 20];
    expect(Math.abs(left - 20) + Math.abs(top - 20)).toBeLessThan(8);
  });

  test("that is skewed becomes searchable, with the words over the skewed ones", async () => {
    const skewed = await fileOf(scan().rotate(2, { background: "#fff" }).png());
    const { path: input } = await toPdf(skewed, ["png", "pdf"]);
    const { path } = await read(input, ["pdf", "pdf"], { ocr: "auto" });
    checkByQpdf(path);
    const [left, top] = placeOf(path, "The") ?? [];
    const [right, lower] = placeOf(path, "dog.") ?? [];
    expect((await viewPdf(path))[0]?.text).toContain("quick brown fox");
    // The last word of a line that falls by two degrees is lower by its distance times the slope.
    const fall = ((right ?? 1) - (left ?? 0)) * Math.tan((2 * Math.PI) / 180);
    expect(Math.abs((lower ?? fall) - (top ?? 0) - fall)).toBeLessThan(2);
  });

  test("keeps pages that already have text", async () => {
    const input = scratch.file(typeset("Already here"));
    const { path } = await read(input, ["pdf", "pdf"], { ocr: "auto" });
    expect((await viewPdf(path))[0]?.text.match(/Already/g)).toHaveLength(1);
  });
});
