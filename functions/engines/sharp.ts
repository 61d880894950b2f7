import { availableParallelism } from "node:os";
import { join } from "node:path";
import sharp from "sharp";
import { extensionOf, formatOf } from "../domain/formats.ts";
import type { Warning } from "../domain/jobs.ts";
import type { Engine, EngineResult, EngineTask, Part } from "./engine.ts";
import { writeAnimatedPng } from "./sharp/apng-writer.ts";
import { translated } from "./sharp/errors.ts";
import { type OpenedPicture, openPicture } from "./sharp/open.ts";
import { encodings } from "./sharp/plan.ts";
import { tiffPages } from "./sharp/tiff-pages.ts";

/** Pictures by sharp, on libvips: JPEG, PNG, WebP, GIF, TIFF and AVIF both ways, animated PNG too, SVG in. */
export const sharpEngine: Engine = {
  name: "sharp",
  version: async () => sharp.versions.sharp ?? "unknown",
  convert: async (task) => {
    try {
      return await convert(task);
    } catch (error) {
      throw translated(error, task.from);
    }
  },
};

const convert = async (task: EngineTask): Promise<EngineResult> => {
  const opened = await openPicture(task);
  if (task.from === "tiff" && opened.plan.pagesLeft > 0) {
    const pages = await tiffPages(task.input);
    if (pages.length > 1) {
      return convertPages(task, pages);
    }
    await encode(opened, task);
    return { warnings: opened.warnings.filter(({ code }) => code !== "pages_dropped") };
  }
  await encode(opened, task);
  return { warnings: opened.warnings };
};

/** Each page becomes a picture of its own, where they cannot be of one file. */
const convertPages = async (task: EngineTask, pages: readonly number[]): Promise<EngineResult> => {
  const parts: Part[] = [];
  const warnings: Warning[] = [];
  const digits = String(pages.length).length;
  for (const [index, page] of pages.entries()) {
    const name = `page-${String(index + 1).padStart(digits, "0")}`;
    const path = join(task.folder, `${name}.${extensionOf(task.to)}`);
    const opened = await openPicture(task, page);
    await encode(opened, { ...task, output: path });
    warnings.push(...opened.warnings);
    parts.push({ path, name });
    task.progress((index + 1) / pages.length);
  }
  return { warnings, parts };
};

/** Memory and the gain for each further thread speak against more; on two cores a photo takes half the time. */
const AVIF_THREADS_MAX = 4;

const encode = async (opened: OpenedPicture, task: Pick<EngineTask, "to" | "output" | "options">): Promise<void> => {
  const { picture, density, animation } = opened;
  const { to, output, options } = task;
  // The AV1 encoder is the only one that gains much from a second core. A process converts one file at a time, so the
  // number is this file's alone.
  sharp.concurrency(to === "avif" ? Math.min(AVIF_THREADS_MAX, availableParallelism()) : 1);
  if (to === "apng") {
    await encodeFrames(opened, output);
    return;
  }
  const encoding = encodings[to]?.(options, density);
  if (encoding === undefined) {
    throw new TypeError(`sharp does not write ${formatOf(to).name}.`);
  }
  const [format, encoderOptions] = encoding;
  const timing = animation === undefined ? {} : { delay: animation.delay, loop: animation.loop };
  await picture.toFormat(format, { ...encoderOptions, ...timing }).toFile(output);
};

const encodeFrames = async ({ picture, plan, animation }: OpenedPicture, output: string): Promise<void> => {
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
