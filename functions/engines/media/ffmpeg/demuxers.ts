import { open } from "node:fs/promises";
import type { FormatId } from "../../../domain/formats/formats.ts";
import { rowFor } from "../../core/engine.ts";

/**
 * The only demuxer for a format. By default ffmpeg guesses the format from the bytes and opens playlists as video: an
 * HLS playlist named `.avi` would read other files.
 */
const DEMUXERS: Partial<Record<FormatId, string>> = {
  mp3: "mp3",
  mp2: "mp3",
  m4a: "mov",
  m4b: "mov",
  aac: "aac",
  ogg: "ogg",
  opus: "ogg",
  spx: "ogg",
  flac: "flac",
  wav: "wav",
  w64: "w64",
  aiff: "aiff",
  caf: "caf",
  au: "au",
  wma: "asf",
  ac3: "ac3",
  eac3: "eac3",
  dts: "dts",
  amr: "amr",
  ape: "ape",
  wv: "wv",
  tta: "tta",
  mka: "matroska",
  dsf: "dsf",
  mod: "libopenmpt",
  xm: "libopenmpt",
  it: "libopenmpt",
  s3m: "libopenmpt",
  voc: "voc",
  shn: "shn",
  mp4: "mov",
  m4v: "mov",
  mov: "mov",
  "3gp": "mov",
  "3g2": "mov",
  mkv: "matroska",
  webm: "matroska",
  avi: "avi",
  flv: "flv",
  wmv: "asf",
  asf: "asf",
  mpg: "mpeg",
  vob: "mpeg",
  ts: "mpegts",
  m2ts: "mpegts",
  ogv: "ogg",
  mxf: "mxf",
  rm: "rm",
  y4m: "yuv4mpegpipe",
  dv: "dv",
  gif: "gif",
};

/** For formats with two kinds of files: an MPEG elementary stream starts with a sequence header. */
const SEQUENCE = "000001b3";

/** @returns the demuxer for the file, whose format was detected from its content */
export const demuxerOf = async (path: string, from: FormatId): Promise<string> => {
  const demuxer = rowFor(DEMUXERS, from, "ffmpeg");
  return demuxer === "mpeg" && (await startOf(path)) === SEQUENCE ? "mpegvideo" : demuxer;
};

const startOf = async (path: string): Promise<string> => {
  const file = await open(path);
  try {
    const { buffer } = await file.read(Buffer.alloc(SEQUENCE.length / 2));
    return buffer.toString("hex");
  } finally {
    await file.close();
  }
};

/** Maximum streams of a file; ffmpeg's own limit is 1,000. */
const STREAMS_MAX = 64;

/** @returns the arguments that open the file only as its detected format */
export const opening = (path: string, demuxer: string): string[] => [
  ...["-f", demuxer, "-format_whitelist", demuxer, "-protocol_whitelist", "file"],
  ...["-max_streams", String(STREAMS_MAX), "-i", `file:${path}`],
];
