import { type PDFDocument, PDFName, type PDFPage } from "@cantoo/pdf-lib";
import { pagesIn } from "../../../domain/conversions/page-ranges.ts";
import type { EngineTask } from "../../core/engine.ts";
import { appendContent, operands, prependContent } from "./content.ts";
import { type Frame, frameOf } from "./frame.ts";
import { centerAt } from "./place.ts";
import { STAMP_FONT_SIZE, type Stamp, textStamp, uploadedStamp } from "./stamp.ts";

/** Draws a text, an image or a page on each page, above or below its content. */
export const addWatermark = async (document: PDFDocument, task: EngineTask): Promise<void> => {
  const { watermark_text: text = "", watermark_color: color = "#808080", watermark_pages } = task.options;
  const file = task.optionFiles.watermark_upload_id;
  const stamp = file ? await uploadedStamp(document, file, task) : await textStamp(document, text, { color, task });
  const state = document.context.register(stateOf(document, task));
  const pages = document.getPages();
  const wanted = new Set(pagesIn(watermark_pages, pages.length));
  for (const [index, page] of pages.entries()) {
    if (wanted.has(index + 1)) {
      // Pages can share their resources, so the names must be the same on each of them.
      const names = [
        PDFName.of(`AnyformStamp${stamp.ref.objectNumber}`),
        PDFName.of(`AnyformState${state.objectNumber}`),
      ];
      const [stampName, stateName] = names as [PDFName, PDFName];
      page.node.setXObject(stampName, stamp.ref);
      page.node.setExtGState(stateName, state);
      draw(page, { stamp, task, code: `${stateName} gs ${stampName} Do` });
    }
  }
};

const stateOf = (document: PDFDocument, { options: { watermark_opacity: opacity = 0.3 } }: EngineTask) =>
  document.context.obj({ Type: "ExtGState", ca: opacity, CA: opacity });

interface Drawn {
  readonly stamp: Stamp;
  readonly task: EngineTask;
  /** Draws the stamp in its natural size. */
  readonly code: string;
}

const draw = (page: PDFPage, { stamp, task, code }: Drawn): void => {
  const frame = frameOf(page);
  const places = placesOf(frame, stamp, task);
  const all = places.map((place) => `q ${operands(place)} cm ${code} Q`).join("\n");
  const add = task.options.watermark_layer === "below" ? prependContent : appendContent;
  add(page, `q ${operands(frame.matrix)} cm\n${all}\nQ\n`);
};

type Place = readonly [number, number, number, number, number, number];

/** @returns the transformations of the stamp for each place on a page */
const placesOf = (frame: Frame, stamp: Stamp, { options, optionFiles }: EngineTask): Place[] => {
  const { watermark_position: position = "center", watermark_rotation: degrees = 0 } = options;
  const { watermark_font_size: points, watermark_size: percent = 40 } = options;
  const isText = optionFiles.watermark_upload_id === undefined;
  const wide = (frame.width * percent) / 100;
  const scale = isText && points !== undefined ? points / STAMP_FONT_SIZE : wide / Math.max(1, stamp.width);
  const [width, height] = [stamp.width * scale, stamp.height * scale];
  const angle = (-degrees * Math.PI) / 180;
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  const bounds = [
    Math.abs(width * cos) + Math.abs(height * sin),
    Math.abs(width * sin) + Math.abs(height * cos),
  ] as const;
  const centers = position === "tile" ? tiles(frame, bounds) : [centerAt(frame, position, bounds)];
  return centers.map(([x, y]) => [
    ...([cos * scale, sin * scale, -sin * scale, cos * scale] as const),
    x - (width * cos - height * sin) / 2,
    y - (width * sin + height * cos) / 2,
  ]);
};

/** Maximum number of repetitions along one side of a page. */
const TILES_MAX = 20;
/** Distance of repetitions, in sizes of the watermark. */
const TILE_STEP = 1.5;

const tiles = (frame: Frame, [width, height]: readonly [number, number]): (readonly [number, number])[] => {
  const count = (side: number, size: number) => Math.min(TILES_MAX, Math.ceil(side / Math.max(1, size * TILE_STEP)));
  const [across, up] = [count(frame.width, width), count(frame.height, height)];
  return Array.from(
    { length: across * up },
    (_, index) =>
      [
        (((index % across) + 0.5) * frame.width) / across,
        ((Math.floor(index / across) + 0.5) * frame.height) / up,
      ] as const,
  );
};
