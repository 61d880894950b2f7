import { PICTURE_PIXELS_MAX } from "../../domain/conversions/conversion-limits.ts";
import { JobError } from "../../domain/errors.ts";
import { formatOf } from "../../domain/formats/formats.ts";
import type { Engine, EngineResult, EngineTask } from "../core/engine.ts";
import { runProgram } from "../core/program.ts";
import { readFrames } from "./avif/read-frames.ts";
import { runFfmpeg } from "./avif/run.ts";
import { writeFrames } from "./avif/write-frames.ts";
import { isTruncated } from "./files/truncated.ts";
import { encode } from "./sharp/encode.ts";
import { translated } from "./sharp/errors.ts";
import { openPicture } from "./sharp/open.ts";

/** Images whose codecs only ffmpeg has: animated AVIF, with transparency, and JPEG-LS. */
export const avifEngine: Engine = {
  name: "avif",
  version: async () => {
    const run = { program: "ffmpeg", arguments: ["-version"], folder: "/", timeoutMs: 10_000 };
    return /version (\S+)/.exec((await runProgram(run)).stdout.toString("latin1"))?.[1] ?? "unknown";
  },
  convert: async (task) => {
    if (task.from === "jls") {
      return readJpegLs(task);
    }
    return task.from === "avif" ? readFrames(task) : write(task);
  },
};

const write = async (task: EngineTask): Promise<EngineResult> => {
  try {
    // An animated PNG has the same features, so the frames are prepared as for one.
    const opened = await openPicture({ ...task, to: "apng" });
    const { delay } = opened.animation ?? opened.plan;
    if (delay.length > 1) {
      return { warnings: [...opened.warnings, ...(await writeFrames(opened, task))] };
    }
    const still = await openPicture(task);
    return { warnings: [...still.warnings, ...(await encode(still, task))] };
  } catch (error) {
    throw translated(error, task.from);
  }
};

const readJpegLs = async ({ input, output, folder, from }: EngineTask): Promise<EngineResult> => {
  if (await isTruncated(input, from)) {
    throw new JobError("source_corrupt", `The ${formatOf(from).name} is truncated.`);
  }
  const reading = ["-max_pixels", String(PICTURE_PIXELS_MAX), "-f", "jpegls_pipe", "-i", `file:${input}`];
  const writing = ["-map", "0:v:0", "-frames:v", "1", "-c:v", "png", "-f", "image2", "-update", "1", `file:${output}`];
  const isRead = await runFfmpeg([...reading, ...writing], folder);
  if (!isRead) {
    throw new JobError("source_corrupt", `The ${formatOf(from).name} could not be read.`);
  }
  return { warnings: [] };
};
