import sharp from "sharp";
import { OCR_PAGES_MAX, OCR_PIXELS_MAX } from "../../../domain/conversions/conversion-limits.ts";
import type { Warning } from "../../../domain/warning.ts";
import { type EngineTask, HelperNeeded } from "../../core/engine.ts";
import type { PageContent } from "../pdfium/content/content.ts";
import { paperOf, renderPage } from "../pdfium/page/bitmap.ts";
import { type PdfDocument, withPage } from "../pdfium/page/document.ts";
import { type PictureReader, withPictureReader } from "./ocr.ts";
import { withReadWords } from "./page-words.ts";
import { type ScanKind, scanKindOf, withRecognized } from "./scanned-pages.ts";
import type { GrayPicture } from "./skew.ts";
import { readStraightened } from "./straightened.ts";

/** Recognizes the text of scanned pages while the pages of a document are read. */
export interface ScanReader {
  /**
   * @returns the page, with recognized words if it is scanned
   * @throws HelperNeeded if its text can only be recognized elsewhere; JobError `too_many_pages`,
   * `unsupported_feature`
   */
  read(page: PageContent): Promise<PageContent>;
  /** @returns warnings about the pages so far */
  warnings(): Warning[];
}

/** Opens the document's scanned pages for `use`, as the task requests. */
export const withScans = async <T>(
  document: PdfDocument,
  task: Pick<EngineTask, "options" | "helper">,
  use: (document: PdfDocument & { readonly scans: ScanReader }) => Promise<T>,
): Promise<T> => {
  const { helper, options } = task;
  if (helper === "here" && options.ocr !== "off") {
    const reading = (reader: PictureReader) => use({ ...document, scans: scanReader(document, task, reader) });
    return withPictureReader(reading, options.ocr_language);
  }
  return use({ ...document, scans: scanReader(document, task) });
};

const scanReader = (
  document: PdfDocument,
  { options: { ocr = "auto" }, helper }: Pick<EngineTask, "options" | "helper">,
  reader?: PictureReader,
): ScanReader => {
  const numbers: Record<Outcome, number[]> = { read: [], silent: [], skipped: [], off: [], missing: [] };
  let tried = 0;
  const outcomeOf = async (page: PageContent, kind: ScanKind): Promise<{ outcome: Outcome; content: PageContent }> => {
    if (reader === undefined) {
      return { outcome: ocr === "off" ? "off" : "missing", content: page };
    }
    if (ocr === "auto" && tried >= OCR_PAGES_MAX) {
      return { outcome: "skipped", content: page };
    }
    tried += 1;
    const read = await readPage(document, page, reader);
    const content = read && withRecognized(page, read, kind);
    return content === undefined ? { outcome: "silent", content: page } : { outcome: "read", content };
  };
  return {
    read: async (page) => {
      const kind = ocr === "force" ? (hasContent(page) ? "image" : undefined) : await scanKindOf(document, page);
      if (kind === undefined) {
        return page;
      }
      if (ocr !== "off" && helper === "elsewhere") {
        throw new HelperNeeded();
      }
      const { outcome, content } = await outcomeOf(page, kind);
      // A page that only resembles a stamped one is complete.
      if (kind !== "stamped" || outcome === "read" || outcome === "skipped") {
        numbers[outcome].push(page.number);
      }
      return content;
    },
    warnings: () =>
      OUTCOMES.flatMap(([outcome, code, detail]) =>
        numbers[outcome].length === 0 ? [] : [{ code, detail: detail(listOf(numbers[outcome])) }],
      ),
  };
};

/** What became of a scanned page: `silent` is a picture without text. */
type Outcome = "read" | "silent" | "skipped" | "off" | "missing";

const OUTCOMES: readonly [Outcome, string, (pages: string) => string][] = [
  [
    "read",
    "text_recognized",
    (pages) => `Text was recognized in images of pages (OCR): ${pages}. Check it for errors.`,
  ],
  ["silent", "no_text_found", (pages) => `No text was recognized on pages that contain only images: ${pages}.`],
  [
    "skipped",
    "no_text",
    (pages) => `Text recognition is limited to ${OCR_PAGES_MAX} pages per job. Pages left without text: ${pages}.`,
  ],
  ["off", "no_text", (pages) => `Pages without text: ${pages}. Text recognition is off (\`ocr\`).`],
  [
    "missing",
    "no_text",
    (pages) => `Pages without text: ${pages}. They may be scanned; this server cannot recognize text.`,
  ],
];

const PAGES_SHOWN_MAX = 20;

const listOf = (numbers: readonly number[]): string =>
  [...numbers.slice(0, PAGES_SHOWN_MAX), ...(numbers.length > PAGES_SHOWN_MAX ? ["…"] : [])].join(", ");

const hasContent = ({ words, turned, pictures, drawings }: PageContent): boolean =>
  [words, turned, pictures, drawings].some(({ length }) => length > 0);

/** Resolution (dpi) at which a page is rendered for text recognition. */
const DPI = 300;
const POINTS_PER_INCH = 72;

const readPage = async (
  document: PdfDocument,
  content: PageContent,
  reader: PictureReader,
): Promise<PageContent | undefined> => {
  const picture = await drawn(document, content.number);
  if (picture === undefined) {
    return undefined;
  }
  const scale = content.width / picture.width;
  return withReadWords(content, await readStraightened(reader, picture, POINTS_PER_INCH / scale), scale);
};

const drawn = async (document: PdfDocument, number: number): Promise<GrayPicture | undefined> => {
  const bitmap = await withPage(document, number, (page) => {
    const scale = Math.min(DPI / POINTS_PER_INCH, Math.sqrt(OCR_PIXELS_MAX / (page.width * page.height)));
    const [width, height] = [page.width, page.height].map((points) => Math.max(1, Math.floor(points * scale)));
    return renderPage(page, { width: width ?? 1, height: height ?? 1, paper: paperOf("#fff", false) });
  });
  if (bitmap === undefined || bitmap.channels === 1) {
    return bitmap;
  }
  const { data, width, height, channels } = bitmap;
  const gray = sharp(data, { raw: { width, height, channels }, limitInputPixels: OCR_PIXELS_MAX }).toColourspace("b-w");
  return { data: await gray.raw().toBuffer(), width, height };
};
