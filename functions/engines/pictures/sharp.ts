import { join } from "node:path";
import sharp from "sharp";
import { PARTS_MAX } from "../../domain/conversions/conversion-limits.ts";
import { JobError } from "../../domain/errors.ts";
import { extensionOf } from "../../domain/formats/formats.ts";
import type { Warning } from "../../domain/warning.ts";
import { type Engine, type EngineResult, type EngineTask, HelperNeeded, type Part } from "../core/engine.ts";
import { encode } from "./sharp/encode.ts";
import { translated } from "./sharp/errors.ts";
import { mergePictures } from "./sharp/merge.ts";
import { openPicture } from "./sharp/open.ts";
import type { Plan } from "./sharp/plan.ts";
import { tiffPages } from "./sharp/tiff-pages.ts";

/**
 * Images with sharp and libvips: JPEG, PNG, WebP, GIF, TIFF and AVIF in both directions, animated PNG too, SVG as
 * input.
 */
export const sharpEngine: Engine = {
  name: "sharp",
  version: async () => sharp.versions.sharp ?? "unknown",
  convert: async (task) => {
    try {
      return await (task.further.length > 0 ? mergePictures(task) : convert(task));
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
    const written = await encode(opened, task);
    return { warnings: [...opened.warnings.filter(({ code }) => code !== "pages_dropped"), ...written] };
  }
  if (task.options.split && opened.plan.pagesLeft > 0) {
    return convertPages(task, framesOf(opened.plan));
  }
  if (task.from === "webp" && task.to === "avif" && opened.plan.pagesLeft > 0 && task.helper !== undefined) {
    return animate(task);
  }
  const written = await encode(opened, task);
  return { warnings: [...opened.warnings, ...written] };
};

/** @throws HelperNeeded if another lane has ffmpeg */
const animate = async (task: EngineTask): Promise<EngineResult> => {
  if (task.helper === "elsewhere") {
    throw new HelperNeeded();
  }
  const { writeAnimation } = await import("./avif/write-frames.ts");
  return { warnings: (await writeAnimation(task)) ?? [] };
};

const framesOf = ({ frames, pagesLeft }: Plan): number[] => {
  const count = frames + pagesLeft;
  if (count > PARTS_MAX) {
    throw new JobError(
      "output_too_large",
      `The animation has ${count} frames; the limit for splitting is ${PARTS_MAX}.`,
    );
  }
  return Array.from({ length: count }, (_, index) => index);
};

/** Converts each page to a separate image, when they cannot be stored in one file. */
const convertPages = async (task: EngineTask, pages: readonly number[]): Promise<EngineResult> => {
  const parts: Part[] = [];
  const warnings: Warning[] = [];
  const digits = String(pages.length).length;
  for (const [index, page] of pages.entries()) {
    const name = `${task.from === "tiff" ? "page" : "frame"}-${String(index + 1).padStart(digits, "0")}`;
    const path = join(task.folder, `${name}.${extensionOf(task.to)}`);
    const opened = await openPicture(task, page);
    const written = await encode(opened, { ...task, output: path });
    warnings.push(...opened.warnings, ...written);
    parts.push({ path, name });
    task.progress((index + 1) / pages.length);
  }
  return { warnings, parts };
};
