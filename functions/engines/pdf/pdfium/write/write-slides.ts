import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { writeZip, type ZipMember } from "../../../archives/zip/writer.ts";
import type { EngineResult, EngineTask } from "../../../core/engine.ts";
import type { Figure, PageLayout } from "../layout/model.ts";
import { readLayout } from "../layout/read-layout.ts";
import { drawBackdrop } from "../page/backdrop.ts";
import { type PdfDocument, type PdfPage, withPage } from "../page/document.ts";
import { figureTaker, turned } from "../page/figures.ts";
import { blocksOf, figuresIn, tablesIn } from "./flow.ts";
import { packageMembers, type Relation, slideMembers } from "./slide-package.ts";
import { blockShapes, type Canvas, pictureShape, turnedShape } from "./slide-shapes.ts";
import { EMU_PER_POINT } from "./slide-text.ts";
import { warningsOf } from "./write.ts";

/**
 * Writes a presentation with one slide per page: text boxes, tables and pictures at their positions, on a background
 * picture of the page's drawings.
 */
export const writeSlides = async (
  document: PdfDocument,
  task: EngineTask,
  numbers: readonly number[],
): Promise<EngineResult> => {
  const layout = await readLayout(document, numbers, {
    folder: task.folder,
    progress: (share) => task.progress(share / 3),
  });
  const [first] = layout.pages;
  const size = slideSize(first);
  const members: ZipMember[] = [];
  let number = 0;
  for (const page of layout.pages) {
    number += 1;
    const slide = { number, page, size, folder: task.folder };
    members.push(...((await withPage(document, page.number, (open) => slideOf(open, slide))) ?? []));
    task.progress((1 + 2 * (number / layout.pages.length)) / 3);
  }
  const emu = { width: Math.round(size.width * EMU_PER_POINT), height: Math.round(size.height * EMU_PER_POINT) };
  await writeZip(task.output, [...packageMembers(layout.pages.length, emu), ...members]);
  return { warnings: warningsOf(layout) };
};

/** Allowed slide side lengths in points: 1 to 56 inches (ECMA-376, ST_SlideSizeCoordinate). */
const SIDE_MIN = 72;
const SIDE_MAX = 4_032;

interface Size {
  readonly width: number;
  readonly height: number;
}

/** All slides have the size of the first page. */
const slideSize = (first: PageLayout | undefined): Size => {
  const within = (points: number) => Math.min(SIDE_MAX, Math.max(SIDE_MIN, points));
  return { width: within(first?.width ?? 720), height: within(first?.height ?? 540) };
};

interface SlideTask {
  readonly number: number;
  readonly page: PageLayout;
  readonly size: Size;
  readonly folder: string;
}

const slideOf = async (open: PdfPage, slide: SlideTask): Promise<ZipMember[]> => {
  const { number, page, size, folder } = slide;
  const relations: Relation[] = [];
  const canvas = canvasOf(page, size, relations);
  const media: ZipMember[] = [];
  const add = async (bytes: Uint8Array, extension: string): Promise<string> => {
    const name = `slide${number}-${media.length + 1}.${extension}`;
    const file = join(folder, name);
    await writeFile(file, bytes, { flag: "wx" });
    media.push({ path: `ppt/media/${name}`, file });
    return canvas.relate("image", `../media/${name}`);
  };
  const take = figureTaker(open, page.rotation);
  const blocks = blocksOf(page);
  const figures = figuresIn(page);
  const pictures = new Map<Figure, string>();
  for (const figure of figures) {
    const picture = await take(figure);
    if (picture !== undefined) {
      const extension = picture.mediaType === "image/png" ? "png" : "jpg";
      pictures.set(figure, pictureShape(canvas, figure, await add(picture.bytes, extension)));
    }
  }
  // Tables and figures have their own lines.
  const without = [...figures.filter(({ picture }) => picture === undefined), ...tablesIn(blocks)];
  const bytes = await drawBackdrop(open, page.rotation === undefined ? without : []);
  const backdrop = await turned(bytes && { bytes, mediaType: "image/png" }, page.rotation);
  const area = { left: 0, top: 0, right: page.width, bottom: page.height };
  const floats = new Set(page.floats);
  const shapes = [
    backdrop === undefined ? "" : pictureShape(canvas, area, await add(backdrop.bytes, "png")),
    ...[...pictures].map(([figure, shape]) => (floats.has(figure) ? shape : "")),
    blockShapes(canvas, blocks),
    ...page.turned.map((text) => turnedShape(canvas, text)),
    ...[...pictures].map(([figure, shape]) => (floats.has(figure) ? "" : shape)),
  ];
  return [...slideMembers(number, { shapes: shapes.join(""), relations }), ...media];
};

/** @returns the scale and offset that center the page on the slide, as large as possible */
const canvasOf = (page: PageLayout, size: Size, relations: Relation[]): Canvas => {
  const scale = Math.min(size.width / page.width, size.height / page.height);
  let shapes = 1;
  return {
    scale,
    left: (size.width - page.width * scale) / 2,
    top: (size.height - page.height * scale) / 2,
    relate: (type, target) => {
      const known = relations.find((relation) => relation.type === type && relation.target === target);
      const id = known?.id ?? `rId${relations.length + 2}`;
      if (known === undefined) {
        relations.push({ id, type, target });
      }
      return id;
    },
    next: () => {
      shapes += 1;
      return shapes;
    },
  };
};
