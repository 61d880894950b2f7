import { join } from "node:path";
import { messagesOf, run } from "../tools.ts";
import { hasContent } from "./pictures.ts";
import type { Reader, Sound } from "./reading.ts";
import { mediaTraits } from "./traits.ts";

/** Reads sound and films by ffmpeg: durations, loudness, tags, and frames at three times. */

interface Probe {
  readonly streams: readonly {
    readonly codec_type: string;
    readonly disposition?: Readonly<Record<string, number>>;
    readonly tags?: Readonly<Record<string, string>>;
  }[];
  readonly chapters?: readonly unknown[];
  readonly format: { readonly duration?: string; readonly tags?: Readonly<Record<string, string>> };
}

const probe = async (path: string): Promise<Probe> =>
  JSON.parse(
    await run("ffprobe", [..."-v error -show_format -show_streams -show_chapters -of json".split(" "), path]),
  ) as Probe;

const TAGS = ["title", "artist", "album", "album_artist", "genre", "date", "track", "composer"];

/** Tags of the container or of its first stream, as most players show them. */
const tagsOf = ({ format, streams }: Probe): string[] => {
  const all = Object.entries({ ...streams[0]?.tags, ...format.tags });
  const tags = new Map(all.map(([name, value]) => [name.toLowerCase(), value]));
  return TAGS.filter((name) => (tags.get(name) ?? "").trim() !== "").map((name) => {
    const value = tags.get(name) ?? "";
    return `${name}=${name === "track" ? Number.parseInt(value, 10) : name === "date" ? value.slice(0, 4) : value.trim()}`;
  });
};

/** Decodes the first sound. @returns undefined if there is none */
const soundOf = async (path: string): Promise<Sound | undefined> => {
  const measured = await messagesOf("ffmpeg", [
    ..."-nostdin -i".split(" "),
    path,
    ..."-map 0:a:0? -af volumedetect -f null -".split(" "),
  ]);
  const [time] = [...measured.matchAll(/time=(\d+):(\d+):([\d.]+)/gu)].slice(-1);
  const loudness = /mean_volume: (-?[\d.]+) dB/u.exec(measured)?.[1];
  if (time === undefined || loudness === undefined) {
    return undefined;
  }
  return { seconds: 3_600 * Number(time[1]) + 60 * Number(time[2]) + Number(time[3]), loudness: Number(loudness) };
};

export const readSound: Reader = async ({ paths: [path = ""] }) => {
  const sound = await soundOf(path);
  if (sound === undefined) {
    throw new Error("The file has no sound.");
  }
  const found = await probe(path);
  return { tokens: tagsOf(found), sound, traits: mediaTraits(found) };
};

const MOMENTS = [0.1, 0.5, 0.9];
/** With square pixels. */
const SQUARE = "scale=iw*sar:ih,setsar=1,scale=320:-2";

export const readFilm: Reader = async ({ paths: [path = ""], folder }) => {
  const found = await probe(path);
  const seconds = Number(found.format.duration ?? 0);
  const pictures: string[] = [];
  const isSeen = found.streams.some(({ codec_type: type }) => type === "video");
  for (const [index, share] of isSeen ? MOMENTS.entries() : []) {
    const picture = join(folder, `frame-${index}.png`);
    const at = (share * seconds).toFixed(3);
    await run("ffmpeg", ["-v", "error", "-y", "-ss", at, "-i", path, "-frames:v", "1", "-vf", SQUARE, picture]);
    pictures.push(...((await hasContent(picture)) ? [picture] : []));
  }
  const isSounding = found.streams.some(({ codec_type: type }) => type === "audio");
  const sound = isSounding ? await soundOf(path) : undefined;
  return {
    tokens: isSounding ? ["sound"] : [],
    pictures,
    traits: mediaTraits(found),
    ...(sound !== undefined && { sound }),
  };
};
