import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { VIDEO_SECONDS_MAX } from "../../../domain/conversions/conversion-limits.ts";
import { sizedOptions } from "../../../domain/conversions/picture-changes.ts";
import { JobError } from "../../../domain/errors.ts";
import { formatOf } from "../../../domain/formats/formats.ts";
import type { Warning } from "../../../domain/warning.ts";
import { writeZip } from "../../archives/zip/writer.ts";
import type { EngineResult, EngineTask } from "../../core/engine.ts";
import { type Extra, encoded } from "../ffmpeg/encode.ts";
import type { Input } from "../ffmpeg/input.ts";
import { runFfmpeg } from "../ffmpeg/run.ts";
import { filmOf, soundsOf } from "../ffmpeg/source.ts";

/** Seconds of a segment. Apple recommends 6. */
const SEGMENT_SECONDS = 6;

/** Codecs that every player of HLS supports, in MPEG-2 transport streams. */
const CODECS = { video_codec: "h264", audio_codec: "aac" } as const;

/**
 * Writes a film as an HLS package: a ZIP with `master.m3u8`, and for each size a playlist and its segments. Streams in H.264
 * and AAC are copied if nothing changes them; several sizes are encoded with key frames at the same times, so that players
 * can switch between them.
 *
 * @throws JobError `unsupported_feature` without a video
 */
export const writeHls = async (task: EngineTask, input: Input, extra: Extra): Promise<EngineResult> => {
  if (filmOf(input.source) === undefined) {
    throw new JobError("unsupported_feature", `The ${formatOf(task.from).name} file has no video.`);
  }
  const { sizes, zip_content, ...options } = task.options;
  const renditions = sizes === undefined ? [options] : sizedOptions({ ...options, sizes }).map(([, sized]) => sized);
  const warnings: Warning[] = [];
  for (const [index, rendition] of renditions.entries()) {
    const result = await encoded(
      {
        ...task,
        to: "mp4",
        output: join(task.folder, nameOf(index)),
        options: { ...rendition, ...CODECS, subtitles: rendition.subtitles ?? "drop" },
        progress: (share) => task.progress((0.95 * (index + share)) / renditions.length),
      },
      input,
      { ...extra, keyFrameSeconds: SEGMENT_SECONDS },
    );
    warnings.push(...result.warnings);
  }
  await segment(task, renditions.length, soundsOf(input.source).length > 0);
  await zipPackage(task);
  return { warnings };
};

const nameOf = (index: number): string => `rendition-${index}.mp4`;

/** The folder of the package in that of the step. */
const PACKAGE = "hls";

const segment = async ({ folder }: EngineTask, count: number, hasSound: boolean): Promise<void> => {
  const numbers = Array.from({ length: count }, (_, index) => index);
  const { code, stderr } = await runFfmpeg({
    arguments: [
      ...numbers.flatMap((index) => ["-f", "mov", "-i", `file:${nameOf(index)}`]),
      ...numbers.flatMap((index) => ["-map", `${index}:v:0`, ...(hasSound ? ["-map", `${index}:a:0`] : [])]),
      ...["-c", "copy", "-f", "hls", "-hls_playlist_type", "vod", "-hls_time", String(SEGMENT_SECONDS)],
      ...["-hls_flags", "independent_segments", "-master_pl_name", "master.m3u8"],
      ...["-var_stream_map", numbers.map((index) => `v:${index}${hasSound ? `,a:${index}` : ""}`).join(" ")],
      ...["-hls_segment_filename", `${PACKAGE}/%v/segment-%04d.ts`, `${PACKAGE}/%v/playlist.m3u8`],
    ],
    folder,
    secondsMax: VIDEO_SECONDS_MAX * count,
  });
  if (code !== 0) {
    throw new Error(`ffmpeg could not write the HLS package: ${stderr.slice(-2_000)}`);
  }
  await Promise.all(numbers.map((index) => rm(join(folder, nameOf(index)))));
};

/** The playlists come first: a player can start before the archive is complete. */
const zipPackage = async ({ folder, output }: EngineTask): Promise<void> => {
  const root = join(folder, PACKAGE);
  const files = (await readdir(root, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(root.length + 1))
    .sort((one, other) => rank(one) - rank(other) || (one < other ? -1 : 1));
  await writeZip(
    output,
    files.map((path) => ({ path, file: join(root, path), stored: true })),
  );
};

const rank = (path: string): number => (path === "master.m3u8" ? 0 : path.endsWith(".m3u8") ? 1 : 2);
