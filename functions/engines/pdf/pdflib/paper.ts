import { join } from "node:path";
import type { Warning } from "../../../domain/warning.ts";
import type { EngineResult, EngineTask, FurtherFile } from "../../core/engine.ts";
import { makeAlbum } from "./album.ts";
import { rewrite } from "./papers.ts";

/** Makes one PDF from pictures, PDFs or both, in order; pictures become PDFs first. */
export const makePaper = async (task: EngineTask): Promise<EngineResult> => {
  const files = [{ path: task.input, from: task.from }, ...task.further];
  if (files.every(({ from }) => from === "pdf")) {
    return rewrite(task);
  }
  if (files.every(({ from }) => from !== "pdf")) {
    return makeAlbum(task);
  }
  const warnings: Warning[] = [];
  const papers: FurtherFile[] = [];
  for (const [index, file] of files.entries()) {
    const output = join(task.folder, `paper-${index + 1}.pdf`);
    if (file.from !== "pdf") {
      warnings.push(...(await makeAlbum(pictureTask(task, file, output))).warnings);
    }
    papers.push({ path: file.from === "pdf" ? file.path : output, from: "pdf" });
  }
  const [first, ...further] = papers;
  const made = await rewrite({ ...task, input: first?.path ?? task.input, from: "pdf", further });
  return { ...made, warnings: [...warnings, ...made.warnings] };
};

/** Text recognition runs once, after all pages are in place. */
const pictureTask = (task: EngineTask, { path, from }: FurtherFile, output: string): EngineTask => {
  const { ocr: _, ocr_language: __, ...options } = task.options;
  return { ...task, input: path, from, further: [], output, options, progress: () => {} };
};
