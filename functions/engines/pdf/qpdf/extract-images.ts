import { readdir, rm } from "node:fs/promises";
import { extname, join } from "node:path";
import { PARTS_MAX, PDF_BYTES_MAX } from "../../../domain/conversions/conversion-limits.ts";
import { chosenPages } from "../../../domain/conversions/page-ranges.ts";
import { JobError } from "../../../domain/errors.ts";
import { writeZip } from "../../archives/zip/writer.ts";
import type { EngineResult, EngineTask } from "../../core/engine.ts";
import { checkInput } from "../../core/input.ts";
import { runProgram } from "../../core/program.ts";
import { repairedWarning } from "../pdfium/write/write.ts";
import { inputPart } from "./job.ts";
import { imagesOfPages, type ListedImage } from "./listed-images.ts";
import { pageCount } from "./page-count.ts";
import { runQpdf } from "./program.ts";

/** Milliseconds for the images of one run of pages. */
const TIMEOUT_MS = 280_000;

/** JPEG and JPEG 2000 as they are in the file; the rest without loss, as PNG, and as TIFF what PNG does not support. */
const FORMATS = ["-j", "-jp2", "-png", "-tiff"];

/**
 * Writes the images of a PDF to a ZIP, each one once, with the number of the first page that shows it. The soft mask of an
 * image is a separate file.
 *
 * @throws JobError `unsupported_feature` without images, `output_too_large`, and the errors of reading a PDF
 */
export const extractImages = async (task: EngineTask): Promise<EngineResult> => {
  const { input, options, folder, output } = task;
  await checkInput(input, { max: PDF_BYTES_MAX, name: "PDF" });
  // The password must not be on the command line of the program that extracts.
  const plain = join(folder, "plain.pdf");
  const { repaired } = await runQpdf({ ...inputPart(input, options), decrypt: "", outputFile: plain }, folder);
  const pages = chosenPages(options.pages, await pageCount(inputPart(plain, {}), folder));
  const listed = await imagesOfPages(plain, folder);
  const images = firstShown(listed, new Set(pages));
  if (images.length === 0) {
    const where = options.pages === undefined ? "" : " on the selected pages";
    throw new JobError("unsupported_feature", `The PDF has no images${where}.`);
  }
  if (images.length > PARTS_MAX) {
    throw new JobError("output_too_large", `The PDF has ${images.length} images; the limit is ${PARTS_MAX}.`);
  }
  const members: { path: string; file: string }[] = [];
  for (const run of runsOf(images)) {
    members.push(...(await extracted(plain, folder, { ...run, before: numberBefore(listed, run.first) })));
    task.progress(members.length / images.length);
  }
  await writeZip(output, members);
  return { warnings: repairedWarning({ repaired }) };
};

interface NamedImage extends ListedImage {
  /** The name without extension: `page-3-image-1`. */
  readonly name: string;
}

/** @returns the images of the pages, each object once, where it is shown first */
const firstShown = (listed: readonly ListedImage[], pages: ReadonlySet<number>): NamedImage[] => {
  const seen = new Set<string>();
  const counts = new Map<number, number>();
  return listed.flatMap((image): NamedImage[] => {
    const isNew = pages.has(image.page) && (image.object === undefined || !seen.has(image.object));
    if (!isNew) {
      return [];
    }
    seen.add(image.object ?? "");
    const isMask = image.type === "smask" || image.type === "mask";
    const count = (counts.get(image.page) ?? 0) + (isMask ? 0 : 1);
    counts.set(image.page, count);
    return [{ ...image, name: `page-${image.page}-image-${count}${isMask ? "-mask" : ""}` }];
  });
};

/** Pages that follow each other, and their images. One start of the program writes all images of its pages. */
interface PageRun {
  readonly first: number;
  last: number;
  readonly images: NamedImage[];
}

/** The program repeats an image on each page of a run, so runs are short: it can be the background of every page. */
const RUN_PAGES_MAX = 20;

const runsOf = (images: readonly NamedImage[]): PageRun[] => {
  const runs: PageRun[] = [];
  for (const image of images) {
    const run = runs.at(-1);
    if (run !== undefined && image.page <= run.last + 1 && image.page < run.first + RUN_PAGES_MAX) {
      run.last = image.page;
      run.images.push(image);
    } else {
      runs.push({ first: image.page, last: image.page, images: [image] });
    }
  }
  return runs;
};

/** @returns the number of images before a page: the program numbers those of a run from 0, masks included */
const numberBefore = (listed: readonly ListedImage[], page: number): number =>
  Math.min(...listed.filter((image) => image.page >= page).map(({ number }) => number));

interface ExtractedRun extends PageRun {
  readonly before: number;
}

/** @returns the images of the pages as files. The repeated ones are deleted */
const extracted = async (path: string, folder: string, { first, last, images, before }: ExtractedRun) => {
  const prefix = `run-${first}`;
  const { code, stderr } = await runProgram({
    program: "pdfimages",
    arguments: [...FORMATS, "-f", String(first), "-l", String(last), path, prefix],
    folder,
    timeoutMs: TIMEOUT_MS,
  });
  if (code !== 0) {
    throw new JobError("source_corrupt", "The images of the PDF could not be extracted.", { cause: stderr });
  }
  const names = new Map(images.map(({ number, name }) => [number - before, name]));
  const files = (await readdir(folder)).filter((file) => file.startsWith(`${prefix}-`)).sort();
  const members: { path: string; file: string }[] = [];
  for (const file of files) {
    const name = names.get(Number(/-(\d+)\.\w+$/.exec(file)?.[1]));
    if (name === undefined) {
      await rm(join(folder, file));
    } else {
      members.push({ path: `${name}${extname(file)}`, file: join(folder, file) });
    }
  }
  return members;
};
