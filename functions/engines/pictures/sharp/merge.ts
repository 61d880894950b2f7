import { rm, stat } from "node:fs/promises";
import { join } from "node:path";
import sharp from "sharp";
import {
  DOCUMENT_PAGES_MAX,
  PICTURE_FRAMES_MAX,
  PICTURE_PIXELS_MAX,
  TIFF_BYTES_MAX,
} from "../../../domain/conversions/conversion-limits.ts";
import type { PictureSize } from "../../../domain/conversions/picture-sizes.ts";
import { JobError } from "../../../domain/errors.ts";
import { type FormatId, formatOf } from "../../../domain/formats/formats.ts";
import type { Warning } from "../../../domain/warning.ts";
import type { EngineResult, EngineTask } from "../../core/engine.ts";
import { joinTiffs } from "../../pdf/pdfium/page/tiff.ts";
import { encode } from "./encode.ts";
import { translated } from "./errors.ts";
import { type OpenedPicture, openPicture } from "./open.ts";
import { tiffPages } from "./tiff-pages.ts";

/** Merges several images in order: into a TIFF with a page for each, or into an animation. */
export const mergePictures = (task: EngineTask): Promise<EngineResult> =>
  task.to === "tiff" ? mergePages(task) : mergeFrames(task);

interface Source {
  readonly path: string;
  readonly from: FormatId;
}

const sourcesOf = ({ input, from, further }: EngineTask): readonly [Source, ...Source[]] => [
  { path: input, from },
  ...further,
];

/** Processes one of the files; errors then include its number. */
const ofFile = async <T>({ from }: Source, number: number, work: () => Promise<T>): Promise<T> => {
  try {
    return await work();
  } catch (error) {
    const translatedError = translated(error, from);
    throw translatedError instanceof JobError
      ? new JobError(translatedError.code, `File ${number}: ${translatedError.message}`, { cause: error })
      : translatedError;
  }
};

/** Each page keeps its size: pages are written one by one, and then joined. All pages of a TIFF input are included. */
const mergePages = async (task: EngineTask): Promise<EngineResult> => {
  const paths: string[] = [];
  const warnings: Warning[] = [];
  const sources = sourcesOf(task);
  let bytes = 0;
  for (const [index, source] of sources.entries()) {
    await ofFile(source, index + 1, async () => {
      for (const page of source.from === "tiff" ? await tiffPages(source.path) : [undefined]) {
        const output = join(task.folder, `page-${paths.length + 1}.tiff`);
        const opened = await openPicture({ ...task, input: source.path, from: source.from }, page);
        const written = await encode(opened, { ...task, output });
        warnings.push(...opened.warnings, ...written);
        paths.push(output);
        bytes += (await stat(output)).size;
        checkPages(paths.length, bytes);
      }
    });
    task.progress((index + 1) / (sources.length + 1));
  }
  await joinTiffs(paths, task.output);
  await Promise.all(paths.map((path) => rm(path)));
  return { warnings };
};

const checkPages = (pages: number, bytes: number): void => {
  if (pages > DOCUMENT_PAGES_MAX) {
    throw new JobError("too_many_pages", `The TIFF would exceed the limit of ${DOCUMENT_PAGES_MAX} pages.`);
  }
  if (bytes > TIFF_BYTES_MAX) {
    throw new JobError("output_too_large", `The TIFF would exceed the format's limit of ${TIFF_BYTES_MAX} bytes.`);
  }
};

/** Display time of a still image, and of an animation frame without one, in milliseconds, as in browsers. */
const STILL_MS = 500;
const FRAME_MS = 100;

/** Frames that are not decoded yet, and their display times. */
interface Strip {
  readonly source: Source;
  readonly picture: OpenedPicture["picture"];
  readonly delay: readonly number[];
}

/**
 * The first image, with the options applied, is the canvas that all others are fitted to. Frames are held in memory,
 * four bytes per pixel, so they are counted before decoding. Colors become sRGB, because a file has one profile.
 */
const mergeFrames = async (task: EngineTask): Promise<EngineResult> => {
  const { to, output, options } = task;
  const [first, ...others] = sourcesOf(task);
  const warnings: Warning[] = [];
  const open = (source: Source, number: number, own: EngineTask["options"]): Promise<Opened> =>
    ofFile(source, number, async () => {
      const opened = await openPicture({
        ...task,
        input: source.path,
        from: source.from,
        options: { ...own, ...PLAIN },
      });
      warnings.push(...opened.warnings);
      return { source, ...opened, delay: delayOf(opened, options.delay) };
    });
  const opening = await open(first, 1, options);
  const { data, ...canvas } = await decode(opening, 1);
  const strips: Strip[] = [];
  let frames = opening.delay.length;
  const fit = options.fit === "cover" || options.fit === "fill" ? options.fit : "contain";
  for (const [index, source] of others.entries()) {
    const { picture, delay, plan } = await open(source, index + 2, { ...options, ...canvas, fit });
    frames += delay.length;
    checkFrames({ frames, canvas, to, pixelsMax: Math.min(PICTURE_PIXELS_MAX, plan.pixelsMax) });
    strips.push({ source, picture, delay });
  }
  const pixels = Buffer.alloc(canvas.width * canvas.height * 4 * frames);
  let at = data.copy(pixels);
  for (const [index, strip] of strips.entries()) {
    at += (await decode(strip, index + 2)).data.copy(pixels, at);
    task.progress((index + 1) / (strips.length + 1));
  }
  const size = { width: canvas.width, height: canvas.height * frames, pageHeight: canvas.height, channels: 4 } as const;
  const delay = [opening, ...strips].flatMap((strip) => strip.delay);
  const animation = { ...size, pixels, delay, loop: 0 };
  const picture = sharp(pixels, { raw: size });
  await encode({ picture, density: undefined, animation, plan: animation }, { to, output, options });
  return { warnings };
};

type Opened = Strip & Pick<OpenedPicture, "plan">;

/** Frames have no separate metadata or profile. */
const PLAIN = { strip_metadata: "all", delay: undefined } as const;

const delayOf = ({ animation, plan }: OpenedPicture, requested: number | undefined): readonly number[] => {
  const own = animation?.delay ?? plan.delay;
  return own.map((milliseconds) => requested ?? (own.length === 1 ? STILL_MS : milliseconds || FRAME_MS));
};

/** @returns the pixels of the frames, stacked vertically, and the size of one frame */
const decode = ({ source, picture, delay }: Strip, number: number): Promise<PictureSize & { readonly data: Buffer }> =>
  ofFile(source, number, async () => {
    const { data, info } = await picture.ensureAlpha().raw().toBuffer({ resolveWithObject: true });
    return { data, width: info.width, height: info.height / delay.length };
  });

interface FrameCount {
  readonly frames: number;
  readonly canvas: PictureSize;
  readonly to: FormatId;
  readonly pixelsMax: number;
}

const checkFrames = ({ frames, canvas: { width, height }, to, pixelsMax }: FrameCount): void => {
  if (frames > PICTURE_FRAMES_MAX || frames * width * height > pixelsMax) {
    throw new JobError(
      "too_many_pixels",
      `The ${formatOf(to).name} would have at least ${frames} frames of ${width} × ${height} pixels; the limits are ` +
        `${PICTURE_FRAMES_MAX} frames and ${pixelsMax} pixels in total. Set a smaller width or height.`,
    );
  }
};
