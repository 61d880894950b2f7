import { open } from "node:fs/promises";
import type { FormatId } from "../../domain/formats.ts";

/**
 * The one demuxer that reads a format. Left to itself ffmpeg guesses it from the bytes, and takes a playlist for a film:
 * an HLS list that is called `.avi` reads other files.
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

/** Where one format has two kinds of files: a film of MPEG without its packets begins with a sequence. */
const SEQUENCE = "000001b3";

/** @returns the demuxer that reads the file, whose format our own detection told from its bytes */
export const demuxerOf = async (path: string, from: FormatId): Promise<string> => {
  const demuxer = DEMUXERS[from];
  if (demuxer === undefined) {
    throw new TypeError(`ffmpeg does not read ${from}.`);
  }
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

/** Streams that a file may have; ffmpeg itself ends at 1,000. */
const STREAMS_MAX = 64;

/** @returns the arguments that open the file as what it is, and nothing else */
export const opening = (path: string, demuxer: string): string[] => [
  ...["-f", demuxer, "-format_whitelist", demuxer, "-protocol_whitelist", "file"],
  ...["-max_streams", String(STREAMS_MAX), "-i", `file:${path}`],
];
