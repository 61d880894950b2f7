import { copyFile, rename, stat } from "node:fs/promises";
import { join } from "node:path";
import { PDF_BYTES_MAX } from "../../../domain/conversions/conversion-limits.ts";
import type { Options } from "../../../domain/conversions/options.ts";
import { chosenPages } from "../../../domain/conversions/page-ranges.ts";
import type { Warning } from "../../../domain/warning.ts";
import type { EngineResult, EngineTask, Part } from "../../core/engine.ts";
import { checkInput } from "../../core/input.ts";
import { type Edited, editPdf, fillPdf, isEdited } from "../edit/edit.ts";
import { pageName } from "../pdfium/page/names.ts";
import { repairedWarning } from "../pdfium/write/write.ts";
import {
  flatteningPart,
  inputPart,
  isCompressed,
  isEncrypted,
  type JobPart,
  rotationPart,
  type SourcePages,
  selectionPart,
  writingPart,
} from "./job.ts";
import { annotationsWarning, containsImages, signatureWarning } from "./left-out.ts";
import { checkedCount, pageCount } from "./page-count.ts";
import { runQpdf } from "./program.ts";
import { type Shrunk, shrunk } from "./shrink.ts";

/**
 * Changes a PDF, or joins several and changes the result: pages, rotation, flattening, compression of images, order of
 * objects, encryption.
 *
 * @throws JobError `source_corrupt`, `password_required`, `too_many_pages`, `output_too_large`
 */
export const changePdf = async (task: EngineTask): Promise<EngineResult> => {
  const { options, folder, output } = task;
  const { sources, pages } = await sourcesOf(task);
  const edited = await changed(task, {
    ...inputPart(task.input, options),
    ...selectionPart(sources, options),
    ...rotationPart(options, pages),
  });
  const isShrunk = isCompressed(options) && (options.target_size !== undefined || (await hasImages(task)));
  const small = isShrunk ? await compressed(task, edited.part, pages) : undefined;
  const source = small === undefined ? edited.part : inputPart(small.path, {});
  const repaired = await writeResult(task, source, small);
  if (pages === undefined && (repaired || edited.repaired)) {
    await checkPages(output, options, folder);
  }
  const warnings = [
    ...repairedWarning({ repaired: repaired || edited.repaired || small?.repaired === true }),
    ...(await lossWarnings(task)),
    ...edited.warnings,
    ...(small?.warnings ?? []),
  ];
  return options.split === true
    ? { warnings, parts: partsOf(folder, Math.ceil((pages ?? 0) / (options.pages_per_sheet ?? 1))) }
    : { warnings: [...warnings, ...(await keptSmaller(task))] };
};

/**
 * Writes the result, or one file per page.
 *
 * @param small of a compressed PDF: whether the complete result already exists, and how to write it
 * @returns whether the source was repaired
 */
const writeResult = async ({ options, folder, output }: EngineTask, source: JobPart, small?: Compressed) => {
  if (options.split !== true && small?.final !== undefined) {
    await rename(small.final, output);
    return false;
  }
  const target =
    options.split === true ? { outputFile: join(folder, "page.pdf"), splitPages: "1" } : { outputFile: output };
  return (await runQpdf({ ...source, ...writingPart(options, small), ...target }, folder)).repaired;
};

/** @throws JobError `source_corrupt` if a repaired PDF has no pages */
const checkPages = async (path: string, { owner_password, user_password }: Options, folder: string): Promise<void> => {
  const password = owner_password ?? user_password;
  // With permissions alone the file opens without a password.
  await pageCount(inputPart(path, password === undefined ? {} : { password }), folder);
};

/** @returns a warning for what the change removes, in any of the files */
const lossWarnings = async ({ input, further, options }: EngineTask): Promise<Warning[]> => {
  const files = [input, ...further.map(({ path }) => path)];
  return [
    ...(await signatureWarning(files)),
    ...(options.flatten === true ? await annotationsWarning(files, options.password) : []),
  ];
};

interface Sources {
  readonly sources: readonly SourcePages[];
  /** The number of selected pages; undefined if the change does not depend on it. */
  readonly pages: number | undefined;
}

/** @returns the pages to take of each source, and their number. To count pages, qpdf needs half the time of a rotation */
const sourcesOf = async (task: EngineTask): Promise<Sources> => {
  const { input, further, options, folder } = task;
  const sources: SourcePages[] = [];
  let pages = 0;
  for (const file of [input, ...further.map(({ path }) => path)]) {
    await checkInput(file, { max: PDF_BYTES_MAX, name: "PDF" });
    if (further.length === 0 && !dependsOnPages(options)) {
      return { sources: [{ file, range: "1-z" }], pages: undefined };
    }
    const numbers = chosenPages(options.pages, await pageCount(inputPart(file, options), folder));
    pages = checkedCount(pages + numbers.length);
    sources.push({ file, range: numbers.join(",") });
  }
  return { sources, pages };
};

const dependsOnPages = ({ pages, rotate_pages, split, target_size }: Options): boolean =>
  pages !== undefined || rotate_pages !== undefined || split === true || target_size !== undefined;

/** A source of the next job, which writes it. */
interface Changed {
  readonly part: JobPart;
  readonly repaired: boolean;
  readonly warnings: readonly Warning[];
}

/** @returns the selected pages, filled, then flattened, then with changed content: each only if it is requested */
const changed = async (task: EngineTask, selected: JobPart): Promise<Changed> => {
  const { options } = task;
  const start: Changed = { part: selected, repaired: false, warnings: [] };
  const filled = options.form_data === undefined ? start : await passedThrough(task, start, fillPdf);
  const flat = { ...filled, part: { ...filled.part, ...flatteningPart(options) } };
  return isEdited(options) ? passedThrough(task, flat, editPdf) : flat;
};

/** Writes the source, and changes the file by pdf-lib. */
const passedThrough = async (
  task: EngineTask,
  { part, repaired, warnings }: Changed,
  change: (path: string, task: EngineTask) => Promise<Edited>,
): Promise<Changed> => {
  const outputFile = join(task.folder, `selected-${crypto.randomUUID()}.pdf`);
  const run = await runQpdf({ ...part, outputFile }, task.folder);
  task.progress(0.1);
  const made = await change(outputFile, task);
  return {
    part: inputPart(made.path, {}),
    repaired: repaired || run.repaired,
    warnings: [...warnings, ...made.warnings],
  };
};

/** @returns whether one of the PDFs may have images; without them, qpdf alone compresses as much in half the time */
const hasImages = async ({ input, further, options }: EngineTask): Promise<boolean> => {
  if (options.password !== undefined || options.watermark_upload_id !== undefined) {
    return true;
  }
  return containsImages([input, ...further.map(({ path }) => path)]);
};

interface Compressed extends Shrunk {
  readonly repaired: boolean;
}

/** @returns a PDF of the selected pages with recompressed images */
const compressed = async (task: EngineTask, selected: JobPart, pages = 0): Promise<Compressed> => {
  const path = join(task.folder, "selected.pdf");
  const { repaired } = await runQpdf({ ...selected, outputFile: path }, task.folder);
  task.progress(0.2);
  return { ...(await shrunk({ ...task, input: path }, pages)), repaired };
};

/** A result of compression that is larger than the source is replaced by it, unless something else was requested. */
const keptSmaller = async (task: EngineTask): Promise<Warning[]> => {
  const { options, input, output, further } = task;
  const others = options.pages ?? options.rotate ?? options.password;
  const isChanged =
    isEncrypted(options) || isEdited(options) || options.form_data || options.flatten || options.linearize;
  if (!isCompressed(options) || isChanged || further.length > 0 || others !== undefined) {
    return [];
  }
  const [before, after] = await Promise.all([stat(input), stat(output)]);
  if (after.size < before.size) {
    return [];
  }
  await copyFile(input, output);
  return [{ code: "option_without_effect", detail: "The PDF cannot be compressed further; it is unchanged." }];
};

/** The names that qpdf gives to single pages. */
const partsOf = (folder: string, pages: number): Part[] =>
  Array.from({ length: pages }, (_, index) => ({
    path: join(folder, `page-${String(index + 1).padStart(String(pages).length, "0")}.pdf`),
    name: pageName(index + 1, pages),
  }));
