import { JobError } from "../../../domain/errors.ts";
import { runProgram } from "../../core/program.ts";

/** Milliseconds; a page of a thousand images takes 0.1 s. */
const TIMEOUT_MS = 120_000;
const LIST_BYTES_MAX = 20_000_000;

export interface ListedImages {
  /** The lowest resolution at which a page shows each image, in dots per inch, by its object: `12 0`. */
  readonly resolutions: ReadonlyMap<string, number>;
  /** The number of images with CMYK colors or in JPEG 2000, which are not recompressed. */
  readonly unsupported: number;
}

/** A line of the list of images: an image as a page shows it, or the mask of the image before it. */
export interface ListedImage {
  readonly page: number;
  /** The number of the file that the program writes for it. */
  readonly number: number;
  readonly type: string;
  readonly color: string;
  readonly encoding: string;
  /** The object: `12 0`; `[inline]` images have none. */
  readonly object: string | undefined;
  /** The lower resolution of both directions, in dots per inch; 0 if it is unknown. */
  readonly dpi: number;
}

/**
 * @returns the images of each page, and their masks
 * @throws JobError `source_corrupt`
 */
export const imagesOfPages = async (path: string, folder: string): Promise<ListedImage[]> => {
  const { code, stdout, stderr } = await runProgram({
    program: "pdfimages",
    arguments: ["-list", path],
    folder,
    timeoutMs: TIMEOUT_MS,
    outputBytesMax: LIST_BYTES_MAX,
  });
  if (code !== 0) {
    throw new JobError("source_corrupt", "The images of the PDF could not be listed.", { cause: stderr });
  }
  return stdout
    .toString("latin1")
    .split("\n")
    .flatMap((line) => {
      // page, number, type, width, height, color, components, bits, encoding, interpolation, object, generation, ppi, ppi
      const [page, number, type = "", , , color = "", , , encoding = "", , object = "", generation, across, down] = line
        .trim()
        .split(/\s+/);
      const isRow = Number(page) > 0;
      const isObject = /^\d+$/.test(object);
      const dpi = isObject ? Math.min(Number(across), Number(down)) || 0 : 0;
      const id = isObject ? `${object} ${generation}` : undefined;
      return isRow ? [{ page: Number(page), number: Number(number), type, color, encoding, object: id, dpi }] : [];
    });
};

/**
 * @returns the images of a PDF, without soft masks and stencils
 * @throws JobError `source_corrupt`
 */
export const listImages = async (path: string, folder: string): Promise<ListedImages> => {
  const lowest = new Map<string, number>();
  const unsupported = new Set<string>();
  for (const { type, color, encoding, object, dpi } of await imagesOfPages(path, folder)) {
    if (type === "image" && dpi > 0 && object !== undefined) {
      lowest.set(object, Math.min(dpi, lowest.get(object) ?? Number.POSITIVE_INFINITY));
      if (color === "cmyk" || encoding === "jpx") {
        unsupported.add(object);
      }
    }
  }
  return { resolutions: lowest, unsupported: unsupported.size };
};
