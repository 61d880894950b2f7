import { readFile, stat } from "node:fs/promises";
import sharp, { type Metadata, type Sharp } from "sharp";
import { SVG_BYTES_MAX } from "../../domain/conversion-limits.ts";
import { JobError } from "../../domain/errors.ts";
import { type FormatId, formatOf } from "../../domain/formats.ts";
import type { Warning } from "../../domain/jobs.ts";
import { checkPicture, checkResult, fitted, type PictureSize } from "../../domain/pictures.ts";
import type { EngineTask } from "../engine.ts";
import { checkDrawing } from "../io/drawing-check.ts";
import { breaksOff } from "../io/whole.ts";
import { type Animation, isAnimatedPng, readAnimatedPng, resizedFrames } from "./apng.ts";
import { translated } from "./errors.ts";
import { inputOptions, type Plan, planPicture } from "./plan.ts";

// Every file is seen once, so a cache only holds memory; it would also answer with an earlier file of the same name.
sharp.cache(false);
// Only the decoders of our formats: what a file makes libvips believe that it is must not reach another one.
sharp.block({ operation: ["VipsForeignLoad"] });
sharp.unblock({
  operation: ["Jpeg", "Png", "Webp", "Nsgif", "Tiff", "Heif", "Svg"].map((loader) => `VipsForeignLoad${loader}`),
});

/** What a conversion begins with: the file, the target whose limits and traits count, and the options. */
export type PictureTask = Pick<EngineTask, "input" | "from" | "to" | "options">;

/** A picture on its way: not yet decoded, but told all that is to be done to it before it is encoded. */
export interface OpenedPicture {
  readonly picture: Sharp;
  readonly plan: Plan;
  readonly warnings: readonly Warning[];
  /** Pixels of the picture, or of a frame of it, with these options. */
  readonly size: PictureSize;
  /** Pixels per inch, where the file says so. */
  readonly density: number | undefined;
  /** What sharp cannot know of frames that it did not read itself. */
  readonly animation: Animation | undefined;
}

/**
 * Opens a picture that sharp reads. It is turned upright, resized, and brought to the colours and the transparency that
 * the target has.
 *
 * @param page the page of a TIFF, from 0, where not the first one is wanted
 * @throws JobError `too_many_pixels`, `source_corrupt`, `source_mismatch`; what libvips throws later on, when it decodes,
 * is for {@link translated}
 */
export const openPicture = (task: PictureTask, page?: number): Promise<OpenedPicture> =>
  opened(task, page).catch((error: unknown) => {
    throw translated(error, task.from);
  });

const opened = async (task: PictureTask, page?: number): Promise<OpenedPicture> => {
  const { from, to, options } = task;
  const source = await sourceOf(task);
  const header = await readHeader(source, from, page);
  if (await breaksOff(task.input, from)) {
    throw new JobError("source_corrupt", `The ${formatOf(from).name} breaks off before its end.`);
  }
  const uniform = page === undefined && from === "tiff" && to === "tiff" && (await isUniform(source, header));
  const plan = planPicture(task, { ...header, pages: page === undefined ? (header.pages ?? 1) : 1, uniform });
  const animated = PNGS.includes(from) && isAnimatedPng(task.input);
  const animation = animated && plan.holdsFrames ? await readAnimatedPng(task.input) : undefined;
  const frames = animation?.delay.length ?? plan.frames;
  if (from !== "svg") {
    checkPicture(header.autoOrient, frames);
  }
  const { result: size, scaled } = fitted(header.autoOrient, options);
  checkResult({ scaled, result: size, frames, to, pixelsMax: plan.pixelsMax });
  const dropped = animated && animation === undefined;
  const warnings = dropped ? [...plan.warnings, APNG_WARNING] : plan.warnings;
  const known = { plan, warnings, size, density: header.density, animation };
  if (animation !== undefined) {
    return { ...known, picture: await moving(animation, plan) };
  }
  const input = { ...plan.input, ...(page === undefined ? {} : { page }) };
  return { ...known, picture: pipeline(sharp(source, input), plan) };
};

/** Frames that we have put together ourselves. */
const moving = async (animation: Animation, plan: Plan): Promise<Sharp> => {
  const { resize } = plan;
  const { pixels, width, height, channels, pageHeight } =
    resize === undefined ? animation : await resizedFrames(animation, resize);
  return pipeline(sharp(pixels, { raw: { width, height, channels, pageHeight } }), { ...plan, resize: undefined });
};

const PNGS: readonly FormatId[] = ["png", "apng"];

/**
 * An SVG is handed over as bytes: librsvg follows references to files that lie beside a file, and beside an input may
 * lie another client's. Bytes have no place, so nothing is beside them.
 */
const sourceOf = async ({ input, from }: PictureTask): Promise<string | Buffer> => {
  if (from !== "svg") {
    return input;
  }
  const { size } = await stat(input);
  if (size > SVG_BYTES_MAX) {
    throw new JobError("unsupported_feature", `The SVG has ${size} bytes; at most ${SVG_BYTES_MAX} are drawn.`);
  }
  const bytes = await readFile(input);
  checkDrawing(bytes);
  return bytes;
};

/** What libvips calls our formats. */
const VIPS_NAMES: Partial<Record<FormatId, string>> = { jpg: "jpeg", avif: "heif", apng: "png" };

const readHeader = async (source: string | Buffer, from: FormatId, page = 0): Promise<Metadata> => {
  const first = page === 0 ? {} : { page };
  const header = await sharp(source, { ...inputOptions(from, false), ...first, limitInputPixels: false }).metadata();
  const hevc = header.format === "heif" && header.compression !== "av1";
  if (header.format !== (VIPS_NAMES[from] ?? from) || hevc) {
    throw new JobError("source_mismatch", `The file begins like ${formatOf(from).name}, but holds something else.`);
  }
  return header;
};

/** libvips reads the pages of a TIFF as one strip of equal pictures, and refuses pages that differ in size. */
const isUniform = async (source: string | Buffer, { pages }: Metadata): Promise<boolean> =>
  pages !== 1 &&
  sharp(source, { ...inputOptions("tiff", true), limitInputPixels: false })
    .metadata()
    .then(
      () => true,
      () => false,
    );

const APNG_WARNING: Warning = {
  code: "frames_dropped",
  detail: "The PNG is animated; the result holds its first frame only.",
};

const pipeline = (picture: Sharp, plan: Plan): Sharp => {
  if (plan.workspace !== undefined) {
    picture.pipelineColourspace(plan.workspace);
  }
  if (plan.flatten !== undefined) {
    picture.flatten({ background: plan.flatten });
  }
  if (plan.resize !== undefined) {
    picture.resize(plan.resize);
  }
  if (plan.colourspace !== "srgb") {
    picture.toColourspace(plan.colourspace);
  }
  if (plan.toSrgb) {
    picture.withIccProfile("srgb", { attach: false });
  }
  if (plan.metadata === "all") {
    picture.keepMetadata();
  }
  return plan.metadata === "no_profile" ? picture.keepExif().keepXmp() : picture;
};
