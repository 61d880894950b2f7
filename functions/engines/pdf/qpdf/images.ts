import { PDFDict, type PDFDocument, PDFName, PDFRawStream, PDFRef } from "@cantoo/pdf-lib";
import sharp from "sharp";
import { PICTURE_PIXELS_MAX } from "../../../domain/conversions/conversion-limits.ts";
import type { EngineTask } from "../../core/engine.ts";
import { openBook } from "../pdflib/book.ts";
import { imageOf, isImage, isJpeg2000, isSpecial, numberIn, type PaperImage } from "./image.ts";
import { decodedJpeg2000 } from "./jpeg2000.ts";
import { type Placement, placementsOf } from "./placements.ts";

/** An image object that can become smaller. */
export interface Found {
  readonly kind: "image" | "mask";
  readonly ref: PDFRef;
  readonly stream: PDFRawStream;
  readonly image: PaperImage;
  readonly width: number;
  /** Dots per inch on the page. */
  readonly dpi: number;
}

export interface Images {
  readonly document: PDFDocument;
  readonly images: readonly Found[];
  /** The number of images that are left alone because of their colors or coding. */
  readonly unsupported: number;
}

interface ImageObject {
  readonly ref: PDFRef;
  readonly stream: PDFRawStream;
}

const name = (text: string): PDFName => PDFName.of(text);

/**
 * @returns the images of a PDF that pages show, and their soft masks
 * @throws JobError as {@link openBook}
 */
export const imagesOf = async ({ input, folder }: EngineTask): Promise<Images> => {
  const document = await openBook(input);
  const objects = document.context
    .enumerateIndirectObjects()
    .flatMap(([ref, stream]): ImageObject[] =>
      stream instanceof PDFRawStream && isImage(stream.dict) ? [{ ref, stream }] : [],
    );
  const placements = placementsOf(document, new Set(objects.filter(isWorthwhile).map(({ ref }) => String(ref))));
  const direct = objects.flatMap(({ ref, stream }) =>
    foundOf("image", { ref, stream }, placements.get(String(ref))?.dpi),
  );
  const decoded = await jpeg2000Of(objects, placements, { input, folder });
  const images = [...direct, ...decoded, ...masksOf(document, objects, placements)];
  const known = new Set(images.map(({ ref }) => ref));
  const left = objects.filter(({ ref, stream }) => isSpecial(stream) && !known.has(ref) && placements.has(String(ref)));
  return { document, images, unsupported: left.length };
};

/** @returns whether it is worth the time to search the pages for the image */
const isWorthwhile = ({ stream }: ImageObject): boolean =>
  isSpecial(stream) || imageOf(stream) !== undefined || stream.dict.has(name("SMask"));

const foundOf = (kind: Found["kind"], { ref, stream }: ImageObject, dpi: number | undefined): Found[] => {
  const image = dpi === undefined ? undefined : imageOf(stream);
  return image && dpi !== undefined ? [{ kind, ref, stream, image, width: image.width, dpi }] : [];
};

/** Pixels of all images in JPEG 2000 that are decoded; the other ones stay as they are. */
const JPEG_2000_PIXELS_MAX = 4 * PICTURE_PIXELS_MAX;

const jpeg2000Of = async (
  objects: readonly ImageObject[],
  placements: ReadonlyMap<string, Placement>,
  { input, folder }: { readonly input: string; readonly folder: string },
): Promise<Found[]> => {
  const wanted = new Map<string, Placement>();
  let pixels = 0;
  for (const { ref, stream } of objects) {
    const placement = isJpeg2000(stream) ? placements.get(String(ref)) : undefined;
    pixels += placement === undefined ? 0 : numberIn(stream.dict, "Width") * numberIn(stream.dict, "Height");
    if (placement !== undefined && pixels <= JPEG_2000_PIXELS_MAX) {
      wanted.set(String(ref), placement);
    }
  }
  const files = wanted.size === 0 ? new Map<string, string>() : await decodedJpeg2000(input, folder, wanted);
  const found = await Promise.all(
    objects.map(async ({ ref, stream }): Promise<Found[]> => {
      const [file, placement] = [files.get(String(ref)), wanted.get(String(ref))];
      const image = file === undefined ? undefined : await decodedImage(file, stream);
      return image && placement ? [{ kind: "image", ref, stream, image, width: image.width, dpi: placement.dpi }] : [];
    }),
  );
  return found.flat();
};

/** @returns the image in a file of gray or sRGB samples */
const decodedImage = async (file: string, { dict, contents }: PDFRawStream): Promise<PaperImage | undefined> => {
  const open = () => sharp(file, { limitInputPixels: PICTURE_PIXELS_MAX, failOn: "error" });
  const { width, height, channels } = await open().metadata();
  const isWhole = width === numberIn(dict, "Width") && height === numberIn(dict, "Height");
  if (!isWhole || (channels !== 1 && channels !== 3)) {
    return undefined;
  }
  const colors = name(channels === 1 ? "DeviceGray" : "DeviceRGB");
  return { width, height, channels, colors, bytes: contents.length, jpeg: undefined, open };
};

/** A mask with its own resolution is as fine as its image; one with a matte must have the size of the image. */
const masksOf = (
  document: PDFDocument,
  objects: readonly ImageObject[],
  placements: ReadonlyMap<string, Placement>,
): Found[] => {
  const lowest = new Map<PDFRef, number>();
  for (const { ref, stream } of objects) {
    const placement = placements.get(String(ref));
    const mask = stream.dict.get(name("SMask"));
    const object = document.context.lookup(mask);
    if (placement !== undefined && mask instanceof PDFRef && object instanceof PDFRawStream) {
      const dpi = (placement.dpi * numberIn(object.dict, "Width")) / Math.max(1, numberIn(stream.dict, "Width"));
      lowest.set(mask, Math.min(dpi, lowest.get(mask) ?? Number.POSITIVE_INFINITY));
    }
  }
  return objects
    .filter(({ stream }) => !stream.dict.has(name("Matte")))
    .flatMap(({ ref, stream }) => foundOf("mask", { ref, stream }, lowest.get(ref)))
    .filter(({ image }) => image.channels === 1);
};

/** Share of a file's bytes above which its images matter more than the rest. */
const PREDICTED_MIN = 0.1;

/** @returns whether images whose rows are filtered as in a PNG are a large part of the document */
export const hasPredictors = ({ context }: PDFDocument): boolean => {
  let [predicted, all] = [0, 0];
  for (const [, object] of context.enumerateIndirectObjects()) {
    if (object instanceof PDFRawStream) {
      const parameters = object.dict.lookup(name("DecodeParms"));
      const isPredicted = parameters instanceof PDFDict && numberIn(parameters, "Predictor") >= 10;
      all += object.contents.length;
      predicted += isImage(object.dict) && isPredicted ? object.contents.length : 0;
    }
  }
  return predicted > all * PREDICTED_MIN;
};
