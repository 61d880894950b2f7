import { writeFile } from "node:fs/promises";
import sharp, { type Sharp } from "sharp";
import type { FormatId } from "../../domain/formats/formats.ts";
import { type Engine, type EngineResult, type EngineTask, rowFor } from "../core/engine.ts";
import { icnsOf } from "./icons/icns-writer.ts";
import { icoOf } from "./icons/ico-writer.ts";
import { translated } from "./sharp/errors.ts";
import { openPicture } from "./sharp/open.ts";

/** Writes icons: one image in several sizes, in the containers of Windows and Apple. */
export const iconsEngine: Engine = {
  name: "icons",
  version: async () => sharp.versions.sharp ?? "unknown",
  convert: async (task) => {
    try {
      return await convert(task);
    } catch (error) {
      throw translated(error, task.from);
    }
  },
};

/** Fits that fill a square; all others pad it. */
const SQUARE_FITS = ["cover", "fill"] as const;

/** @returns the image at this size */
type Drawn = (side: number) => Sharp;

interface Container {
  /** Sizes in pixels that the system expects, smallest first. */
  readonly sides: readonly number[];
  readonly write: (sides: readonly number[], drawn: Drawn) => Promise<Buffer>;
}

const CONTAINERS: Partial<Record<FormatId, Container>> = {
  ico: { sides: [16, 24, 32, 48, 64, 128, 256], write: icoOf },
  icns: { sides: [16, 32, 64, 128, 256, 512, 1_024], write: icnsOf },
};

const convert = async (task: EngineTask): Promise<EngineResult> => {
  const { to, from, output } = task;
  const container = rowFor(CONTAINERS, to, "icons");
  const { width, height, background, fit } = task.options;
  const { size } = await openPicture({ ...task, options: { ...task.options, width: undefined, height: undefined } });
  const own = from === "svg" ? Number.POSITIVE_INFINITY : Math.max(size.width, size.height);
  const longest = width === undefined && height === undefined ? own : Math.max(width ?? 0, height ?? 0);
  // At most one size is larger than the image, so that no detail is lost.
  const sides = container.sides.filter((_, index, all) => (all[index - 1] ?? 0) < longest);
  const largest = sides.at(-1) ?? 0;
  const square = {
    ...task.options,
    width: largest,
    height: largest,
    background,
    fit: SQUARE_FITS.find((name) => name === fit) ?? "contain",
  } as const;
  const { picture, warnings } = await openPicture({ ...task, options: square });
  const pixels = await picture.ensureAlpha().raw().toBuffer();
  const raw = { width: largest, height: largest, channels: 4 } as const;
  const drawn: Drawn = (side) => sharp(pixels, { raw }).resize(side, side);
  await writeFile(output, await container.write(sides, drawn));
  return { warnings };
};
