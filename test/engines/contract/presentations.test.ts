import { readFileSync } from "node:fs";
import { PDFDocument } from "@cantoo/pdf-lib";
import sharp from "sharp";
import { expect } from "vitest";
import { viewSlides } from "../support/documents/slides.ts";
import { sampleFor } from "../support/fixtures.ts";
import { picturePixels } from "../support/pictures/picture.ts";
import { distance } from "../support/views.ts";
import { type Check, contract } from "./contract.ts";
import { newSlides, officeSlideChecks } from "./office.ts";

const EMU_PER_POINT = 12_700;

/** One slide per page, in its size, with its text, table and picture inside. */
const samePages: Check = async ({ path, from, to }) => {
  const { width, height, slides, faults } = await viewSlides(path);
  expect(faults).toEqual([]);
  const source = await PDFDocument.load(readFileSync(sampleFor(from, to)));
  const page = source.getPage(0).getSize();
  expect([width / EMU_PER_POINT, height / EMU_PER_POINT].map(Math.round)).toEqual(
    [page.width, page.height].map(Math.round),
  );
  expect(slides).toHaveLength(source.getPageCount());
  expect(slides[0]?.paragraphs).toEqual([
    "Harbour report",
    "Überfahrt, café, naïve – 12 €",
    ...["Ropes", "Sails", "Lanterns", "Cast off", "Steer north"],
  ]);
  expect(slides[1]?.rows).toEqual([
    ["Name", "Country", "Crew"],
    ["Ana", "Perú", "12"],
    ["Łukasz", "Polska", "7"],
    ["李", "中国", "30"],
  ]);
  const pictures = await Promise.all(
    (slides[0]?.pictures ?? []).map((bytes) => sharp(bytes).removeAlpha().raw().toBuffer()),
  );
  expect(pictures.map((pixels) => distance(pixels, picturePixels()))).toEqual([0]);
  for (const { x, y, width: across, height: down } of slides.flatMap(({ boxes }) => boxes)) {
    expect(Math.min(x, y)).toBeGreaterThanOrEqual(0);
    expect(x + across).toBeLessThanOrEqual(width);
    expect(y + down).toBeLessThanOrEqual(height);
  }
};

const slides: Check = (result) => (result.from === "pdf" ? samePages(result) : newSlides(result));

contract("presentation", { pptx: slides, ...officeSlideChecks });
