import { readFileSync, statSync } from "node:fs";
import { PDFDocument, PDFName } from "@cantoo/pdf-lib";
import sharp from "sharp";
import { describe, expect, test } from "vitest";
import { zipContent, zipNames } from "../../support/zip.ts";
import { codeOf } from "../support/convert.ts";
import { checkByQpdf, viewPdf } from "../support/documents/pdf.ts";
import { typeset } from "../support/documents/typeset.ts";
import { scratchFolder } from "../support/scratch.ts";
import { convertingBy } from "../support/task.ts";

/** Images that are extracted from a PDF, and what compression removes in addition to their samples. */

const scratch = scratchFolder();
const convert = convertingBy("qpdf", scratch);

const withText = (): string => scratch.file(typeset("= Page number 1"));

describe("the images of a PDF", () => {
  const photo = (width: number): Promise<Buffer> =>
    sharp({ create: { width, height: 80, channels: 3, background: "#c04020" } })
      .jpeg()
      .toBuffer();
  const withImages = async () => {
    const document = await PDFDocument.create();
    const [shared, own] = [await document.embedJpg(await photo(120)), await document.embedJpg(await photo(90))];
    for (const images of [[shared], [shared, own], [shared]]) {
      const page = document.addPage([300, 300]);
      for (const image of images) {
        page.drawImage(image, { x: 10, y: 10 });
      }
    }
    return scratch.file(await document.save());
  };

  test("are in a ZIP once each, unchanged", async () => {
    const { path } = await convert(await withImages(), ["pdf", "zip"]);
    expect(zipNames(path)).toEqual(["page-1-image-1.jpg", "page-2-image-1.jpg"]);
    const bytes = zipContent(path, "page-2-image-1.jpg");
    expect(bytes.equals(await photo(90))).toBe(true);
  });

  test("are those of the selected pages, also of an encrypted PDF", async () => {
    const locked = await convert(await withImages(), ["pdf", "pdf"], { user_password: "open" });
    const { path } = await convert(locked.path, ["pdf", "zip"], { pages: "!1", password: "open" });
    expect(zipNames(path)).toEqual(["page-2-image-1.jpg", "page-2-image-2.jpg"]);
    expect(await codeOf(convert(locked.path, ["pdf", "zip"]))).toBe("password_required");
  });

  test("that has none are an error that says so", async () => {
    expect(await codeOf(convert(withText(), ["pdf", "zip"]))).toBe("unsupported_feature");
  });
});

test("compression for screens removes the profile of a printing press, and keeps the pages", async () => {
  const document = await PDFDocument.load(readFileSync(withText()));
  const { context, catalog } = document;
  const profile = context.register(
    context.flateStream(Buffer.from(crypto.getRandomValues(new Uint8Array(60_000))), { N: 4 }),
  );
  catalog.set(PDFName.of("OutputIntents"), context.obj([{ S: "GTS_PDFX", DestOutputProfile: profile }]));
  document.getPage(0).drawImage(
    await document.embedPng(
      await sharp({ create: { width: 90, height: 90, channels: 3, background: "#fff" } })
        .png()
        .toBuffer(),
    ),
  );
  const source = scratch.file(await document.save());
  const { path } = await convert(source, ["pdf", "pdf"], { compress: "screen" });
  checkByQpdf(path);
  expect(statSync(path).size).toBeLessThan(statSync(source).size - 50_000);
  expect((await viewPdf(path))[0]?.text).toContain("Page number 1");
  expect(statSync((await convert(source, ["pdf", "pdf"], { compress: "print" })).path).size).toBeGreaterThan(50_000);
});
