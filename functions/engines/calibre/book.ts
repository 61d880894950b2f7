import sharp from "sharp";
import { JobError } from "../../domain/errors.ts";
import type { Warning } from "../../domain/jobs.ts";
import { checkPicture } from "../../domain/pictures.ts";
import { htmlOfBook } from "../epub/reading.ts";
import { checkDrawing } from "../io/drawing-check.ts";
import { writeEpub } from "../io/epub-writer.ts";
import { cleanTree } from "../io/html-clean.ts";
import { attributeOf, elementsBelow, type HtmlElement, parseHtml } from "../io/html-tree.ts";
import { bytesOfDataUri, dataUriOf, pictureHeader } from "../io/picture-header.ts";
import { readZip } from "../io/zip-reader.ts";

/**
 * Writes a book anew with only what is safe in it: nothing that refers to other files or to the network, no script, and
 * pictures that Calibre can hold in memory, none of them a drawing.
 *
 * @throws JobError what reading an EPUB does, and `too_many_pixels`
 */
export const writeSafeBook = async (input: string, output: string): Promise<readonly Warning[]> => {
  const { html, warnings } = await readZip(input, htmlOfBook);
  const tree = cleanTree(parseHtml(html));
  for (const image of elementsBelow(tree.body, "img")) {
    await settlePicture(image);
  }
  return [...warnings, ...(await writeEpub(output, tree))];
};

/** Old reading devices do not show drawings; Qt, by which Calibre draws them, would need a window system's threads. */
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

/** Pixels of a side of a drawing: as large as the screen of a reading device. */
const DRAWING_PIXELS = 1_600;

/** @returns the drawing as PNG; undefined when it cannot be drawn */
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
