import { stat } from "node:fs/promises";
import {
  JPEG_2000_PIXELS_PER_BYTE_MAX,
  JPEG_2000_SAMPLES_MAX,
  MAGICK_PIXELS_MAX,
} from "../../../domain/conversions/conversion-limits.ts";
import { JobError } from "../../../domain/errors.ts";
import { type FormatId, formatOf } from "../../../domain/formats/formats.ts";
import type { EngineTask } from "../../core/engine.ts";
import { type DeclaredSize, declaredSize } from "../files/declared-size.ts";

/** Formats whose decoder allocates memory for each declared sample before it has read any. */
const JPEG_2000: readonly FormatId[] = ["jp2", "j2k", "icns"];

/**
 * Rejects an image by the size that its header declares, before ImageMagick is loaded or allocates memory.
 *
 * @throws JobError `too_many_pixels`; `source_corrupt` for a JPEG 2000 with hardly any data
 */
export const checkDeclared = async ({ input, from }: Pick<EngineTask, "input" | "from">): Promise<void> => {
  const size = await declaredSize(input, from);
  if (size === undefined) {
    return;
  }
  const { name } = formatOf(from);
  if (size.width * size.height > MAGICK_PIXELS_MAX) {
    const pixels = `${size.width} × ${size.height}`;
    throw new JobError("too_many_pixels", `The ${name} has ${pixels} pixels; the limit is ${MAGICK_PIXELS_MAX}.`);
  }
  if (JPEG_2000.includes(from)) {
    checkJpeg2000(size, { name, bytes: (await stat(input)).size });
  }
};

const checkJpeg2000 = (
  { width, height, components = 1, isEmpty = false }: DeclaredSize,
  { name, bytes }: { readonly name: string; readonly bytes: number },
): void => {
  const pixels = width * height;
  if (pixels * components > JPEG_2000_SAMPLES_MAX) {
    const most = Math.floor(JPEG_2000_SAMPLES_MAX / components);
    throw new JobError(
      "too_many_pixels",
      `The ${name} has ${pixels} pixels with ${components} components; the limit is ${most} pixels.`,
    );
  }
  if (isEmpty || pixels > bytes * JPEG_2000_PIXELS_PER_BYTE_MAX) {
    throw new JobError(
      "source_corrupt",
      `The ${name} declares ${width} × ${height} pixels, but its ${bytes} bytes contain no image.`,
      { isFinal: true },
    );
  }
};
