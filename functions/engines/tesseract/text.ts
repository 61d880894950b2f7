import { writeFile } from "node:fs/promises";
import { JobError } from "../../domain/errors.ts";
import type { Warning } from "../../domain/jobs.ts";
import type { EngineResult, EngineTask } from "../engine.ts";
import { withPictureReader } from "../io/ocr.ts";
import { readablePages } from "./pages.ts";

/** Writes the text of a picture, as good as the picture is; pages are parted by a form feed. */
export const writeReadText = async (task: EngineTask): Promise<EngineResult> => {
  if (task.options.ocr === false) {
    throw new JobError("unsupported_feature", "Text in a picture can only be read by character recognition.");
  }
  const texts: string[] = [];
  await withPictureReader(async (reader) => {
    for await (const { picture, dpi, count } of readablePages(task.input, task.from)) {
      texts.push((await reader.readPicture(picture, dpi)).text);
      task.progress(texts.length / count);
    }
  }, task.options.ocr_language);
  const text = texts.map((page) => page.trimEnd()).join("\n\f\n");
  await writeFile(task.output, `${text}\n`, { flag: "wx" });
  return { warnings: text.trim() === "" ? [NO_TEXT] : [] };
};

const NO_TEXT: Warning = { code: "no_text_found", detail: "No text could be read in the picture." };
