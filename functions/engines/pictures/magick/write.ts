import { writeFile } from "node:fs/promises";
import { CompressionMethod, type IMagickImage, ImageMagick, MagickFormat } from "@imagemagick/magick-wasm";
import { RARE_QUALITY } from "../../../domain/conversions/by-engine/pictures/qualities.ts";
import type { Options } from "../../../domain/conversions/options.ts";
import type { FormatId } from "../../../domain/formats/formats.ts";
import type { EngineTask } from "../../core/engine.ts";
import { coderOf } from "./library.ts";

/** Converts a PNG to a format that sharp does not write. */
export const writeRare = async (png: Buffer, { to, output, options }: EngineTask): Promise<void> => {
  const bytes = ImageMagick.read(png, MagickFormat.Png, (image) => {
    SETTINGS[to]?.(image, options);
    // The view of ImageMagick's memory is valid only during the call.
    return image.write(coderOf(to), (view) => Buffer.from(view));
  });
  await writeFile(output, bytes);
};

/** ImageMagick's quality value for lossless. */
const LOSSLESS = 100;

const setQuality = (image: IMagickImage, { quality = RARE_QUALITY, lossless = false }: Options): void => {
  image.quality = lossless ? LOSSLESS : Math.min(quality, LOSSLESS - 1);
};

/** Compressing the rows of a PSD takes ten times as long as writing them. */
const setPlain = (image: IMagickImage): void => {
  image.settings.compression = CompressionMethod.NoCompression;
};

/** Encoder settings; formats without an entry need none and are lossless. */
const SETTINGS: Partial<Record<FormatId, (image: IMagickImage, options: Options) => void>> = {
  jxl: (image, options) => {
    setQuality(image, options);
    // Effort 7, the default, takes 25 times as long.
    image.settings.setDefine(MagickFormat.Jxl, "effort", "3");
  },
  jp2: setQuality,
  j2k: setQuality,
  psd: setPlain,
  psb: setPlain,
};
