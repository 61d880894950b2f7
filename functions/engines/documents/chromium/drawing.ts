import { readFile, stat } from "node:fs/promises";
import sharp from "sharp";
import { SVG_BYTES_MAX } from "../../../domain/conversions/conversion-limits.ts";
import { JobError } from "../../../domain/errors.ts";
import type { EngineTask } from "../../core/engine.ts";
import { decodeText } from "../../data/text/text.ts";
import { checkDrawing } from "../../pictures/svg/check.ts";
import { type LeftOut, newLeftOut } from "../html/left-out.ts";
import type { Browser } from "./browser.ts";
import { withPage } from "./page.ts";
import { printPages } from "./print.ts";
import { DOCUMENT_URL, type ReadyDocument } from "./ready.ts";
import { drawingSheet } from "./sheet.ts";

/** An SVG as the only picture of a page. In an image, browsers run and load nothing (SVG 2, 2.1.2). */
export interface Drawing {
  readonly bytes: Buffer;
  /** CSS pixels. */
  readonly width: number;
  readonly height: number;
  readonly leftOut: LeftOut;
}

/**
 * @returns the drawing, checked before the browser receives it
 * @throws JobError `unsupported_feature` when it would never finish rendering; `source_corrupt` when it is not a
 * well-formed SVG
 */
export const readDrawing = async (input: string): Promise<Drawing> => {
  const { size } = await stat(input);
  if (size > SVG_BYTES_MAX) {
    throw new JobError("unsupported_feature", `The SVG has ${size} bytes; the limit is ${SVG_BYTES_MAX}.`);
  }
  const bytes = await readFile(input);
  checkDrawing(bytes);
  const { text } = decodeText(bytes);
  const leftOut = newLeftOut();
  const svg = text.replace(LINKED, (tag) => {
    leftOut.add("remote_content_dropped");
    return tag.replace(REFERENCE, 'data-left-out=""');
  });
  return { bytes: Buffer.from(svg), ...(await sizeOf(bytes, text)), leftOut };
};

/** A reference to an external picture, which browsers would show as broken. Attributes may contain `>`. */
const LINKED =
  /<(?:\w+:)?(?:image|feImage)\b(?:[^<>"']|"[^"<]*"|'[^'<]*')*?\bhref\s*=\s*(?:"(?!\s*(?:data:|#))[^"]*"|'(?!\s*(?:data:|#))[^']*')/g;
const REFERENCE = /(?<![\w:])(?:\w+:)?href\s*=\s*(?:"[^"]*"|'[^']*')$/;

const ROOT = /<(?:[\w.-]+:)?svg\b((?:[^<>"']|"[^"<]*"|'[^'<]*')*)>/;

/** CSS pixels per unit of length (CSS Values 4, 6.2); `em` and `ex` use the default font size of 16 pixels. */
const UNITS: Readonly<Record<string, number>> = {
  "": 1,
  px: 1,
  pt: 96 / 72,
  pc: 16,
  in: 96,
  cm: 96 / 2.54,
  mm: 96 / 25.4,
  q: 96 / 101.6,
  em: 16,
  ex: 8,
};

/** The dimensions that the drawing declares; otherwise those of its view box or its content, as measured by librsvg. */
const sizeOf = async (bytes: Buffer, text: string): Promise<{ width: number; height: number }> => {
  const measured = await sharp(bytes, { limitInputPixels: false })
    .metadata()
    .catch((cause: unknown) => {
      throw new JobError("source_corrupt", "The SVG is damaged and cannot be read.", { cause });
    });
  if (measured.format !== "svg") {
    throw new JobError("source_mismatch", "The file is not an SVG.");
  }
  const attributes = ROOT.exec(text)?.[1] ?? "";
  const [width, height] = [lengthIn(attributes, "width"), lengthIn(attributes, "height")];
  return width === undefined || height === undefined
    ? { width: measured.width, height: measured.height }
    : { width, height };
};

const lengthIn = (attributes: string, name: string): number | undefined => {
  const pattern = new RegExp(
    `(?<![\\w:-])${name}\\s*=\\s*["']\\s*\\+?([\\d.]+(?:e[+-]?\\d+)?)\\s*([a-z]*)\\s*["']`,
    "i",
  );
  const [, number = "", unit = ""] = pattern.exec(attributes) ?? [];
  const length = Number(number) * (UNITS[unit.toLowerCase()] ?? Number.NaN);
  return length > 0 && Number.isFinite(length) ? length : undefined;
};

/** Prints the drawing on one page as vector shapes and text, and writes it to the task's output. */
export const printDrawing = (browser: Browser, task: EngineTask, drawing: Drawing): Promise<undefined> => {
  const document = documentOf(drawing);
  const html = document.html(drawingSheet(drawing, task.options), "");
  const window = { width: WINDOW_PIXELS, height: WINDOW_PIXELS, scale: 1 };
  return withPage(browser, { document, html, media: "print", window }, async (page) => {
    await printPages(page, { printBackground: true, preferCSSPageSize: true, pageRanges: "1" }, task.output);
    return undefined;
  });
};

/** The window size, which does not affect the printed result. */
const WINDOW_PIXELS = 800;

const documentOf = ({ bytes, leftOut }: Drawing): ReadyDocument => {
  const url = `${DOCUMENT_URL}drawing.svg`;
  return {
    html: (sheet) => `<!doctype html><style>${sheet}</style><img src="${url}" alt="">`,
    files: new Map([[url, { mediaType: "image/svg+xml; charset=utf-8", bytes }]]),
    styled: true,
    pages: true,
    longWords: false,
    elements: 1,
    cells: 0,
    columns: 0,
    leftOut,
  };
};
