import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { ColorSpace, ImageMagick, initializeImageMagick, MagickFormat, ResourceLimits } from "@imagemagick/magick-wasm";
import { MAGICK_PIXELS_MAX } from "../../../domain/conversions/conversion-limits.ts";
import { JobError } from "../../../domain/errors.ts";
import { isTruncated } from "../../pictures/files/truncated.ts";
import { translated } from "../../pictures/magick/errors.ts";

/** Pixels of a decoded picture, upright, and their color profile. */
export interface DecodedPicture {
  readonly data: Uint8Array;
  readonly width: number;
  readonly height: number;
  readonly channels: 3 | 4;
  readonly profile?: Uint8Array | undefined;
}

/**
 * Decodes HEIC. A photo is written into the PDF as JPEG, without an intermediate PNG of 36 MB.
 *
 * @throws JobError `source_corrupt`, `too_many_pixels`, `unsupported_feature`
 */
export const decodeHeic = async (path: string): Promise<DecodedPicture> => {
  if (await isTruncated(path, "heic")) {
    throw new JobError("source_corrupt", "The HEIC file is truncated.", { isFinal: true });
  }
  await load();
  const bytes = await readFile(path);
  try {
    return ImageMagick.read(bytes, MagickFormat.Heic, (image): DecodedPicture => {
      const { width, height } = image;
      const channels = image.hasAlpha ? 4 : 3;
      if (width === 0 || height === 0) {
        throw new JobError("unsupported_feature", "The HEIC file uses an unsupported feature.");
      }
      image.colorSpace = ColorSpace.sRGB;
      const data = image.getPixels((pixels) =>
        pixels.toByteArray(0, 0, width, height, channels === 4 ? "RGBA" : "RGB"),
      );
      return { data: data ?? new Uint8Array(), width, height, channels, profile: image.getProfile("icc")?.data };
    });
  } catch (error) {
    throw translated(error, "heic");
  }
};

const initialize = async (): Promise<void> => {
  await initializeImageMagick(
    await readFile(createRequire(import.meta.url).resolve("@imagemagick/magick-wasm/magick.wasm")),
  );
  ResourceLimits.area = BigInt(MAGICK_PIXELS_MAX);
  ResourceLimits.memory = BigInt(5 * MAGICK_PIXELS_MAX);
  ResourceLimits.disk = 0n;
};

let loading: Promise<void> | undefined;
const load = (): Promise<void> => {
  loading ??= initialize();
  return loading;
};
