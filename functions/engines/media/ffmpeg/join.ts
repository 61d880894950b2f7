import { FILM_PIXELS_MAX } from "../../../domain/conversions/conversion-limits.ts";
import { JobError } from "../../../domain/errors.ts";
import { type FormatId, formatOf } from "../../../domain/formats/formats.ts";
import type { EngineResult, EngineTask } from "../../core/engine.ts";
import { checkResult, checkSeconds, checkSource, secondsMaxOf } from "./checks.ts";
import { type Input, inputOf } from "./input.ts";
import { FRAMES_PER_SECOND, pictureEncoding } from "./picture.ts";
import { codecsOf, containerOf } from "./plan/sound-plan.ts";
import { OUTPUT_LIMIT, runFfmpeg } from "./run.ts";
import { argumentsFor, type Encoding } from "./settings.ts";
import { soundEncoding } from "./sound.ts";
import { type AudioTrack, filmOf, shownSize, soundsOf, type VideoTrack } from "./source.ts";
import { inputError } from "./stderr.ts";
import type { Plan, Wanted } from "./task.ts";

/** A recording to append. */
interface Section extends Input {
  readonly from: FormatId;
  readonly film: VideoTrack | undefined;
  readonly sound: AudioTrack | undefined;
  readonly seconds: number;
}

/**
 * Joins recordings in order. Pictures are fitted into the frame of the first film, with borders, and get its frame rate;
 * sound gets the rate and the channels of the first sound. A film without sound is silent for its duration.
 *
 * @throws JobError for the sources, with the number of the file; `too_long` for the sum of their durations
 */
export const joinRecordings = async (task: EngineTask): Promise<EngineResult> => {
  const files = [{ path: task.input, from: task.from }, ...task.further];
  const sections: Section[] = [];
  for (const [index, { path, from }] of files.entries()) {
    sections.push(
      await sectionOf({ ...task, input: path, from }).catch((error: unknown) => {
        throw error instanceof JobError
          ? new JobError(error.code, `File ${index + 1}: ${error.message}`, { cause: error })
          : error;
      }),
    );
  }
  const { plan, wanted } = planned(task, sections);
  checkSeconds(wanted, plan);
  const ran = await runFfmpeg({
    arguments: [
      ...sections.flatMap(({ opening }) => ["-max_pixels", String(FILM_PIXELS_MAX), ...opening]),
      ...[...plan.writing, ...OUTPUT_LIMIT, `file:${task.output}`],
    ],
    folder: task.folder,
    secondsMax: secondsMaxOf(wanted, plan) + 1,
    onSeconds: (seconds) => task.progress(Math.min(1, seconds / (plan.seconds ?? Number.POSITIVE_INFINITY))),
  });
  if (ran.code !== 0) {
    throw inputError(ran.stderr, task.from) ?? new Error(`ffmpeg exited with ${ran.code}: ${ran.stderr.slice(-2_000)}`);
  }
  const warnings = await checkResult({ path: task.output, folder: task.folder, ran }, wanted, plan);
  return { warnings: [...plan.warnings, ...warnings] };
};

const sectionOf = async (task: EngineTask): Promise<Section> => {
  const input = await inputOf(task);
  const { source } = input;
  checkSource(source, task.from);
  const [film, [sound]] = [isFilm(task) ? filmOf(source) : undefined, soundsOf(source)];
  const seconds = source.seconds ?? film?.seconds ?? sound?.seconds;
  const { name } = formatOf(task.from);
  if (isFilm(task) ? film === undefined : sound === undefined) {
    const missing = isFilm(task) ? "video" : "decodable audio";
    throw new JobError("unsupported_feature", `The ${name} file has no ${missing}.`);
  }
  if (seconds === undefined) {
    throw new JobError("unsupported_feature", `The ${name} file does not declare its duration.`);
  }
  return { ...input, from: task.from, film, sound, seconds };
};

const isFilm = ({ to }: Pick<EngineTask, "to">): boolean => formatOf(to).family === "video";

const planned = (task: EngineTask, sections: readonly Section[]): { readonly plan: Plan; readonly wanted: Wanted } => {
  const { from, to, options } = task;
  const seconds = sections.reduce((sum, section) => sum + section.seconds, 0);
  const film = sections[0]?.film;
  const sound = sections.find((section) => section.sound !== undefined)?.sound;
  const codecs = codecsOf({ to });
  const picture =
    film &&
    codecs.video &&
    pictureEncoding(codecOf(options.video_codec) ?? codecs.video.codec, film, { options, seconds });
  const heard = sound && soundEncoding(codecOf(options.audio_codec) ?? codecs.audio.codec, sound, options);
  const writing = [
    ...["-filter_complex", graphOf(sections, { film, sound, picture, heard })],
    ...(picture ? ["-map", "[v]", ...argumentsFor({ ...picture, filters: [] }, "v:0")] : []),
    ...(heard ? ["-map", "[a]", ...argumentsFor({ ...heard, filters: [] }, "a:0")] : []),
    ...["-map_metadata", "-1", "-map_chapters", "-1", "-max_muxing_queue_size", "4096", ...containerOf({ to }).muxer],
  ];
  const plan: Plan = {
    reading: [],
    writing,
    holds: [...(picture ? (["video"] as const) : []), ...(heard ? (["audio"] as const) : [])],
    seconds,
    warnings: [...(picture?.warnings ?? []), ...(heard?.warnings ?? [])],
  };
  const source = sections[0]?.source ?? { seconds, tracks: [], chapters: 0, tags: {} };
  return { plan, wanted: { source, from, to, options, copies: false, covers: false } };
};

/** `copy` is not offered for several files. */
const codecOf = <Name extends string>(name: Name | "copy" | undefined): Exclude<Name, "copy"> | undefined =>
  name === "copy" ? undefined : (name as Exclude<Name, "copy"> | undefined);

interface Joined {
  readonly film: VideoTrack | undefined;
  readonly sound: AudioTrack | undefined;
  readonly picture: Encoding | undefined;
  readonly heard: Encoding | undefined;
}

const graphOf = (sections: readonly Section[], { film, sound, picture, heard }: Joined): string => {
  const pictures = film === undefined ? [] : sections.map((section, index) => pictureChain(section, index, film));
  const sounds = sound === undefined ? [] : sections.map((section, index) => soundChain(section, index, sound));
  const labels = sections.map((_, index) => `${film ? `[v${index}]` : ""}${sound ? `[a${index}]` : ""}`).join("");
  const kinds = `v=${film ? 1 : 0}:a=${sound ? 1 : 0}${film ? "[film]" : ""}${sound ? "[sound]" : ""}`;
  return [
    ...pictures,
    ...sounds,
    `${labels}concat=n=${sections.length}:${kinds}`,
    ...(picture ? [`[film]${picture.filters.join(",") || "null"}[v]`] : []),
    ...(heard ? [`[sound]${heard.filters.join(",") || "anull"}[a]`] : []),
  ].join(";");
};

const pictureChain = ({ film }: Section, index: number, first: VideoTrack): string => {
  const { width, height } = shownSize(first);
  const [across, down] = [width + (width % 2), height + (height % 2)];
  const filters = [
    `scale=${across}:${down}:force_original_aspect_ratio=decrease`,
    `pad=${across}:${down}:(ow-iw)/2:(oh-ih)/2`,
    ...["setsar=1", `fps=${first.framesPerSecond ?? FRAMES_PER_SECOND}`, "format=yuv420p", "settb=AVTB"],
  ];
  return `[${index}:${film?.index ?? 0}]${filters.join(",")}[v${index}]`;
};

const LAYOUTS = ["mono", "stereo", "3.0", "quad", "5.0", "5.1", "6.1", "7.1"];

const soundChain = ({ sound, film, seconds }: Section, index: number, first: AudioTrack): string => {
  const layout = LAYOUTS[first.channels - 1] ?? "stereo";
  const form = `aresample=${first.rate},aformat=sample_fmts=fltp:channel_layouts=${layout}`;
  const source =
    sound === undefined
      ? `anullsrc=r=${first.rate}:cl=${layout},atrim=duration=${film?.seconds ?? seconds},`
      : `[${index}:${sound.index}]`;
  return `${source}${form},asettb=1/${first.rate}[a${index}]`;
};
