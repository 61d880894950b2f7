import { writeFile } from "node:fs/promises";
import { JobError } from "../../../domain/errors.ts";
import type { Warning } from "../../../domain/warning.ts";
import type { EngineResult, EngineTask } from "../../core/engine.ts";
import { withPictureReader } from "../ocr/ocr.ts";
import { readStraightened } from "../ocr/straightened.ts";
import { readablePages } from "./pages.ts";

/** Writes the recognized text of a picture; pages are separated by a form feed. */
export const writeReadText = async (task: EngineTask): Promise<EngineResult> => {
  if (task.options.ocr === "off") {
    throw new JobError("unsupported_feature", "Converting a picture to text requires text recognition (`ocr`).");
  }
  const texts: string[] = [];
  await withPictureReader(async (reader) => {
    for await (const { picture, dpi, count } of readablePages(task.input, task.from)) {
      texts.push((await readStraightened(reader, picture, dpi)).text);
      task.progress(texts.length / count);
    }
  }, task.options.ocr_language);
  const text = texts.map((page) => page.trimEnd()).join("\n\f\n");
  await writeFile(task.output, `${text}\n`, { flag: "wx" });
  return { warnings: text.trim() === "" ? [NO_TEXT] : [] };
};

const NO_TEXT: Warning = { code: "no_text_found", detail: "No text was recognized in the picture." };
