import { writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { JobError } from "../domain/errors.ts";
import type { Warning } from "../domain/jobs.ts";
import type { Engine } from "./engine.ts";
import { withPictureReader } from "./io/ocr.ts";
import { readablePages } from "./tesseract/pages.ts";

/** The text of pictures, read by Tesseract: English, as good as the picture is. */
export const tesseractEngine: Engine = {
  name: "tesseract",
  version: async () => createRequire(import.meta.url)("tesseract.js/package.json").version,
  convert: async (task) => {
    if (task.options.ocr === false) {
      throw new JobError("unsupported_feature", "Text in a picture can only be read by character recognition.");
    }
    const texts: string[] = [];
    await withPictureReader(async (reader) => {
      for await (const { picture, dpi, count } of readablePages(task.input, task.from)) {
        texts.push((await reader.readPicture(picture, dpi)).text);
        task.progress(texts.length / count);
      }
    });
    const text = texts.map((page) => page.trimEnd()).join("\n\f\n");
    await writeFile(task.output, `${text}\n`, { flag: "wx" });
    return { warnings: text.trim() === "" ? [NO_TEXT] : [] };
  },
};

const NO_TEXT: Warning = { code: "no_text_found", detail: "No text could be read in the picture." };
