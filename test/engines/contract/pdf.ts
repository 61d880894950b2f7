import { expect } from "vitest";
import { detectFormat } from "../../../functions/domain/detect.ts";
import { formatOf } from "../../../functions/domain/formats.ts";
import { readZip } from "../../../functions/engines/io/zip-reader.ts";
import { DOCUMENT_WORDS, MARKUP_SOURCES } from "../support/document.ts";
import { distanceMax, expectedPixels, isComparable } from "../support/expected.ts";
import { checkByQpdf, viewPdf } from "../support/pdf.ts";
import { PICTURE_HEIGHT, PICTURE_WIDTH } from "../support/picture.ts";
import { distance } from "../support/views.ts";
import type { Check, Result } from "./contract.ts";

/** What every PDF that we write has to be: one that two other readers open, and that shows what its source says. */
export const pdfCheck: Check = async (result) => {
  if (result.bundled) {
    await everyMemberIsPdf(result);
    return;
  }
  checkByQpdf(result.path);
  const isPicture = ["image", "vector"].includes(formatOf(result.from).family);
  await (isPicture ? showsThePicture(result) : saysWhatItSaid(result));
};

const everyMemberIsPdf = ({ path }: Result): Promise<void> =>
  readZip(path, async (zip) => {
    expect(zip.paths.length).toBeGreaterThan(1);
    for (const member of zip.paths) {
      expect(detectFormat((await zip.read(member)) ?? new Uint8Array())).toBe("pdf");
    }
  });

/** How much further drawn pixels may be off in the mean, of 255: drawing blurs the edges. */
const DRAWN_DISTANCE_MAX = 3;

const showsThePicture = async ({ path, from, fidelity }: Result): Promise<void> => {
  const [page, ...others] = await viewPdf(path);
  const { width = 1, height = 1 } = page ?? {};
  expect(others).toHaveLength(0);
  if (!isComparable(from, "png")) {
    expect(new Set(page?.pixels).size).toBeGreaterThan(1);
    return;
  }
  expect(width / height).toBeCloseTo(PICTURE_WIDTH / PICTURE_HEIGHT, 1);
  const [exact] = await viewPdf(path, { width: PICTURE_WIDTH, height: PICTURE_HEIGHT });
  const pixels = exact?.pixels ?? new Uint8Array();
  expect(distance(pixels, expectedPixels(from, "png"))).toBeLessThan(
    DRAWN_DISTANCE_MAX + distanceMax(from, "png", fidelity),
  );
};

/** Sources whose samples hold the document of `support/document.ts`. */
const DOCUMENTS: readonly string[] = [
  ...["html", "md", "txt", "docx", "epub", "mobi", "azw3", "fb2"],
  ...MARKUP_SOURCES,
  "man",
];

const saysWhatItSaid = async ({ path, from, codes }: Result): Promise<void> => {
  const pages = await viewPdf(path);
  const text = pages
    .map((page) => page.text)
    .join("\n")
    .replace(/\s+/g, " ");
  expect(text).toMatch(/\p{L}{2}/u);
  const words = DOCUMENTS.includes(from) ? DOCUMENT_WORDS : [];
  // Without a font for Chinese on this machine, its characters are boxes, and the warning says so.
  for (const word of words.filter((each) => !codes.includes("glyphs_missing") || !/\p{Script=Han}/u.test(each))) {
    expect(
      [word, fromTheRight(word)].some((each) => text.includes(each)),
      `"${word}" is there`,
    ).toBe(true);
  }
};

/** Readers differ in whether they give what is written from the right as it is seen or as it is said. */
const fromTheRight = (word: string): string => [...word].toReversed().join("");
