import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { cleanText } from "../../domain/clean-text.ts";
import {
  DOCUMENT_PAGES_MAX,
  PDF_BYTES_MAX,
  PICTURE_PIXELS_MAX,
  TEXT_BYTES_MAX,
} from "../../domain/conversions/conversion-limits.ts";
import { JobError } from "../../domain/errors.ts";
import type { Warning } from "../../domain/warning.ts";
import type { Engine, EngineResult, EngineTask } from "../core/engine.ts";
import { checkInput } from "../core/input.ts";
import { runProgram } from "../core/program.ts";
import { savePdf } from "../pdf/pdflib/album.ts";
import { openBook } from "../pdf/pdflib/book.ts";
import { textLayer } from "../pdf/pdflib/text-layer.ts";
import { type PageWords, wordsOf } from "./djvu/words.ts";

/** A scanned page takes 0.3 s. A job ends sooner. */
const RUN_MS_MAX = 300_000;
/** JPEG quality of pages with colors; others are stored exactly. */
const QUALITY = 85;

/** DjVu, by DjVuLibre: the pages as images, with the stored text under them, or only the text. */
export const djvuEngine: Engine = {
  name: "djvu",
  version: async () => {
    const { stderr, stdout } = await runProgram({
      program: "ddjvu",
      arguments: ["--help"],
      folder: "/",
      timeoutMs: 10_000,
    });
    return /DjVuLibre-(\d[\d.]*)/.exec(`${stderr}${stdout}`)?.[1] ?? "unknown";
  },
  convert: async (task) => {
    await checkInput(task.input, { max: PDF_BYTES_MAX, name: "DjVu" });
    await checkPages(task);
    task.progress(0.1);
    return task.to === "txt" ? toText(task) : toPdf(task);
  },
};

const NO_TEXT: Warning = {
  code: "no_text",
  detail: "The DjVu has no text, only images. Convert it to PDF, and that with the option `ocr`.",
};

const toText = async (task: EngineTask): Promise<EngineResult> => {
  const text = (await outputOf(task, "djvutxt", [task.input])).toString("utf8").replaceAll("\f", "\n").trim();
  await writeFile(task.output, `${text}\n`);
  return { warnings: text === "" ? [NO_TEXT] : [] };
};

const toPdf = async (task: EngineTask): Promise<EngineResult> => {
  const { input, output, folder } = task;
  const pictures = join(folder, "pages.pdf");
  await outputOf(task, "ddjvu", ["-format=pdf", `-quality=${QUALITY}`, input, pictures]);
  task.progress(0.7);
  const document = await openBook(pictures, undefined);
  const layer = await textLayer(document);
  const words = wordsOf((await outputOf(task, "djvutxt", ["--detail=word", input])).toString("utf8"));
  for (const [index, page] of document.getPages().entries()) {
    const read = words[index];
    if (read !== undefined && read.words.length > 0) {
      const { width, height } = read;
      const matrix = [page.getWidth() / width, 0, 0, page.getHeight() / height, 0, 0] as const;
      layer.write(page, layerOf(read), { matrix, width, height });
    }
  }
  await writeFile(output, await savePdf(document), { flag: "wx" });
  return { warnings: [] };
};

const layerOf = ({ words }: PageWords) => ({
  ...{ words, text: "", photos: [], lines: [] },
  ...{ sideways: false, turn: 0, degrees: 0 },
});

/** Checks the number and the sizes of the pages before one is decoded. */
const checkPages = async (task: EngineTask): Promise<void> => {
  const count = Number(String(await outputOf(task, "djvused", ["-e", "n", task.input])).trim());
  if (count > DOCUMENT_PAGES_MAX) {
    throw new JobError("too_many_pages", `The document has ${count} pages; the limit is ${DOCUMENT_PAGES_MAX}.`);
  }
  const script = join(task.folder, "sizes.dsed");
  await writeFile(script, Array.from({ length: count }, (_, index) => `select ${index + 1}\nsize\n`).join(""));
  const sizes = String(await outputOf(task, "djvused", ["-f", script, task.input]));
  for (const [, width = "", height = ""] of sizes.matchAll(/width=(\d+) height=(\d+)/g)) {
    if (Number(width) * Number(height) > PICTURE_PIXELS_MAX) {
      const pixels = `${width} × ${height}`;
      throw new JobError("too_many_pixels", `A page has ${pixels} pixels; the limit is ${PICTURE_PIXELS_MAX}.`);
    }
  }
};

const outputOf = async ({ folder }: EngineTask, program: string, args: readonly string[]): Promise<Buffer> => {
  const { code, stdout, stderr } = await runProgram({
    program,
    arguments: args,
    folder,
    timeoutMs: RUN_MS_MAX,
    outputBytesMax: TEXT_BYTES_MAX,
  });
  const other = OTHER_FILE.exec(stderr)?.[1];
  if (other !== undefined) {
    const detail = `The pages of the DjVu are in other files (${cleanText(other)}). Only documents in one file are supported.`;
    throw new JobError("unsupported_feature", detail, { cause: stderr });
  }
  if (code !== 0 || DAMAGE.test(stderr)) {
    throw new JobError("source_corrupt", "The DjVu is damaged and cannot be read.", { cause: stderr });
  }
  return stdout;
};

/** An indirect document has each page in a separate file. */
const OTHER_FILE = /Failed to open '([^']{1,200})'/;

/** Messages of decoders that continue. */
const DAMAGE = /Unexpected End Of File|corrupt/i;
