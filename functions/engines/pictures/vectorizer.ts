import { readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { type Config, vectorizeRaw } from "@neplex/vectorizer";
import sharp from "sharp";
import { TRACED_PIXELS_MAX } from "../../domain/conversions/conversion-limits.ts";
import type { Options } from "../../domain/conversions/options.ts";
import type { Engine, EngineTask } from "../core/engine.ts";
import { translated } from "./sharp/errors.ts";
import { openPicture } from "./sharp/open.ts";

/** Drawings from images: areas of one color become shapes. */
export const vectorizerEngine: Engine = {
  name: "vectorizer",
  version: async () => {
    const { version }: { version: string } = JSON.parse(
      readFileSync(createRequire(import.meta.url).resolve("@neplex/vectorizer/package.json"), "utf8"),
    );
    return version;
  },
  convert: async (task) => {
    const { pixels, width, height, size, warnings } = await pixelsOf(task).catch((error: unknown) => {
      throw translated(error, task.from);
    });
    // The tracer fails when there is nothing to trace.
    const svg = isClear(pixels) ? EMPTY : await vectorizeRaw(pixels, { width, height }, tracing(task.options));
    await writeFile(task.output, sized(svg, size, { width, height }));
    return { warnings };
  },
};

const EMPTY = '<svg xmlns="http://www.w3.org/2000/svg"></svg>\n';

const isClear = (pixels: Uint8Array): boolean => {
  for (let alpha = 3; alpha < pixels.length; alpha += 4) {
    if (pixels[alpha] !== 0) {
      return false;
    }
  }
  return true;
};

interface Size {
  readonly width: number;
  readonly height: number;
}

/**
 * Up to these numbers of pixels, an image is enlarged before it is traced: letters of ten pixels, as in logos, would be
 * smaller than the specks that are removed. The drawing has up to twenty times as many points.
 */
const ENLARGED = [
  { pixelsMax: 50_000, factor: 3 },
  { pixelsMax: 250_000, factor: 2 },
] as const;

/** @returns the factor by which the sides change before tracing */
const scaleOf = ({ width, height }: Size): number =>
  ENLARGED.find(({ pixelsMax }) => width * height <= pixelsMax)?.factor ??
  Math.min(1, Math.sqrt(TRACED_PIXELS_MAX / (width * height)));

/** @returns the options of the same image with shorter sides */
const smaller = ({ options }: EngineTask, size: Size, scale: number): Options => {
  const [width, height] = [size.width, size.height].map((side) => Math.max(1, Math.floor(side * scale)));
  return {
    ...options,
    width,
    height,
    fit: options.fit === "cover" || options.fit === "contain" ? options.fit : "fill",
  };
};

/** @returns the RGBA pixels of an image in the size in which it is traced, and its original size */
const pixelsOf = async (task: EngineTask) => {
  const opened = await openPicture(task);
  const { size, warnings } = opened;
  const scale = scaleOf(size);
  const { picture } = scale < 1 ? await openPicture({ ...task, options: smaller(task, size, scale) }) : opened;
  const { data, info } = await picture.ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  const pixels = scale > 1 ? await enlarged(data, info, scale) : data;
  const [width, height] = [info.width, info.height].map((side) => (scale > 1 ? side * scale : side)) as [
    number,
    number,
  ];
  return { pixels, width, height, size, warnings };
};

const enlarged = (data: Buffer, { width, height }: Size, factor: number): Promise<Buffer> =>
  sharp(data, { raw: { width, height, channels: 4 } })
    .resize({ width: width * factor, height: height * factor, fit: "fill" })
    .raw()
    .toBuffer();

/** Smaller specks are removed; colors with a smaller difference are merged. */
const SPECKLE_PIXELS = 4;
const COLOR_DIFFERENCE = 16;

/** The package's enums, which its types declare as constants only. */
const [COLOR, BINARY, STACKED, SPLINES] = [0, 1, 0, 2] as const;

const tracing = ({ colors = "color" }: Options): Config => ({
  colorMode: colors === "color" ? COLOR : BINARY,
  hierarchical: STACKED,
  mode: SPLINES,
  filterSpeckle: SPECKLE_PIXELS,
  colorPrecision: 6,
  layerDifference: COLOR_DIFFERENCE,
  cornerThreshold: 60,
  lengthThreshold: 4,
  maxIterations: 10,
  spliceThreshold: 45,
  pathPrecision: 2,
});

/** @returns the drawing with the size of the image, independent of the traced size */
const sized = (svg: string, size: Size, traced: Size): string =>
  svg.replace(/<svg\b[^>]*>/, (root) =>
    root
      .replace(/\s(?:width|height|viewBox)="[^"]*"/g, "")
      .replace(/>$/, ` width="${size.width}" height="${size.height}" viewBox="0 0 ${traced.width} ${traced.height}">`),
  );
