import sharp, { type OverlayOptions } from "sharp";
import { WHITE } from "../../../domain/conversions/by-engine/pictures/qualities.ts";
import { checkResult } from "../../../domain/conversions/picture-sizes.ts";
import type { Warning } from "../../../domain/warning.ts";
import type { EngineResult, EngineTask } from "../../core/engine.ts";
import { encode } from "./encode.ts";
import { ofFile, sourcesOf } from "./merge.ts";
import { openPicture } from "./open.ts";

/** Width of each image on the sheet, and the space around it, in pixels. */
const CELL_WIDTH = 320;
const GAP = 4;

/** Images in rows on one image. Each has a cell with the shape of the first one, and is fitted into it. */
export const mergeSheet = async (task: EngineTask): Promise<EngineResult> => {
  const { output, to, options } = task;
  const { columns: wanted, background = WHITE, quality, target_size } = options;
  const sources = sourcesOf(task);
  const columns = Math.min(wanted ?? Math.ceil(Math.sqrt(sources.length)), sources.length);
  const cell = await cellOf(task);
  const size = {
    width: columns * (cell.width + GAP) + GAP,
    height: Math.ceil(sources.length / columns) * (cell.height + GAP) + GAP,
  };
  checkResult({ scaled: size, result: size, frames: 1, to });
  const overlays: OverlayOptions[] = [];
  const warnings: Warning[] = [];
  for (const [index, source] of sources.entries()) {
    const { picture, warnings: own } = await ofFile(source, index + 1, async () => {
      const drawn = { ...cell, fit: "contain", background, strip_metadata: "all" } as const;
      const opened = await openPicture({ ...task, input: source.path, from: source.from, to: "png", options: drawn });
      return { picture: await opened.picture.png({ compressionLevel: 1 }).toBuffer(), warnings: opened.warnings };
    });
    const left = GAP + (index % columns) * (cell.width + GAP);
    overlays.push({ input: picture, left, top: GAP + Math.floor(index / columns) * (cell.height + GAP) });
    warnings.push(...own);
    task.progress((index + 1) / (sources.length + 1));
  }
  const picture = sharp({ create: { ...size, channels: 3, background } }).composite(overlays);
  const plan = { delay: [], loop: 0 };
  const made = { picture, density: undefined, animation: undefined, plan };
  const written = await encode(made, { to, output, options: { quality, target_size, strip_metadata: "all" } });
  return { warnings: [...warnings, ...written] };
};

/** @returns the size of a cell: the requested width or height, with the shape of the first image */
const cellOf = async (task: EngineTask): Promise<{ width: number; height: number }> => {
  const { width, height } = task.options;
  const options = { width: width ?? (height === undefined ? CELL_WIDTH : undefined), height, fit: "fill" } as const;
  const [first] = sourcesOf(task);
  const { size } = await ofFile(first, 1, () => openPicture({ ...task, to: "png", options }));
  return size;
};
