import { writeFile } from "node:fs/promises";
import { CompressionMethod, type IMagickImage, ImageMagick, MagickFormat } from "@imagemagick/magick-wasm";
import type { FormatId } from "../../domain/formats.ts";
import type { Options } from "../../domain/options.ts";
import type { EngineTask } from "../engine.ts";
import { coderOf } from "./library.ts";

/** Writes a PNG in a format that sharp does not write. */
export const writeRare = async (png: Buffer, { to, output, options }: EngineTask): Promise<void> => {
  const bytes = ImageMagick.read(png, MagickFormat.Png, (image) => {
    SETTINGS[to]?.(image, options);
    // A view into ImageMagick's memory ends with the call.
    return image.write(coderOf(to), (view) => Buffer.from(view));
  });
  await writeFile(output, bytes);
};

const QUALITY = 85;

/** ImageMagick's word for no loss. */
const LOSSLESS = 100;

const setQuality = (image: IMagickImage, { quality = QUALITY, lossless = false }: Options): void => {
  image.quality = lossless ? LOSSLESS : Math.min(quality, LOSSLESS - 1);
};

/** Packing the rows of a PSD takes ten times as long as writing them. */
const setPlain = (image: IMagickImage): void => {
  image.settings.compression = CompressionMethod.NoCompression;
};

/** What some encoders are told; the others have nothing to be told, and lose nothing. */
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
