import { readFile, stat } from "node:fs/promises";
import sharp from "sharp";
import { SVG_BYTES_MAX } from "../../../domain/conversions/conversion-limits.ts";
import type { PictureSize } from "../../../domain/conversions/picture-sizes.ts";
import { JobError } from "../../../domain/errors.ts";
import type { Warning } from "../../../domain/warning.ts";
import type { EngineTask } from "../../core/engine.ts";
import { decodeText } from "../../data/text/text.ts";
import { checkDrawing } from "../../pictures/svg/check.ts";
import { type LeftOut, newLeftOut } from "../html/left-out.ts";
import type { Browser } from "./browser.ts";
import { type Page, withPage } from "./page.ts";
import { printPages } from "./print.ts";
import { DOCUMENT_URL, type PrintedPart } from "./ready.ts";
import { drawingSheet } from "./sheet.ts";
import { withBrowser } from "./with-browser.ts";

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
  return { ...withoutLinks(text), ...(await sizeOf(bytes, text)) };
};

/** @returns the drawing without pictures from elsewhere, and the count of them */
const withoutLinks = (text: string): Pick<Drawing, "bytes" | "leftOut"> => {
  const leftOut = newLeftOut();
  const svg = text.replace(LINKED, (tag) => {
    leftOut.add("remote_content_dropped");
    return tag.replace(REFERENCE, 'data-left-out=""');
  });
  return { bytes: Buffer.from(svg), leftOut };
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

/** A drawing as a PNG with transparency. */
export interface DrawnPicture {
  readonly png: Buffer;
  readonly warnings: readonly Warning[];
}

/**
 * Draws an SVG as pixels, on a transparent ground.
 *
 * @param bytes a checked drawing
 * @param size in pixels, at most {@link DRAWN_SIDE_PIXELS_MAX} on each side
 */
export const drawDrawing = (bytes: Uint8Array, size: PictureSize): Promise<DrawnPicture> =>
  withBrowser(async (browser) => {
    const drawing = { ...withoutLinks(decodeText(bytes).text), ...size };
    const document = documentOf(drawing);
    const html = document.html(
      `body { margin: 0 } img { display: block; width: ${size.width}px; height: ${size.height}px }`,
      "",
    );
    const window = { ...size, scale: 1 };
    const png = await withPage(browser, { document, html, media: "screen", window }, async (page) => {
      await page.call("Emulation.setDefaultBackgroundColorOverride", { color: { r: 0, g: 0, b: 0, a: 0 } });
      return joined(await capturedStrips(page, size), size);
    });
    return { png, warnings: drawing.leftOut.warnings() };
  });

/** The browser captures at most 16,384 pixels a side. */
export const DRAWN_SIDE_PIXELS_MAX = 16_000;

/** Pixels of one capture: 64 MB, which as base64 fit in a message even if they cannot be compressed. */
const STRIP_PIXELS_MAX = 16_000_000;

const capturedStrips = async (page: Page, { width, height }: PictureSize): Promise<Buffer[]> => {
  const rows = Math.max(1, Math.floor(STRIP_PIXELS_MAX / width));
  const strips: Buffer[] = [];
  for (let top = 0; top < height; top += rows) {
    const clip = { x: 0, y: top, width, height: Math.min(rows, height - top), scale: 1 };
    const { data } = await page.call("Page.captureScreenshot", { format: "png", captureBeyondViewport: true, clip });
    strips.push(Buffer.from(String(data), "base64"));
  }
  return strips;
};

const joined = async (strips: readonly Buffer[], { width, height }: PictureSize): Promise<Buffer> => {
  const [first] = strips;
  if (first !== undefined && strips.length === 1) {
    return first;
  }
  const rows = Math.max(1, Math.floor(STRIP_PIXELS_MAX / width));
  const background = { r: 0, g: 0, b: 0, alpha: 0 };
  return sharp({ create: { width, height, channels: 4, background } })
    .composite(strips.map((input, index) => ({ input, left: 0, top: index * rows })))
    .png({ compressionLevel: 1 })
    .toBuffer();
};

const documentOf = ({ bytes, leftOut }: Drawing): PrintedPart => {
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
