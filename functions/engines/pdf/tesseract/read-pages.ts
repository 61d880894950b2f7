import { join } from "node:path";
import sharp from "sharp";
import type { Options } from "../../../domain/conversions/options.ts";
import { JobError } from "../../../domain/errors.ts";
import type { EngineResult, EngineTask } from "../../core/engine.ts";
import { convertPdf } from "../pdfium/convert-pdf.ts";
import { makeAlbum } from "../pdflib/album.ts";

/** Writes a document of the recognized text of a picture: the picture becomes a PDF, whose scanned pages are read. */
export const writeReadPages = async (task: EngineTask): Promise<EngineResult> => {
  if (task.options.ocr === "off") {
    throw new JobError("unsupported_feature", "Converting a picture to a document requires text recognition (`ocr`).");
  }
  const input = join(task.folder, "pictures.pdf");
  const album = await makeAlbum({ ...task, to: "pdf", output: input, options: await pageSize(task.input) });
  const made = await convertPdf({ ...task, input, from: "pdf", helper: "here" });
  return { ...made, warnings: [...album.warnings, ...made.warnings] };
};

/** Programs that do not know the physical size of a picture write 72 or 96. */
const DENSITY_MIN = 100;
/** Maximum side length of a page in Word, in inches. */
const SIDE_INCHES_MAX = 22;

/** @returns the options of a page with the picture's physical size; A4 if that is unknown or too large */
const pageSize = async (path: string): Promise<Options> => {
  const {
    density = 0,
    width,
    height,
  } = await sharp(path, { limitInputPixels: false })
    .metadata()
    // The album reports what is wrong with the picture.
    .catch(() => ({ width: 1, height: 1 }) as { density?: number; width: number; height: number });
  return density >= DENSITY_MIN && Math.max(width, height) / density <= SIDE_INCHES_MAX ? {} : { page_size: "a4" };
};
