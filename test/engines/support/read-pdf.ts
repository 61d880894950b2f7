import { readFileSync } from "node:fs";
import type { Options } from "../../../functions/domain/options.ts";
import type { Scratch } from "./scratch.ts";
import { convertingBy } from "./task.ts";

/** @returns a function that reads a PDF by PDFium, in this process: its text, and the codes of the warnings */
export const readingPdf = (scratch: Scratch) => {
  const convert = convertingBy("pdfium", scratch);
  return async (input: string, to: "txt" | "html", options: Options = {}) => {
    const { path, codes } = await convert(input, ["pdf", to], options);
    return { text: readFileSync(path, "utf8"), codes };
  };
};

export const WORDS = "Ships lie in the harbour and wait for wind while crews mend sails and drink coffee in the shade";

/** @returns a paragraph of so many sentences, whose beginning and end can be told */
export const paragraph = (name: string, times = 6): string =>
  `${name} begins. ${`${WORDS}. `.repeat(times)}${name} ends.`;
