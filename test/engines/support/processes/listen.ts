import { type ExecFileSyncOptions, execFileSync } from "node:child_process";

/** Inspects recordings and videos with ffprobe, and decodes them to raw samples and pixels. */

/** Errors of the programs show up in their output. */
const QUIET: ExecFileSyncOptions = { maxBuffer: 200_000_000, stdio: ["ignore", "pipe", "ignore"] };

const bytesOf = (parameters: string[]): Buffer => Buffer.from(execFileSync("ffmpeg", parameters, QUIET));

export interface Heard {
  readonly codec: string;
  readonly rate: number;
  readonly channels: number;
  readonly isCover: boolean;
  readonly kind: string;
  readonly tag: string;
  readonly width: number;
  readonly height: number;
  readonly pixels: string;
  readonly depth: string;
  readonly packets: number;
}

export interface Probed {
  readonly seconds: number;
  readonly tags: Readonly<Record<string, string>>;
  readonly streams: readonly Heard[];
  readonly chapters: readonly string[];
}

/** @returns ffprobe's report about a file */
export const probed = (path: string, ...options: string[]): Probed => {
  const shown = ["-v", "error", "-of", "json", "-show_format", "-show_streams", "-show_chapters", "-count_packets"];
  const output = execFileSync("ffprobe", [...shown, ...options, path], QUIET);
  const { format, streams, chapters } = JSON.parse(output.toString());
  const tags = { ...streams.find(({ codec_type }: { codec_type: string }) => codec_type === "audio")?.tags };
  return {
    seconds: Number(format.duration ?? 0),
    tags: lower({ ...tags, ...format.tags }),
    chapters: chapters.map((chapter: { tags?: { title?: string } }) => chapter.tags?.title ?? ""),
    streams: streams.map((stream: Record<string, unknown>) => ({
      codec: String(stream.codec_name),
      rate: Number(stream.sample_rate),
      channels: Number(stream.channels),
      isCover: Object(stream.disposition).attached_pic === 1,
      kind: String(stream.codec_type),
      tag: String(stream.codec_tag_string),
      width: Number(stream.width),
      height: Number(stream.height),
      pixels: String(stream.pix_fmt),
      depth: `${stream.sample_fmt} ${stream.bits_per_raw_sample ?? ""}`.trim(),
      packets: Number(stream.nb_read_packets),
    })),
  };
};

const lower = (tags: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(tags).map(([name, tag]) => [name.toLowerCase(), tag]));

/** Sample rate of decoded recordings. */
export const HEARD_HZ = 8_000;

/** @returns the samples of both channels, -1 to 1 */
export const samplesOf = (path: string): { left: Float32Array; right: Float32Array } => {
  const raw = bytesOf([
    "-v",
    "error",
    "-i",
    path,
    "-map",
    "0:a:0",
    "-f",
    "f32le",
    "-ac",
    "2",
    "-ar",
    String(HEARD_HZ),
    "-",
  ]);
  const all = new Float32Array(raw.buffer.slice(raw.byteOffset, raw.byteOffset + raw.length));
  const ear = (first: number) => all.filter((_, index) => index % 2 === first);
  return { left: ear(0), right: ear(1) };
};

/** @returns the amplitude of one frequency in the middle half of the samples (Goertzel) */
export const loudness = (samples: Float32Array, hertz: number): number => {
  const part = samples.subarray(samples.length / 4, (samples.length * 3) / 4);
  const turn = (2 * Math.PI * hertz) / HEARD_HZ;
  let [before, last] = [0, 0];
  for (const sample of part) {
    [before, last] = [last, sample + 2 * Math.cos(turn) * last - before];
  }
  const power = before ** 2 + last ** 2 - 2 * Math.cos(turn) * before * last;
  return (2 * Math.sqrt(Math.max(0, power))) / part.length;
};

export interface Shown {
  readonly width: number;
  readonly height: number;
  readonly pixels: Buffer;
}

/** @returns the RGB pixels of the frame at a time, as a player shows it */
export const frameAt = (path: string, seconds: number, size = { width: 128, height: 96 }): Shown => {
  const scaled = `scale=${size.width}:${size.height}`;
  const pixels = bytesOf([
    ...["-v", "error", "-ss", String(seconds), "-i", path, "-frames:v", "1", "-vf", scaled],
    ...["-f", "rawvideo", "-pix_fmt", "rgb24", "-"],
  ]);
  return { ...size, pixels };
};

/** @returns the color at fractions of width and height */
export const colorAt = ({ width, height, pixels }: Shown, across: number, down: number): number[] => {
  const at = (Math.floor(down * height) * width + Math.floor(across * width)) * 3;
  return [...pixels.subarray(at, at + 3)];
};
