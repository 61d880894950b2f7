import { expect } from "vitest";
import { detectFormat } from "../../../functions/domain/formats/detect.ts";
import { formatOf } from "../../../functions/domain/formats/formats.ts";
import { readZip } from "../../../functions/engines/archives/zip/reader.ts";
import { DOCUMENT_WORDS, MARKUP_SOURCES } from "../support/document.ts";
import { checkByQpdf, viewPdf } from "../support/documents/pdf.ts";
import { distanceMax, expectedPixels, isComparable } from "../support/expected.ts";
import { PICTURE_HEIGHT, PICTURE_WIDTH } from "../support/pictures/picture.ts";
import { distance } from "../support/views.ts";
import type { Check, Result } from "./contract.ts";

/**
 * Requirements for every PDF that we write: two independent readers open it, and it shows the content of its source.
 */
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

/** Additional mean tolerance of rendered pixels, of 255: rendering blurs edges. */
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
  // Without an installed font for Chinese, its characters become boxes, and a warning reports it.
  for (const word of words.filter((each) => !codes.includes("glyphs_missing") || !/\p{Script=Han}/u.test(each))) {
    expect(
      [word, fromTheRight(word)].some((each) => text.includes(each)),
      `contains "${word}"`,
    ).toBe(true);
  }
};

/** Readers return right-to-left text in either visual or logical order. */
const fromTheRight = (word: string): string => [...word].toReversed().join("");
