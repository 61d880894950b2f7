import sharp from "sharp";
import { checkPicture } from "../../../domain/conversions/picture-sizes.ts";
import { JobError } from "../../../domain/errors.ts";
import type { Warning } from "../../../domain/warning.ts";
import { readZip } from "../../archives/zip/reader.ts";
import { bytesOfDataUri, dataUriOf, pictureHeader } from "../../pictures/files/header.ts";
import { checkDrawing } from "../../pictures/svg/check.ts";
import { htmlOfBook } from "../epub/reading.ts";
import { writeEpub } from "../epub/writer.ts";
import { cleanTree } from "../html/clean.ts";
import { attributeOf, elementsBelow, type HtmlElement, parseHtml } from "../html/tree.ts";

/**
 * Rewrites a book with safe content only: no references to other files or the network, no scripts, and only pictures
 * that Calibre can hold in memory, none of them drawings.
 *
 * @throws JobError as reading an EPUB does, and `too_many_pixels`
 */
export const writeSafeBook = async (input: string, output: string): Promise<readonly Warning[]> => {
  const { html, warnings } = await readZip(input, htmlOfBook, "epub");
  const tree = cleanTree(parseHtml(html));
  for (const image of elementsBelow(tree.body, "img")) {
    await settlePicture(image);
  }
  return [...warnings, ...(await writeEpub(output, tree))];
};

/**
 * Old e-readers do not show drawings, and Qt, which Calibre uses to draw them, needs the threads of a window system.
 */
const settlePicture = async (image: HtmlElement): Promise<void> => {
  const bytes = bytesOfDataUri(attributeOf(image, "src") ?? "");
  const header = pictureHeader(bytes);
  if (header?.kind !== "svg") {
    checkPicture({ width: header?.width ?? 0, height: header?.height ?? 0 });
    return;
  }
  const uri = await drawn(bytes);
  image.attrs = image.attrs.flatMap((attribute) =>
    attribute.name !== "src" ? [attribute] : uri === undefined ? [] : [{ ...attribute, value: uri }],
  );
};

/** Maximum side of a drawing in pixels: the screen of an e-reader. */
const DRAWING_PIXELS = 1_600;

/** @returns the drawing as a PNG; undefined when it cannot be rendered */
const drawn = async (bytes: Buffer): Promise<string | undefined> => {
  try {
    checkDrawing(bytes);
    const size = { width: DRAWING_PIXELS, height: DRAWING_PIXELS, fit: "inside", withoutEnlargement: true } as const;
    return dataUriOf(await sharp(bytes).resize(size).png().toBuffer());
  } catch (error) {
    if (error instanceof JobError || error instanceof Error) {
      return undefined;
    }
    throw error;
  }
};
