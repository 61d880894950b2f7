import { JobError } from "../../../domain/errors.ts";
import type { FormatId } from "../../../domain/formats/formats.ts";
import { runProgram } from "../../core/program.ts";
import { demuxerOf, opening } from "./demuxers.ts";
import type { Source, Tags, Track } from "./source.ts";
import { inputError } from "./stderr.ts";

const PROGRAM = "ffprobe";

/** Timeout in milliseconds for probing the start of a file: a long index takes some seconds. */
const TIMEOUT_MS = 60_000;

/** Maximum bytes of ffprobe output: a thousand chapters take 300 kB. */
const PROBE_BYTES_MAX = 8_000_000;

/** Requested sections and their fields. */
const SHOWN = [
  "format=duration",
  "format_tags",
  "stream=index,codec_type,codec_name,codec_tag_string,duration,bit_rate,width,height,sample_aspect_ratio,pix_fmt," +
    "avg_frame_rate,r_frame_rate,color_transfer,color_primaries,color_space," +
    "field_order,sample_rate,channels,channel_layout,sample_fmt,bits_per_raw_sample," +
    "bits_per_sample",
  "stream_disposition=attached_pic,default",
  "stream_tags",
  "stream_side_data=rotation",
  "chapter=id",
].join(":");

/** @throws JobError `source_corrupt`, `unsupported_feature` */
export const probe = async (
  { path, folder }: { readonly path: string; readonly folder: string },
  format: FormatId,
): Promise<Source> => {
  const { code, stdout, stderr } = await runProgram({
    program: PROGRAM,
    arguments: ["-v", "error", "-of", "json", "-show_entries", SHOWN, ...opening(path, await demuxerOf(path, format))],
    folder,
    timeoutMs: TIMEOUT_MS,
    outputBytesMax: PROBE_BYTES_MAX,
  });
  const source = code === 0 ? sourceOf(JSON.parse(stdout.toString("utf8"))) : undefined;
  if (source === undefined || source.tracks.length === 0) {
    throw inputError(stderr, format) ?? new JobError("source_corrupt", "No audio or video was found in the file.");
  }
  return source;
};

/** ffprobe's output; all fields are optional, and some numbers are strings. */
interface Shown {
  readonly [field: string]: unknown;
}

const sourceOf = (shown: unknown): Source => {
  const { format, streams, chapters } = fields(shown);
  return {
    seconds: positive(fields(format).duration),
    tags: tagsOf(fields(format).tags),
    chapters: listOf(chapters).length,
    tracks: listOf(streams).flatMap(trackOf),
  };
};

const trackOf = (shown: Shown): Track[] => {
  const { isDefault, isCover } = dispositionOf(shown);
  const track = {
    index: number(shown.index),
    codec: text(shown.codec_name) || "unknown",
    tag: text(shown.codec_tag_string),
    seconds: positive(shown.duration),
    bitsPerSecond: positive(shown.bit_rate),
    isDefault,
    tags: tagsOf(shown.tags),
  };
  const kind = text(shown.codec_type);
  if (kind === "video") {
    return [{ ...track, ...pictureOf(shown), kind, isCover }];
  }
  if (kind === "audio") {
    const [rate, channels] = [number(shown.sample_rate), number(shown.channels)];
    const bits = number(shown.bits_per_raw_sample) || number(shown.bits_per_sample);
    const isPlaced = !/^(?:unknown|\d+ channels)?$/.test(text(shown.channel_layout));
    return [{ ...track, kind, rate, channels, isPlaced, samples: text(shown.sample_fmt), bits }];
  }
  return kind === "subtitle" || kind === "attachment" ? [{ ...track, kind }] : [{ ...track, kind: "data" }];
};

const dispositionOf = (shown: Shown) => {
  const { default: marked, attached_pic } = fields(shown.disposition);
  return { isDefault: marked === 1, isCover: attached_pic === 1 };
};

const pictureOf = (shown: Shown) => ({
  width: number(shown.width),
  height: number(shown.height),
  aspect: ratio(shown.sample_aspect_ratio, ":") ?? 1,
  // ffprobe counts counterclockwise.
  turned: (360 - ((Math.round(rotationOf(shown) / 90) * 90) % 360)) % 360,
  framesPerSecond: ratio(shown.avg_frame_rate, "/") ?? ratio(shown.r_frame_rate, "/"),
  pixels: text(shown.pix_fmt),
  transfer: text(shown.color_transfer),
  primaries: text(shown.color_primaries),
  matrix: text(shown.color_space),
  isInterlaced: ["tt", "bb", "tb", "bt"].includes(text(shown.field_order)),
});

const rotationOf = (shown: Shown): number =>
  listOf(shown.side_data_list)
    .map(({ rotation }) => number(rotation))
    .find((rotation) => rotation !== 0) ?? 0;

const fields = (value: unknown): Shown => (typeof value === "object" && value !== null ? { ...value } : {});

const listOf = (value: unknown): Shown[] => (Array.isArray(value) ? value.map(fields) : []);

const text = (value: unknown): string => (typeof value === "string" ? value : "");

const number = (value: unknown): number => {
  const found = Number(value ?? 0);
  return Number.isFinite(found) ? found : 0;
};

const positive = (value: unknown): number | undefined => (number(value) > 0 ? number(value) : undefined);

const ratio = (value: unknown, sign: string): number | undefined => {
  const [over = 0, under = 0] = text(value).split(sign).map(Number);
  return over > 0 && under > 0 ? over / under : undefined;
};

const tagsOf = (value: unknown): Tags =>
  Object.fromEntries(Object.entries(fields(value)).map(([name, tag]) => [name.toLowerCase(), text(tag)]));
