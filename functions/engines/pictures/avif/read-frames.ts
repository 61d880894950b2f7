import { PICTURE_FRAMES_MAX } from "../../../domain/conversions/conversion-limits.ts";
import { checkPicture } from "../../../domain/conversions/picture-sizes.ts";
import { JobError } from "../../../domain/errors.ts";
import type { EngineResult, EngineTask } from "../../core/engine.ts";
import { runProgram } from "../../core/program.ts";
import { isTruncated } from "../files/truncated.ts";
import { runFfmpeg } from "./run.ts";

/** The color frames of an animated AVIF, and whether a second track contains their transparency. */
interface Sequence {
  readonly width: number;
  readonly height: number;
  readonly frames: number;
  readonly hasAlpha: boolean;
  /** Duration of the last frame in seconds. */
  readonly lastSeconds: number;
}

/**
 * Writes the frames of an animated AVIF as an animated PNG, with their durations and transparency.
 *
 * @throws JobError `source_corrupt`, `too_many_pixels`
 */
export const readFrames = async ({ input, output, folder }: EngineTask): Promise<EngineResult> => {
  if (await isTruncated(input, "avif")) {
    throw new JobError("source_corrupt", "The AVIF is truncated.");
  }
  const { hasAlpha, lastSeconds, ...size } = await sequenceIn(input, folder);
  checkPicture(size, size.frames);
  const merge = hasAlpha ? "[0:v:0]format=gbrp[c];[c][0:v:1]alphamerge,format=rgba" : "[0:v:0]format=rgb24";
  const isRead = await runFfmpeg(
    [
      ...["-f", "mov", "-i", `file:${input}`, "-filter_complex", `${merge}[frames]`, "-map", "[frames]"],
      ...["-vsync", "passthrough", "-plays", "0", "-final_delay", String(lastSeconds), "-f", "apng", `file:${output}`],
    ],
    folder,
  );
  if (!isRead) {
    throw corrupt();
  }
  return { warnings: [] };
};

/** The fields of ffprobe's report that are requested. */
interface Probed {
  readonly streams?: readonly Readonly<Record<string, unknown>>[];
  readonly packets?: readonly { readonly duration_time?: string }[];
}

const PROBE_MS_MAX = 20_000;

const sequenceIn = async (input: string, folder: string): Promise<Sequence> => {
  const entries = ["-show_entries", "stream=width,height,nb_frames,codec_name:packet=duration_time", "-of", "json"];
  const { code, stdout } = await runProgram({
    program: "ffprobe",
    arguments: ["-v", "quiet", "-f", "mov", ...entries, `file:${input}`],
    folder,
    timeoutMs: PROBE_MS_MAX,
  });
  const { streams = [], packets = [] }: Probed = code === 0 ? JSON.parse(String(stdout)) : {};
  const tracks = streams.filter(({ codec_name }) => codec_name === "av1");
  const [width, height, frames] = ["width", "height", "nb_frames"].map((name) => Number(tracks[0]?.[name] ?? 0)) as [
    number,
    number,
    number,
  ];
  if (width === 0 || !Number.isSafeInteger(frames)) {
    throw corrupt();
  }
  if (frames > PICTURE_FRAMES_MAX) {
    throw new JobError("too_many_pixels", `The AVIF has ${frames} frames; the limit is ${PICTURE_FRAMES_MAX}.`);
  }
  return {
    width,
    height,
    frames: Math.max(1, frames),
    hasAlpha: tracks.length > 1,
    lastSeconds: Number(packets.at(-1)?.duration_time ?? 0),
  };
};

const corrupt = (): JobError => new JobError("source_corrupt", "The frames of the AVIF could not be read.");
