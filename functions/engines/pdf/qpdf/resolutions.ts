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

/**
 * @returns the images of a PDF, without soft masks and stencils
 * @throws JobError `source_corrupt`
 */
export const listImages = async (path: string, folder: string): Promise<ListedImages> => {
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
  const lowest = new Map<string, number>();
  const unsupported = new Set<string>();
  for (const line of stdout.toString("latin1").split("\n")) {
    // page, number, type, width, height, color, components, bits, encoding, interpolation, object, generation, ppi, ppi
    const [, , type, , , color, , , encoding, , object, generation, across, down] = line.trim().split(/\s+/);
    const dpi = Math.min(Number(across), Number(down));
    if (type === "image" && dpi > 0) {
      const key = `${object} ${generation}`;
      lowest.set(key, Math.min(dpi, lowest.get(key) ?? Number.POSITIVE_INFINITY));
      if (color === "cmyk" || encoding === "jpx") {
        unsupported.add(key);
      }
    }
  }
  return { resolutions: lowest, unsupported: unsupported.size };
};
