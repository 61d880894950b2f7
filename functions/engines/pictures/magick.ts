import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Magick } from "@imagemagick/magick-wasm";
import { JobError } from "../../domain/errors.ts";
import { type FormatId, formatOf } from "../../domain/formats/formats.ts";
import type { Warning } from "../../domain/warning.ts";
import type { Engine, EngineResult, EngineTask } from "../core/engine.ts";
import { writePng } from "./files/png-writer.ts";
import { isTruncated } from "./files/truncated.ts";
import { checkDeclared } from "./magick/check-declared.ts";
import { translated as translatedByMagick } from "./magick/errors.ts";
import { largestIcns } from "./magick/icns.ts";
import { load } from "./magick/library.ts";
import { readRare } from "./magick/read.ts";
import { isCommon, readCommon } from "./magick/read-common.ts";
import { writeRare } from "./magick/write.ts";
import { appendedWarnings } from "./metadata/appended.ts";
import { finishMetadata } from "./metadata/finish.ts";
import { translated as translatedBySharp } from "./sharp/errors.ts";
import { openPicture } from "./sharp/open.ts";

/**
 * Images that sharp does not support, with ImageMagick as WebAssembly (with libheif and libde265 for HEIC, LibRaw for
 * cameras). Inputs become an uncompressed PNG with the color profile, EXIF and XMP, which sharp converts to the target;
 * outputs are read, resized and converted to the target's colors by sharp first.
 */
export const magickEngine: Engine = {
  name: "magick",
  version: async () => {
    await load();
    return Magick.imageMagickVersion;
  },
  convert: async (task) => {
    if (task.to === "png") {
      await checkDeclared(task);
    }
    await load();
    return task.to === "png" ? read(task) : write(task);
  },
};

const read = async (task: EngineTask): Promise<EngineResult> => {
  if (await isTruncated(task.input, task.from)) {
    throw new JobError("source_corrupt", `The ${formatOf(task.from).name} is truncated.`, { isFinal: true });
  }
  const bytes = await readFile(task.input);
  try {
    const warnings = await readerFor(task.from)(bytes, task);
    return { warnings: [...warnings, ...appendedWarnings(task.input, task.from)] };
  } catch (error) {
    throw translatedByMagick(error, task.from);
  }
};

const readerFor = (from: FormatId) => {
  if (from === "icns") {
    return readIcon;
  }
  return isCommon(from) ? readCommon : readRare;
};

/** An Apple icon is a container, which ImageMagick does not support; it can read the JPEG 2000 images in it. */
const readIcon = async (bytes: Buffer, task: EngineTask): Promise<readonly Warning[]> => {
  const picture = largestIcns(bytes);
  if (picture.kind === "pixels") {
    const { side, bytes: pixels } = picture;
    await writePng(task.output, { width: side, height: side, channels: 4 }, [pixels]);
    return [];
  }
  if (picture.kind === "png") {
    const path = join(task.folder, "icon.png");
    await writeFile(path, picture.bytes);
    const { picture: opened } = await openPicture({ input: path, from: "png", to: "png", options: {} });
    await opened
      .png({ compressionLevel: 0 })
      .toFile(task.output)
      .catch((error: unknown) => {
        throw translatedBySharp(error, task.from);
      });
    return [];
  }
  return readRare(picture.bytes, { ...task, from: "jp2" });
};

const write = async (task: EngineTask): Promise<EngineResult> => {
  const { picture, warnings } = await openPicture(task);
  const png = await picture
    .png({ compressionLevel: 0 })
    .toBuffer()
    .catch((error: unknown) => {
      throw translatedBySharp(error, task.from);
    });
  await writeRare(png, task);
  return { warnings: [...warnings, ...finishMetadata(task)] };
};
