import { readdir, readFile, rename, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { PHOTO_QUALITY } from "../../domain/conversions/by-engine/pictures/qualities.ts";
import { checkPicture } from "../../domain/conversions/picture-sizes.ts";
import { JobError } from "../../domain/errors.ts";
import type { Warning } from "../../domain/warning.ts";
import type { Engine, EngineResult, EngineTask } from "../core/engine.ts";
import { runProgram } from "../core/program.ts";
import { isTruncated } from "./files/truncated.ts";
import { type HeifHeader, readHeifHeader } from "./heif/boxes.ts";
import { withMetadata } from "./heif/jpeg.ts";
import { withExifChunk } from "./heif/png.ts";
import { appendedWarnings } from "./metadata/appended.ts";
import { finishMetadata } from "./metadata/finish.ts";
import { translated } from "./sharp/errors.ts";
import { openPicture } from "./sharp/open.ts";
import { encodings } from "./sharp/plan.ts";

const PROGRAM = "heif-convert";

/**
 * HEIC to JPEG with libheif's program (Debian: `libheif-examples`), which decodes the tiles of a photo in parallel and
 * passes their color data to the JPEG encoder unchanged: half the time of WebAssembly.
 */
export const heifEngine: Engine = {
  name: "heif",
  version: async () => {
    const { stdout } = await runProgram({ program: PROGRAM, arguments: ["--help"], folder: "/", timeoutMs: 10_000 });
    return /version: (\S+)/.exec(stdout.toString("latin1"))?.[1] ?? "unknown";
  },
  convert: async (task) => {
    if (await isTruncated(task.input, task.from)) {
      throw new JobError("source_corrupt", "The HEIC is truncated.", { isFinal: true });
    }
    const header = await readHeifHeader(task.input);
    checkPicture(header);
    return convert(task, header);
  },
};

const convert = async (task: EngineTask, header: HeifHeader): Promise<EngineResult> => {
  const { quality = PHOTO_QUALITY, strip_metadata = "none", ...changes } = task.options;
  const warnings = [
    ...(header.pictures > 1 ? [picturesWarning(header.pictures)] : []),
    ...appendedWarnings(task.input, task.from),
  ];
  // A JPEG would not preserve more than 8 bits, transparency, or full-resolution chroma.
  const plain = header.bits === 8 && header.chroma === 1 && !header.alpha;
  const direct = plain && Object.keys(changes).length === 0 && (strip_metadata === "none" || strip_metadata === "gps");
  if (direct) {
    await rename(await decoded(task, header, { extension: "jpg", quality }), task.output);
    return { warnings: [...warnings, ...finishMetadata(task)] };
  }
  const extension = plain ? "jpg" : "png";
  const input = await decoded(task, header, { extension, quality: FINEST });
  const opened = await openPicture({ ...task, input, from: extension });
  const [format, options] = encodings.jpg?.({ ...task.options, quality }) ?? ["jpeg", {}];
  await opened.picture
    .toFormat(format, options)
    .toFile(task.output)
    .catch((error: unknown) => {
      throw translated(error, task.from);
    });
  return { warnings: [...warnings, ...opened.warnings, ...finishMetadata(task)] };
};

/** Quality of an intermediate JPEG: its quantization is then no coarser than eight bits. */
const FINEST = 100;

const picturesWarning = (count: number): Warning => ({
  code: "frames_dropped",
  detail: `The HEIC contains ${count} images; the result contains only the primary one.`,
});

/** The program may use the complete time of a conversion; the pool handles longer ones. */
const TIMEOUT_MS = 110_000;

interface Wanted {
  readonly extension: "jpg" | "png";
  readonly quality: number;
}

/** @returns the path of the primary image, upright, with its profile, EXIF and XMP */
const decoded = async (task: EngineTask, header: HeifHeader, { extension, quality }: Wanted): Promise<string> => {
  const { input, folder } = task;
  const wanted = ["--quality", String(quality), "--with-exif", "--with-xmp", "--skip-exif-offset"];
  const { code, stderr } = await runProgram({
    program: PROGRAM,
    arguments: [...wanted, input, join(folder, `picture.${extension}`)],
    folder,
    timeoutMs: TIMEOUT_MS,
  });
  const names = await readdir(folder);
  // A single image has the requested name; multiple images are numbered from 1.
  const name = names.find((found) => found === `picture.${extension}`) ?? `picture-${header.main + 1}.${extension}`;
  if (code !== 0 || !names.includes(name)) {
    throw failure(stderr);
  }
  const path = join(folder, name);
  const sidecar = async (kind: string): Promise<Buffer | undefined> => {
    const found = names.find((other) => other === basename(name, extension) + kind || other === `${name}.${kind}`);
    return found === undefined ? undefined : readFile(join(folder, found));
  };
  const metadata = { exif: await sidecar("exif"), xmp: await sidecar("xmp") };
  const bytes = await readFile(path);
  await writeFile(path, extension === "jpg" ? withMetadata(bytes, metadata) : withExifChunk(bytes, metadata));
  return path;
};

/** libheif ignores images of a kind that it does not know, and then reports that the primary one does not exist. */
const UNSUPPORTED = /[Uu]nsupported|not supported|No decoding plugin|'pitm' box references a non-existing image/;

const failure = (stderr: string): JobError => {
  const unsupported = UNSUPPORTED.test(stderr);
  const reason = /(?:Could not (?:read|decode)[^:\n]*: )([^\n]{1,200})/.exec(stderr)?.[1];
  const because = reason === undefined ? "" : `: ${reason.replaceAll(/[^\x20-\x7e]+/g, " ").replace(/\.$/, "")}`;
  return new JobError(unsupported ? "unsupported_feature" : "source_corrupt", `The HEIC could not be read${because}.`);
};
