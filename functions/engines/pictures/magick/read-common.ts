import { MagickErrorSeverity, MagickImage, MagickReadSettings } from "@imagemagick/magick-wasm";
import { JobError } from "../../../domain/errors.ts";
import { type FormatId, formatOf } from "../../../domain/formats/formats.ts";
import type { Warning } from "../../../domain/warning.ts";
import type { EngineTask } from "../../core/engine.ts";
import { coderOf } from "./library.ts";
import { handOver } from "./read.ts";

/** Formats that sharp reads. */
const COMMON: readonly FormatId[] = ["jpg", "png", "webp", "gif", "tiff", "avif"];

/** @returns whether the file has a format of sharp, which has refused it */
export const isCommon = (format: FormatId): boolean => COMMON.includes(format);

/**
 * Reads the first frame of an image that sharp has refused, turns it upright, and writes it as a PNG. ImageMagick fills
 * the missing part of a truncated image with gray and only warns, so its warnings about damage are errors here.
 *
 * @throws MagickError; JobError `source_corrupt`
 */
export const readCommon = async (bytes: Buffer, task: EngineTask): Promise<Warning[]> => {
  const damages: string[] = [];
  const image = MagickImage.create();
  try {
    image.onWarning = ({ error }) => {
      if (error.severity === MagickErrorSeverity.CorruptImageWarning) {
        damages.push(error.message);
      }
      return 0;
    };
    image.read(bytes, new MagickReadSettings({ format: coderOf(task.from) }));
    if (damages.length > 0) {
      throw new JobError("source_corrupt", `The ${formatOf(task.from).name} is damaged.`, { cause: damages[0] });
    }
    image.autoOrient();
    return await handOver(image, task);
  } finally {
    image.dispose();
  }
};
