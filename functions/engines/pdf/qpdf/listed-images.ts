import { JobError } from "../../../domain/errors.ts";
import { runProgram } from "../../core/program.ts";

/** Milliseconds; a page of a thousand images takes 0.1 s. */
const TIMEOUT_MS = 120_000;
const LIST_BYTES_MAX = 20_000_000;

/** A line of the list of images: an image as a page shows it, or the mask of the image before it. */
export interface ListedImage {
  readonly page: number;
  /** The number of the file that the program writes for it. */
  readonly number: number;
  readonly type: string;
  readonly encoding: string;
  /** The object: `12 0`; `[inline]` images have none. */
  readonly object: string | undefined;
}

/**
 * @param page only the images of this page
 * @returns the images of each page, and their masks
 * @throws JobError `source_corrupt`
 */
export const imagesOfPages = async (path: string, folder: string, page?: number): Promise<ListedImage[]> => {
  const { code, stdout, stderr } = await runProgram({
    program: "pdfimages",
    arguments: ["-list", ...(page === undefined ? [] : ["-f", String(page), "-l", String(page)]), path],
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
      // page, number, type, width, height, color, components, bits, encoding, interpolation, object, generation
      const [onPage, number, type = "", , , , , , encoding = "", , object = "", generation] = line.trim().split(/\s+/);
      const id = /^\d+$/.test(object) ? `${object} ${generation}` : undefined;
      return Number(onPage) > 0 ? [{ page: Number(onPage), number: Number(number), type, encoding, object: id }] : [];
    });
};
