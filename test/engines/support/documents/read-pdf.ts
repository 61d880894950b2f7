import { readFileSync } from "node:fs";
import type { Options } from "../../../../functions/domain/conversions/options.ts";
import type { Scratch } from "../scratch.ts";
import { convertingBy } from "../task.ts";

/** @returns a function that extracts a PDF's text with PDFium in this process, with the codes of the warnings */
export const readingPdf = (scratch: Scratch) => {
  const convert = convertingBy("pdfium", scratch);
  return async (input: string, to: "txt" | "html", options: Options = {}) => {
    const { path, codes } = await convert(input, ["pdf", to], options);
    return { text: readFileSync(path, "utf8"), codes };
  };
};

export const WORDS =
  "Ships rest in the harbor and wait for wind while crews repair sails and drink coffee in the shade";

/** @returns a paragraph with this number of sentences and a recognizable start and end */
export const paragraph = (name: string, times = 6): string =>
  `${name} begins. ${`${WORDS}. `.repeat(times)}${name} ends.`;
