import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import type { Page, Worker } from "tesseract.js";
import { OCR_PAGES_MAX } from "../../domain/conversion-limits.ts";
import { JobError } from "../../domain/errors.ts";
import { languageCodes, OCR_LANGUAGE } from "./ocr-languages.ts";
import { hasOcrProgram, withProgramReader } from "./ocr-program.ts";

/** A word that was read, and where it stands: in pixels from the left and from the top. */
export interface ReadWord {
  readonly text: string;
  readonly left: number;
  readonly right: number;
  /** Of the whole line, so that the words of one have one height. */
  readonly top: number;
  readonly bottom: number;
  /** Where the letters of the line stand, at the left of the word. */
  readonly baseline: number;
}

/** What a picture says. */
export interface ReadPicture {
  /** Lines end with a line feed, paragraphs with two. */
  readonly text: string;
  readonly words: readonly ReadWord[];
  /** How sure the reader is, 0 to 100. */
  readonly confidence: number;
}

export interface PictureReader {
  /**
   * Reads the text in a picture.
   *
   * @param picture a coded PNG or JPEG, upright; grey is enough. 300 dots an inch read best, fewer than 150 badly
   * @param dpi dots an inch of the picture, where they are known
   * @throws JobError `too_many_pages` after {@link OCR_PAGES_MAX} pictures
   */
  readPicture(picture: Uint8Array, dpi?: number): Promise<ReadPicture>;
}

/**
 * Hands out a reader of text in pictures: Tesseract as a program, where it is installed, else as WebAssembly, which knows
 * English only. A page takes some seconds. Nothing is downloaded.
 *
 * @param languages as the option `ocr_language` has them
 * @throws JobError `unsupported_feature` for a language that is not installed
 */
export const withPictureReader = async <T>(
  use: (reader: PictureReader) => Promise<T>,
  languages = OCR_LANGUAGE,
): Promise<T> => {
  const useCounted = (reader: PictureReader): Promise<T> => use(counted(reader));
  if (hasOcrProgram()) {
    return withProgramReader(languages, useCounted);
  }
  if (languageCodes(languages).some((code) => code !== OCR_LANGUAGE)) {
    throw new JobError("unsupported_feature", "English is the only language that is installed for recognition.");
  }
  return withWorkerReader(useCounted);
};

/** @returns the reader, which refuses more than {@link OCR_PAGES_MAX} pictures */
const counted = (reader: PictureReader): PictureReader => {
  let pages = 0;
  return {
    readPicture: async (picture, dpi) => {
      pages += 1;
      if (pages > OCR_PAGES_MAX) {
        const detail = `At most ${OCR_PAGES_MAX} pages can be read as pictures in one job.`;
        throw new JobError("too_many_pages", `${detail} Take some of them by the option \`pages\`, if there is one.`);
      }
      return reader.readPicture(picture, dpi);
    },
  };
};

/** By WebAssembly in a thread of its own, which ends with `use`; the data of the language lies in a package. */
const withWorkerReader = async <T>(use: (reader: PictureReader) => Promise<T>): Promise<T> => {
  const failed = Promise.withResolvers<never>();
  const worker = await startWorker((error) => failed.reject(new Error(`Tesseract failed: ${String(error)}`)));
  // A failure outside of a call would otherwise end the process before anyone waits for it.
  failed.promise.catch(() => {});
  try {
    return await Promise.race([use(readerBy(worker)), failed.promise]);
  } finally {
    await worker.terminate();
  }
};

/** Whole pages, in any arrangement of columns (Tesseract's `PSM_AUTO`). */
const WHOLE_PAGES = "3";
/** The recogniser by a neural network alone: the older one needs four times the data. */
const NETWORK_ONLY = 1;

const startWorker = async (errorHandler: (error: unknown) => void): Promise<Worker> => {
  const { createWorker } = await import("tesseract.js");
  const data = dirname(createRequire(import.meta.url).resolve("@tesseract.js-data/eng/package.json"));
  const worker = await createWorker("eng", NETWORK_ONLY, {
    langPath: join(data, "4.0.0_best_int"),
    cacheMethod: "none",
    gzip: true,
    errorHandler,
  });
  await worker.setParameters({ tessedit_pageseg_mode: WHOLE_PAGES as never });
  return worker;
};

const DPI = 300;

const readerBy = (worker: Worker): PictureReader => ({
  readPicture: async (picture, dpi = DPI) => {
    await worker.setParameters({ user_defined_dpi: String(Math.round(dpi)) });
    const { data } = await worker.recognize(Buffer.from(picture), {}, { text: true, blocks: true });
    return { text: data.text, words: wordsOf(data), confidence: data.confidence };
  },
});

const wordsOf = ({ blocks }: Page): ReadWord[] =>
  (blocks ?? [])
    .flatMap(({ paragraphs }) => paragraphs)
    .flatMap(({ lines }) => lines)
    .flatMap(({ words, bbox, baseline }) => {
      const slope = baseline.x1 === baseline.x0 ? 0 : (baseline.y1 - baseline.y0) / (baseline.x1 - baseline.x0);
      return words.map(({ text, bbox: own }) => ({
        text,
        left: own.x0,
        right: own.x1,
        top: bbox.y0,
        bottom: bbox.y1,
        baseline: baseline.y0 + slope * (own.x0 - baseline.x0),
      }));
    });
