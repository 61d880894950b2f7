import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { SCREEN } from "../../../domain/conversions/by-engine/documents/chromium.ts";
import { PICTURE_PIXELS_MAX } from "../../../domain/conversions/conversion-limits.ts";
import { JobError } from "../../../domain/errors.ts";
import type { FormatId } from "../../../domain/formats/formats.ts";
import type { EngineTask, Part } from "../../core/engine.ts";
import type { Browser } from "./browser.ts";
import { contentSize, type Page, withPage } from "./page.ts";
import type { ReadyDocument } from "./ready.ts";
import { sheetsFor } from "./styling.ts";

const WINDOW_HEIGHT = 800;
const CSS_DPI = 96;

/**
 * Maximum height of a picture in pixels. The browser draws at most 16,384 in one piece, and WebP is limited to 16,383.
 */
const PIECE_PIXELS_MAX = 16_000;

const KINDS: Partial<Record<FormatId, string>> = { png: "png", jpg: "jpeg", webp: "webp" };

/**
 * Draws the document at the requested width and its full height. A document that exceeds the maximum height becomes
 * several pictures.
 *
 * @throws JobError `too_many_pixels`
 */
export const draw = (browser: Browser, task: EngineTask, document: ReadyDocument): Promise<readonly Part[]> => {
  const { width = SCREEN.width, height, dpi = SCREEN.dpi, css_media: media = "screen" } = task.options;
  // The picture must have exactly the requested width in pixels, so the scale is adjusted by a fraction of a pixel.
  const wide = Math.max(1, Math.round((width * CSS_DPI) / dpi));
  const scale = width / wide;
  const window = { width: wide, height: Math.max(1, Math.round((height ?? WINDOW_HEIGHT) / scale)), scale };
  const html = document.html(sheetsFor(document), "");
  return withPage(browser, { document, html, media, window }, async (page) => {
    const high = height ?? Math.round((await contentSize(page)).height * scale);
    return drawPieces(page, task, { width: wide, high, scale });
  });
};

/** The drawn part of a page: its width in CSS pixels, its height in pixels of the picture, and pixels per CSS pixel. */
interface Drawn {
  readonly width: number;
  readonly high: number;
  readonly scale: number;
}

/**
 * Draws a page from its top, in several pictures if it exceeds the maximum height.
 *
 * @throws JobError `too_many_pixels`
 */
export const drawPieces = async (page: Page, task: EngineTask, drawn: Drawn): Promise<readonly Part[]> => {
  const { width, high, scale } = drawn;
  const pixels = Math.round(width * scale);
  if (pixels * high > PICTURE_PIXELS_MAX) {
    throw new JobError(
      "too_many_pixels",
      `The picture would be ${pixels} × ${high} pixels; the limit is ${PICTURE_PIXELS_MAX} in total. Request ` +
        "a smaller width, a lower resolution (DPI), or a height.",
    );
  }
  const parts: Part[] = [];
  for (let from = 0; from < high; from += PIECE_PIXELS_MAX) {
    const name = `part-${String(parts.length + 1).padStart(2, "0")}`;
    const path = join(task.folder, `${name}.${task.to}`);
    const piece = { top: from / scale, height: Math.min(PIECE_PIXELS_MAX, high - from) / scale, width };
    await writeFile(path, await capture(page, piece, task));
    parts.push({ path, name });
    task.progress(Math.min(1, (from + PIECE_PIXELS_MAX) / high));
  }
  return parts;
};

/** A strip of the document, in CSS pixels. */
interface Piece {
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

const capture = async ({ call }: Page, piece: Piece, { to, options }: EngineTask): Promise<Buffer> => {
  const { data } = await call("Page.captureScreenshot", {
    format: KINDS[to],
    ...(to === "png" ? { optimizeForSpeed: false } : { quality: options.quality ?? SCREEN.quality }),
    captureBeyondViewport: true,
    clip: { x: 0, y: piece.top, width: piece.width, height: piece.height, scale: 1 },
  });
  return Buffer.from(String(data), "base64");
};
