import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Magick } from "@imagemagick/magick-wasm";
import { JobError } from "../domain/errors.ts";
import { formatOf } from "../domain/formats.ts";
import type { Warning } from "../domain/jobs.ts";
import type { Engine, EngineResult, EngineTask } from "./engine.ts";
import { writePng } from "./io/png-writer.ts";
import { breaksOff } from "./io/whole.ts";
import { translated as translatedByMagick } from "./magick/errors.ts";
import { largestIcns } from "./magick/icns.ts";
import { load } from "./magick/library.ts";
import { readRare } from "./magick/read.ts";
import { writeRare } from "./magick/write.ts";
import { translated as translatedBySharp } from "./sharp/errors.ts";
import { openPicture } from "./sharp/open.ts";

/**
 * Pictures that sharp does not know, by ImageMagick as WebAssembly (with libheif and libde265 for HEIC, LibRaw for cameras).
 * What it reads becomes an uncompressed PNG with the colour profile, EXIF and XMP, from which sharp makes what was asked
 * for; what it writes, sharp has read, resized and brought to the colours of the target.
 */
export const magickEngine: Engine = {
  name: "magick",
  version: async () => {
    await load();
    return Magick.imageMagickVersion;
  },
  convert: async (task) => {
    await load();
    return task.to === "png" ? read(task) : write(task);
  },
};

const read = async (task: EngineTask): Promise<EngineResult> => {
  if (await breaksOff(task.input, task.from)) {
    throw new JobError("source_corrupt", `The ${formatOf(task.from).name} breaks off before its end.`);
  }
  const bytes = await readFile(task.input);
  try {
    return { warnings: task.from === "icns" ? await readIcon(bytes, task) : await readRare(bytes, task) };
  } catch (error) {
    throw translatedByMagick(error, task.from);
  }
};

/** An Apple icon is a container, which ImageMagick does not know; of what it holds, it reads JPEG 2000. */
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
  return { warnings };
};
