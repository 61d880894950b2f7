import { createRequire } from "node:module";
import type { Engine } from "./engine.ts";
import { writeReadText } from "./tesseract/text.ts";

/** The text of pictures, read by Tesseract as WebAssembly: English, as good as the picture is. */
export const tesseractEngine: Engine = {
  name: "tesseract",
  version: async () => createRequire(import.meta.url)("tesseract.js/package.json").version,
  convert: writeReadText,
};
