import { degrees, PDFDocument, rgb } from "@cantoo/pdf-lib";
import sharp from "sharp";
import { expect, test } from "vitest";
import { viewSlides } from "../support/documents/slides.ts";
import { typeset } from "../support/documents/typeset.ts";
import { scratchFolder } from "../support/scratch.ts";
import { convertingBy } from "../support/task.ts";

/** Slides from PDFs. */

const scratch = scratchFolder();
const convert = convertingBy("pdfium", scratch);

const slidesOf = async (bytes: Uint8Array) => {
  const { path, codes } = await convert(scratch.file(bytes), ["pdf", "pptx"]);
  return { ...(await viewSlides(path)), codes };
};

const EMU_PER_POINT = 12_700;

test("places text on the slide at its position on the page", async () => {
  const document = await PDFDocument.create();
  document.addPage([720, 540]).drawText("Here", { x: 200, y: 340, size: 24 });
  const { slides, faults } = await slidesOf(await document.save());
  expect(faults).toEqual([]);
  const [box] = slides[0]?.boxes.filter(({ width }) => width > 0) ?? [];
  expect((box?.x ?? 0) / EMU_PER_POINT).toBeCloseTo(200, -1);
  expect((box?.y ?? 0) / EMU_PER_POINT).toBeCloseTo(540 - 340 - 0.75 * 24, -1);
});

test("puts drawings into a background picture without text", async () => {
  const document = await PDFDocument.create();
  const page = document.addPage([400, 300]);
  page.drawRectangle({ x: 0, y: 0, width: 200, height: 300, color: rgb(0, 0, 1) });
  page.drawText("On top", { x: 250, y: 150, size: 30, color: rgb(1, 0, 0) });
  const { slides } = await slidesOf(await document.save());
  expect(slides[0]?.paragraphs).toEqual(["On top"]);
  const { data, info } = await sharp(slides[0]?.pictures[0]).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  const colors = new Set(
    Array.from({ length: info.width * info.height }, (_, at) => data.subarray(at * 3, at * 3 + 3).join()),
  );
  expect(colors).toContain("0,0,255");
  expect(colors).not.toContain("255,0,0");
});

test("fits pages of other sizes and rotated pages into the slide", async () => {
  const document = await PDFDocument.create();
  for (const size of [
    [400, 300],
    [3_000, 9_000],
    [20, 10],
    [300, 400],
  ] as const) {
    document.addPage([...size]).drawText("Words", { x: size[0] / 4, y: size[1] / 2, size: size[1] / 20 });
  }
  document.getPage(3).setRotation(degrees(90));
  const { width, height, slides, faults } = await slidesOf(await document.save());
  expect(faults).toEqual([]);
  expect(slides).toHaveLength(4);
  for (const { x, y, width: across, height: down } of slides.flatMap(({ boxes }) => boxes)) {
    expect(Math.min(x, y)).toBeGreaterThanOrEqual(0);
    expect(x + across).toBeLessThanOrEqual(width + EMU_PER_POINT * 4);
    expect(y + down).toBeLessThanOrEqual(height);
  }
});

test("escapes markup, control characters and links as valid XML", async () => {
  const { slides, faults } = await slidesOf(
    typeset(
      '#"<b> & \\"quotes\\""\n\n#link("https://example.org/ü?a=1&b=%20%3C")[link] #link("javascript:alert(1)")[none]',
    ),
  );
  expect(faults).toEqual([]);
  expect(slides[0]?.paragraphs[0]).toBe('<b> & "quotes"');
});

test("turns the boxes of sideways text", async () => {
  const { slides, codes } = await slidesOf(typeset("Upright.\n\n#rotate(-90deg, reflow: true)[Sideways words]"));
  expect(codes).toEqual([]);
  expect(slides[0]?.paragraphs).toEqual(["Upright.", "Sideways words"]);
  const [upright, sideways] = slides[0]?.boxes ?? [];
  expect([upright?.turns, sideways?.turns]).toEqual([0, 3]);
  expect(sideways?.width).toBeGreaterThan(3 * (sideways?.height ?? 0));
});

test("keeps the spans and fills of tables, and leaves their lines out of the background", async () => {
  const { path } = await convert(
    scratch.file(
      typeset(
        '#table(columns: (80pt, 80pt, 80pt), table.cell(colspan: 2, fill: rgb("#ffeeaa"))[Wide], [C], [one], [two], [three])',
      ),
    ),
    ["pdf", "pptx"],
  );
  const { slides, faults } = await viewSlides(path);
  expect(faults).toEqual([]);
  expect(slides[0]?.rows).toEqual([
    ["Wide", "", "C"],
    ["one", "two", "three"],
  ]);
  expect(slides[0]?.xml).toMatch(/<a:tc gridSpan="2">.*?<a:srgbClr val="FFEEAA"\/><\/a:solidFill><\/a:tcPr>/);
  expect(slides[0]?.pictures).toEqual([]);
});
