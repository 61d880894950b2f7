import { writeFile } from "node:fs/promises";
import { availableParallelism } from "node:os";
import sharp, { type Sharp } from "sharp";
import { QUALITY } from "../../../domain/conversions/by-engine/pictures/qualities.ts";
import type { PictureSize } from "../../../domain/conversions/picture-sizes.ts";
import { formatOf } from "../../../domain/formats/formats.ts";
import type { Warning } from "../../../domain/warning.ts";
import type { BytesResult, EngineTask } from "../../core/engine.ts";
import { finishMetadata, finishMetadataBytes } from "../metadata/finish.ts";
import { writeAnimatedPng } from "./apng-writer.ts";
import type { OpenedPicture } from "./open.ts";
import { encodings, type Plan } from "./plan.ts";
import { type Resolution, withJfif } from "./resolution.ts";
import { writeToSize } from "./target-size.ts";

/** More threads would use more memory for less gain; on two cores, a photo takes half the time. */
const AVIF_THREADS_MAX = 4;

/**
 * Pixels up to which a JPEG is written without a second pass for its Huffman codes. It takes a tenth of the conversion
 * and would save 3%: 0.7 kB of 320 × 240 pixels. The pixels are the same. With a lower quality it saves more, so only with
 * the default.
 */
const ONE_PASS_PIXELS_MAX = 100_000;

type Encoded = Pick<OpenedPicture, "picture" | "density" | "animation"> & Partial<Pick<OpenedPicture, "jfif" | "size">>;

/** Encodes an opened image or animation. @returns a warning if the result contains the location of the photo */
export const encode = async (
  opened: Encoded & { readonly plan: Pick<Plan, "delay" | "loop"> },
  task: Pick<EngineTask, "to" | "output" | "options">,
): Promise<Warning[]> => {
  if (task.to === "apng") {
    await encodeFrames(opened, task.output);
    return [];
  }
  if (task.options.target_size === undefined) {
    await (jfifOf(opened, task) === undefined
      ? encoder(opened, task).toFile(task.output)
      : writeFile(task.output, await bytesOf(opened, task)));
    return finishMetadata(task);
  }
  const wanted = { output: task.output, bytesMax: task.options.target_size, quality: task.options.quality };
  const missed = await writeToSize((quality) => bytesOf(opened, task, { quality }), wanted);
  return [...missed, ...finishMetadata(task)];
};

/** Encodes like {@link encode}, to bytes. For any format except animated PNG. */
export const encodeBytes = async (opened: Encoded, task: Target): Promise<BytesResult> =>
  finishMetadataBytes(await bytesOf(opened, task), task);

type Target = Pick<EngineTask, "to" | "options">;

/** @returns the resolution that the result states in a JFIF segment, which takes a tenth of the time of EXIF */
const jfifOf = ({ jfif }: Encoded, { to }: Target): Resolution | undefined => (to === "jpg" ? jfif : undefined);

const bytesOf = async (opened: Encoded, task: Target, own?: object): Promise<Buffer> => {
  const bytes = await encoder(opened, task, own).toBuffer();
  const jfif = jfifOf(opened, task);
  return jfif === undefined ? bytes : withJfif(bytes, jfif);
};

/** Sets up the image's encoder with own settings, for any format except animated PNG. */
const encoder = ({ picture, density, animation, size }: Encoded, { to, options }: Target, own: object = {}): Sharp => {
  // Only the AV1 encoder gains much from a second core. A process converts one file at a time, so this applies to the
  // current file only.
  sharp.concurrency(to === "avif" ? Math.min(AVIF_THREADS_MAX, availableParallelism()) : 1);
  const encoding = encodings[to]?.(options, density);
  if (encoding === undefined) {
    throw new TypeError(`sharp does not write ${formatOf(to).name}.`);
  }
  const [format, encoderOptions] = encoding;
  const timing = animation === undefined ? {} : { delay: animation.delay, loop: animation.loop };
  const { quality = QUALITY.jpg, target_size: bytesMax } = options;
  const isOnePass = to === "jpg" && quality === QUALITY.jpg && bytesMax === undefined && isSmall(size);
  const coding = isOnePass ? { optimizeCoding: false } : {};
  return picture.toFormat(format, { ...encoderOptions, ...timing, ...coding, ...own });
};

const isSmall = (size: PictureSize | undefined): boolean =>
  size !== undefined && size.width * size.height <= ONE_PASS_PIXELS_MAX;

const encodeFrames = async (
  { picture, plan, animation }: Parameters<typeof encode>[0],
  output: string,
): Promise<void> => {
  const { data, info } = await picture.ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  const { delay, loop } = animation ?? plan;
  await writeAnimatedPng(output, {
    pixels: data,
    width: info.width,
    pageHeight: info.height / delay.length,
    delay,
    loop,
  });
};
