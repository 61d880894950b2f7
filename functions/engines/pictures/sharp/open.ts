import { readFile, stat } from "node:fs/promises";
import sharp, { type Sharp } from "sharp";
import { SVG_BYTES_MAX } from "../../../domain/conversions/conversion-limits.ts";
import { changesFrames, placedSize } from "../../../domain/conversions/picture-changes.ts";
import { checkPicture, checkResult, fitted, type PictureSize } from "../../../domain/conversions/picture-sizes.ts";
import { JobError } from "../../../domain/errors.ts";
import { type FormatId, formatOf } from "../../../domain/formats/formats.ts";
import type { Warning } from "../../../domain/warning.ts";
import type { EngineTask } from "../../core/engine.ts";
import { isTruncated } from "../files/truncated.ts";
import { appendedWarnings } from "../metadata/appended.ts";
import { rightsTags, rightsXmp } from "../metadata/rights.ts";
import { type Animation, animatedFrames, changedFrames, readAnimatedPng } from "./apng.ts";
import { type Changes, changed, changesOf } from "./changes.ts";
import { translated } from "./errors.ts";
import { type PlainHeader, plainHeader } from "./plain-header.ts";
import { inputOptions, type Plan, planPicture } from "./plan.ts";
import { type Resolution, SQUARE } from "./resolution.ts";
import type { StampAt } from "./watermark.ts";

// Every file is read once, so a cache would only use memory; it could also return an earlier file with the same name.
sharp.cache(false);
// Only the decoders of supported formats: libvips must not select another one because of a file's content.
sharp.block({ operation: ["VipsForeignLoad"] });
sharp.unblock({
  operation: ["Jpeg", "Png", "Webp", "Nsgif", "Tiff", "Heif", "Svg"].map((loader) => `VipsForeignLoad${loader}`),
});

/** The input of a conversion: the file or its bytes, the target whose limits and traits apply, and the options. */
export interface PictureTask
  extends Pick<EngineTask, "from" | "helper" | "to" | "options">,
    Partial<Pick<EngineTask, "optionFiles">> {
  readonly input: string | Buffer;
}

/** An image that is not decoded yet, with all operations before encoding set up. */
export interface OpenedPicture {
  readonly picture: Sharp;
  readonly plan: Plan;
  readonly warnings: readonly Warning[];
  /** Size of the image, or of a frame, with these options. */
  readonly size: PictureSize;
  /** Pixels per inch, if specified in the file. */
  readonly density: number | undefined;
  /** What a JPEG without EXIF says of its resolution; undefined if it has EXIF. */
  readonly jfif: Resolution | undefined;
  /** Animation data of frames that sharp did not read itself. */
  readonly animation: Animation | undefined;
}

/**
 * Opens an image that sharp reads. It is rotated upright, resized, and converted to the colors and transparency of the
 * target.
 *
 * @param page the page of a TIFF, from 0, if not the first one
 * @throws HelperNeeded for a drawing that only a browser draws completely, if another lane has one; JobError
 * `too_many_pixels`, `source_corrupt`, `source_mismatch`; later decoding errors of libvips are handled
 * by {@link translated}
 */
export const openPicture = (task: PictureTask, page?: number): Promise<OpenedPicture> =>
  opened(task, page).catch((error: unknown) => {
    throw translated(error, task.from);
  });

const opened = async (task: PictureTask, page?: number): Promise<OpenedPicture> => {
  const { from, to, options } = task;
  const source = await sourceOf(task);
  const header = plainHeader(source, from, to) ?? (await readHeader(source, from, page));
  if (await isTruncated(task.input, from)) {
    throw new JobError("source_corrupt", `The ${formatOf(from).name} is truncated.`, { isFinal: true });
  }
  const mayBeStrip = page === undefined && from === "tiff" && to === "tiff" && !changesFrames(options);
  const uniform = mayBeStrip && (await isUniform(source, header));
  const plan = planPicture(task, { ...header, pages: page === undefined ? (header.pages ?? 1) : 1, uniform });
  const ownFrames = PNGS.includes(from) ? animatedFrames(task.input) : 0;
  const animation = ownFrames > 0 && plan.holdsFrames ? await readAnimatedPng(task.input) : undefined;
  const frames = animation?.delay.length ?? plan.frames;
  if (from !== "svg") {
    checkPicture(header.autoOrient, frames);
  }
  const placed = placedSize(header.autoOrient, options);
  const { result: size, scaled } = fitted(placed, options);
  checkResult({ scaled, result: size, frames, to, pixelsMax: plan.pixelsMax });
  const dropped = ownFrames > 1 && animation === undefined;
  const warnings = [...plan.warnings, ...(dropped ? [APNG_WARNING] : []), ...appendedWarnings(task.input, from)];
  const changes = await changesOf(options, { source: header.autoOrient, result: size, stamp: stampOf(task) });
  const jfif = header.isBare === true ? (header.resolution ?? SQUARE) : undefined;
  const known = { plan, warnings, size, density: header.density, jfif, animation };
  if (from === "svg" && typeof source !== "string") {
    const isPlaced = options.crop !== undefined || options.rotate !== undefined;
    const { drawnByBrowser } = await import("../svg/browser.ts");
    const drawn = await drawnByBrowser(source, isPlaced ? header.autoOrient : scaled, task.helper);
    const picture = pipeline(sharp(drawn.pixels ?? source, plan.input), plan, changes);
    return { ...known, picture, warnings: [...warnings, ...drawn.warnings] };
  }
  if (animation !== undefined) {
    return { ...known, picture: await moving(animation, plan, changes) };
  }
  const input = { ...plan.input, ...(page === undefined ? {} : { page }) };
  const picture = sharp(source, input);
  if (plan.frames > 1 && changesFrames(options)) {
    return { ...known, picture: await moving(await framesOf(picture, plan), plan, changes) };
  }
  return { ...known, picture: pipeline(picture, plan, changes) };
};

/** @returns the image of the option `watermark_upload_id`, if it is set */
const stampOf = ({ optionFiles = {} }: PictureTask): StampAt | undefined => {
  const file = optionFiles.watermark_upload_id;
  return (
    file &&
    (async (width) => {
      const { picture } = await openPicture({ input: file.path, from: file.from, to: "png", options: { width } });
      return picture.png({ compressionLevel: 1 }).toBuffer();
    })
  );
};

/** @returns the decoded frames: libvips reads them as one image, in which some changes would mix them */
const framesOf = async (picture: Sharp, { delay, loop }: Plan): Promise<Animation> => {
  const { data, info } = await picture.toColourspace("srgb").ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  const { width, height } = info;
  return { pixels: data, width, height, channels: 4, pageHeight: height / delay.length, delay: [...delay], loop };
};

/** An image from frames that were assembled or decoded here. */
const moving = async (animation: Animation, plan: Plan, changes: Changes): Promise<Sharp> => {
  const isChanged = plan.resize !== undefined || changesFrames(changes.options);
  const { pixels, width, height, channels, pageHeight } = isChanged
    ? await changedFrames(animation, (frame) => changed(frame, changes, plan.resize))
    : animation;
  return inColors(sharp(pixels, { raw: { width, height, channels, pageHeight } }), plan);
};

const PNGS: readonly FormatId[] = ["png", "apng"];

/**
 * An SVG is passed as bytes: librsvg follows references to files in the same folder, which may contain another client's
 * input. Bytes have no folder, so such references lead nowhere.
 */
const sourceOf = async ({ input, from }: PictureTask): Promise<string | Buffer> => {
  if (from !== "svg") {
    return input;
  }
  const size = typeof input === "string" ? (await stat(input)).size : input.length;
  if (size > SVG_BYTES_MAX) {
    throw new JobError(
      "unsupported_feature",
      `The SVG is too large: ${size} bytes; the limit is ${SVG_BYTES_MAX} bytes.`,
      { isFinal: true },
    );
  }
  const bytes = typeof input === "string" ? await readFile(input) : input;
  const { checkDrawing } = await import("../svg/check.ts");
  checkDrawing(bytes);
  return bytes;
};

/** libvips' names of formats. */
export const VIPS_NAMES: Partial<Record<FormatId, string>> = { jpg: "jpeg", avif: "heif", heic: "heif", apng: "png" };

const readHeader = async (source: string | Buffer, from: FormatId, page = 0): Promise<PlainHeader> => {
  const first = page === 0 ? {} : { page };
  const header = await sharp(source, { ...inputOptions(from, false), ...first, limitInputPixels: false }).metadata();
  const hevc = header.format === "heif" && header.compression !== "av1";
  if (header.format !== (VIPS_NAMES[from] ?? from) || hevc) {
    throw new JobError("source_mismatch", `The file starts like ${formatOf(from).name}, but contains another format.`);
  }
  return header;
};

/** libvips reads the pages of a TIFF as one strip of equal images, and rejects pages of different sizes. */
const isUniform = async (source: string | Buffer, { pages }: PlainHeader): Promise<boolean> =>
  pages !== 1 &&
  sharp(source, { ...inputOptions("tiff", true), limitInputPixels: false })
    .metadata()
    .then(
      () => true,
      () => false,
    );

const APNG_WARNING: Warning = {
  code: "frames_dropped",
  detail: "The image is animated; the result contains only its first frame.",
};

const pipeline = (picture: Sharp, plan: Plan, changes: Changes): Sharp =>
  changed(inColors(picture, plan), changes, plan.resize);

const inColors = (picture: Sharp, plan: Plan): Sharp => {
  if (plan.workspace !== undefined) {
    picture.pipelineColourspace(plan.workspace);
  }
  if (plan.flatten !== undefined) {
    picture.flatten({ background: plan.flatten });
  }
  if (plan.grayscale) {
    picture.grayscale();
  }
  if (plan.colorSpace !== "srgb") {
    picture.toColourspace(plan.colorSpace);
  }
  if (plan.toSrgb) {
    picture.withIccProfile("srgb", { attach: false });
  }
  if (plan.metadata === "no_iptc") {
    return picture.keepXmp().keepIccProfile();
  }
  if (plan.metadata === "all") {
    picture.keepMetadata();
  }
  if (plan.metadata === "profile") {
    picture.keepIccProfile();
  }
  if (plan.rights !== undefined && Object.keys(plan.rights).length > 0) {
    picture.withExif({ IFD0: rightsTags(plan.rights) }).withXmp(rightsXmp(plan.rights));
  }
  return plan.metadata === "no_profile" ? picture.keepExif().keepXmp() : picture;
};
