import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import {
  PDFDocument,
  type PDFFont,
  PDFName,
  type PDFPage,
  type PDFRef,
  PDFStream,
  rgb,
  StandardFonts,
} from "@cantoo/pdf-lib";
import sharp from "sharp";
import type { EngineTask, OptionFile } from "../../core/engine.ts";
import { makeAlbum } from "../pdflib/album.ts";
import { openBook } from "../pdflib/book.ts";
import { frameOf } from "./frame.ts";

/** A drawing that is stored once in a document and drawn on many pages. */
export interface Stamp {
  readonly ref: PDFRef;
  /** Natural size in points. */
  readonly width: number;
  readonly height: number;
}

/** Font size of the natural size of a text. */
export const STAMP_FONT_SIZE = 48;

/** @returns the visible part of a page of another document as a drawing, upright */
export const stampOf = async (document: PDFDocument, page: PDFPage): Promise<Stamp> => {
  const { box, inverse, width, height } = frameOf(page);
  addMissingContent(page);
  const embedded = await document.embedPage(page, box, [...inverse]);
  await embedded.embed();
  const form = document.context.lookup(embedded.ref);
  if (form instanceof PDFStream) {
    // As a group, it has one opacity, whatever is drawn in it.
    const group = document.context.obj({ Type: "Group", S: "Transparency" });
    form.dict.set(PDFName.of("Group"), form.dict.lookup(PDFName.of("Group")) ?? group);
  }
  return { ref: embedded.ref, width, height };
};

/** An empty page has no content (ISO 32000-1, 7.7.3.3), and pdf-lib embeds none such. */
const addMissingContent = ({ node, doc: { context } }: PDFPage): void => {
  if (node.Contents() === undefined) {
    node.set(PDFName.of("Contents"), context.register(context.stream("")));
  }
};

/**
 * @param folder for temporary files
 * @returns an uploaded image, or the first page of an uploaded PDF
 * @throws JobError as for the conversion of the file to PDF
 */
export const uploadedStamp = async (document: PDFDocument, file: OptionFile, task: EngineTask): Promise<Stamp> => {
  const path = file.from === "pdf" ? file.path : await pictureAsPdf(file, task);
  const source = await openBook(path);
  return stampOf(document, source.getPage(0));
};

const pictureAsPdf = async (file: Pick<OptionFile, "from" | "path">, task: EngineTask): Promise<string> => {
  const output = join(task.folder, `stamp-${crypto.randomUUID()}.pdf`);
  const { path: input, from } = file.from === "svg" ? await drawnSvg(file.path, task) : file;
  await makeAlbum({ ...task, input, from, output, further: [], options: { quality: 90 }, progress: () => {} });
  return output;
};

/** Width in pixels of a drawing: at the width of an A4 page it has 300 dots per inch. */
const SVG_WIDTH = 2_480;

const drawnSvg = async (path: string, task: EngineTask): Promise<Pick<OptionFile, "from" | "path">> => {
  const picture = await sharp(await readFile(path))
    .resize({ width: SVG_WIDTH, height: SVG_WIDTH, fit: "inside" })
    .png()
    .toBuffer();
  return { path: await writeTemporary(task, picture), from: "png" };
};

const writeTemporary = async ({ folder }: EngineTask, bytes: Uint8Array): Promise<string> => {
  const path = join(folder, `stamp-${crypto.randomUUID()}.png`);
  await writeFile(path, bytes, { flag: "wx" });
  return path;
};

/**
 * @param color `#rgb` or `#rrggbb`
 * @returns the text as a drawing: letters of a font that every viewer has, or an image if they are not in it
 */
export const textStamp = async (
  document: PDFDocument,
  text: string,
  { color, task }: { readonly color: string; readonly task: EngineTask },
): Promise<Stamp> => {
  const source = await PDFDocument.create({ updateMetadata: false });
  const font = await source.embedFont(StandardFonts.HelveticaBold);
  if (!isCovered(font, text)) {
    const path = await writeTemporary(task, await drawnText(text, color));
    return uploadedStamp(document, { path, from: "png", name: "" }, task);
  }
  const height = font.heightAtSize(STAMP_FONT_SIZE);
  const page = source.addPage([font.widthOfTextAtSize(text, STAMP_FONT_SIZE), height]);
  const y = height - font.heightAtSize(STAMP_FONT_SIZE, { descender: false });
  page.drawText(text, { x: 0, y, size: STAMP_FONT_SIZE, font, color: rgb(...channelsOf(color)) });
  // The font is part of the document only then.
  await source.flush();
  return stampOf(document, page);
};

/** @returns whether the font has all letters */
export const isCovered = (font: PDFFont, text: string): boolean => {
  const letters = new Set(font.getCharacterSet());
  return Array.from(text).every((letter) => letters.has(letter.codePointAt(0) ?? 0));
};

/** Red, green and blue, 0 to 1. */
const channelsOf = (color: string): [number, number, number] => {
  const digits = color.slice(1);
  const pairs = digits.length === 3 ? Array.from(digits, (digit) => digit + digit) : (digits.match(/../g) ?? []);
  const [red = 0, green = 0, blue = 0] = pairs.map((pair) => Number.parseInt(pair, 16) / 255);
  return [red, green, blue];
};

const TEXT_DPI = 300;

/** @returns a PNG of the text in the installed fonts, shaped for its script */
const drawnText = (text: string, color: string): Promise<Buffer> => {
  const escaped = text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
  const [red, green, blue] = channelsOf(color).map((channel) =>
    Math.round(channel * 255)
      .toString(16)
      .padStart(2, "0"),
  );
  return sharp({
    text: {
      text: `<span foreground="#${red}${green}${blue}">${escaped}</span>`,
      font: `sans bold ${STAMP_FONT_SIZE}`,
      dpi: TEXT_DPI,
      rgba: true,
    },
  })
    .withMetadata({ density: TEXT_DPI })
    .png()
    .toBuffer();
};
