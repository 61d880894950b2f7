import { closeSync, openSync, readSync } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import { availableParallelism } from "node:os";
import sharp, { type Metadata, type Sharp } from "sharp";
import { JobError } from "../domain/errors.ts";
import { type FormatId, formatOf } from "../domain/formats.ts";
import type { Warning } from "../domain/jobs.ts";
import { DETECTION_BYTES, SVG_BYTES_MAX } from "../domain/limits.ts";
import { checkPicture, checkResult, fitted } from "../domain/pictures.ts";
import type { Engine, EngineResult, EngineTask } from "./engine.ts";
import { breaksOff } from "./io/whole.ts";
import { encodings, inputOptions, type Plan, planPicture } from "./sharp/plan.ts";

/** Pictures by sharp, on libvips: JPEG, PNG, WebP, GIF, TIFF and AVIF both ways, SVG in. */
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

// Every file is seen once, so a cache only holds memory; it would also answer with an earlier file of the same name.
sharp.cache(false);
// Only the decoders of our formats: what a file makes libvips believe that it is must not reach another one.
sharp.block({ operation: ["VipsForeignLoad"] });
sharp.unblock({
  operation: ["Jpeg", "Png", "Webp", "Nsgif", "Tiff", "Heif", "Svg"].map((loader) => `VipsForeignLoad${loader}`),
});

const convert = async (task: EngineTask): Promise<EngineResult> => {
  const { from, to, options } = task;
  const source = await sourceOf(task);
  const header = await readHeader(source, task);
  if (await breaksOff(task.input, from)) {
    throw new JobError("source_corrupt", `The ${formatOf(from).name} breaks off before its end.`);
  }
  const uniform = from === "tiff" && to === "tiff" && header.pages !== 1 && (await pagesAreUniform(source));
  const plan = planPicture(task, { ...header, pages: header.pages ?? 1, uniform });
  if (from !== "svg") {
    checkPicture(header.autoOrient, plan.frames);
  }
  const { frames, pixelsMax } = plan;
  checkResult({ ...fitted(header.autoOrient, options), frames, to, pixelsMax });
  await encode(pipeline(sharp(source, plan.input), plan), task, header.density);
  const apng = from === "png" && isAnimatedPng(task.input);
  return { warnings: apng ? [...plan.warnings, APNG_WARNING] : plan.warnings };
};

/**
 * An SVG is handed over as bytes: librsvg follows references to files that lie beside a file, and beside an input may
 * lie another client's. Bytes have no place, so nothing is beside them.
 */
const sourceOf = async ({ input, from }: EngineTask): Promise<string | Buffer> => {
  if (from !== "svg") {
    return input;
  }
  const { size } = await stat(input);
  if (size > SVG_BYTES_MAX) {
    throw new JobError("unsupported_feature", `The SVG has ${size} bytes; at most ${SVG_BYTES_MAX} are drawn.`);
  }
  return readFile(input);
};

/** What libvips calls our formats. */
const VIPS_NAMES: Partial<Record<FormatId, string>> = { jpg: "jpeg", avif: "heif" };

const readHeader = async (source: string | Buffer, { from }: EngineTask): Promise<Metadata> => {
  const header = await sharp(source, { ...inputOptions(from, false), limitInputPixels: false }).metadata();
  const hevc = header.format === "heif" && header.compression !== "av1";
  if (header.format !== (VIPS_NAMES[from] ?? from) || hevc) {
    throw new JobError("source_mismatch", `The file begins like ${formatOf(from).name}, but holds something else.`);
  }
  return header;
};

/** libvips reads the pages of a TIFF as one strip of equal pictures, and refuses pages that differ in size. */
const pagesAreUniform = (source: string | Buffer): Promise<boolean> =>
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

/**
 * An animated PNG says so by an `acTL` chunk before its pixels; libvips knows nothing of it. Read at once: a converter
 * process does nothing else meanwhile, and waiting would take longer than reading.
 */
const isAnimatedPng = (path: string): boolean => {
  const head = Buffer.alloc(DETECTION_BYTES);
  const file = openSync(path, "r");
  try {
    return head.subarray(0, readSync(file, head)).includes("acTL", 0, "latin1");
  } finally {
    closeSync(file);
  }
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

/** Memory and the gain for each further thread speak against more; on two cores a photo takes half the time. */
const AVIF_THREADS_MAX = 4;

const encode = async (picture: Sharp, { to, output, options }: EngineTask, density?: number): Promise<void> => {
  const encoding = encodings[to]?.(options, density);
  if (encoding === undefined) {
    throw new TypeError(`sharp does not write ${to}.`);
  }
  // The AV1 encoder is the only one that gains much from a second core. A process converts one file at a time, so the
  // number is this file's alone.
  sharp.concurrency(to === "avif" ? Math.min(AVIF_THREADS_MAX, availableParallelism()) : 1);
  const [format, encoderOptions] = encoding;
  await picture.toFormat(format, encoderOptions).toFile(output);
};

/** libvips' words, and the code that they mean. The first that fits counts. */
const MEANINGS = [
  [/pixel limit|too large for the/, "too_many_pixels"],
  [/out of memory|Could not allocate/i, "out_of_memory"],
  [/[Uu]nsupported (?!image format)|not supported|channel limit/, "unsupported_feature"],
  [/bad dimensions|rendering failed|XML parse error.*(?:exceeded|too big|Excessive)/, "unsupported_feature"],
] as const;

/** No fault of the file: a full disk, an input that is gone, an encoder that failed on good pixels. */
const OURS = /system error|file is missing|^(?:vips2tiff|vips2webp|gifsave|heifsave|webpsave|tiffsave|jpegsave)/m;

/**
 * @returns the table's error for what sharp threw. libvips reports in sentences only, and every decoder has its own;
 * what comes neither from the system nor from an encoder comes from the bytes of the file.
 */
const translated = (error: unknown, from: FormatId): unknown => {
  if (!(error instanceof Error) || error instanceof JobError || error instanceof TypeError) {
    return error;
  }
  const { message } = error;
  const code = MEANINGS.find(([words]) => words.test(message))?.[1];
  if (code === undefined && OURS.test(message)) {
    return error;
  }
  const reason = reasonOf(message);
  const detail = `The ${formatOf(from).name} could not be read${reason === undefined ? "" : `: ${reason}`}.`;
  return new JobError(code ?? "source_corrupt", detail, { cause: error });
};

const REASON_CHARACTERS_MAX = 200;

/** Which part of libvips speaks; for XML it is the whole way down. */
const SPEAKER = /^(?:glib: XML parse error: Error domain \d+ code \d+ on |\w+: )/;

/** @returns the first line that says something to a client: no path, no place in our own result */
const reasonOf = (message: string): string | undefined =>
  message
    .split("\n")
    .map((line) =>
      line
        .replace(/^Input (?:file|buffer) (?:has corrupt header:\s*)?/, "")
        .replace(SPEAKER, "")
        .trim(),
    )
    .find((line) => line !== "" && !/\/|unable to write|Unknown error|unsupported image format/.test(line))
    ?.replace(/\.$/, "")
    .slice(0, REASON_CHARACTERS_MAX);
