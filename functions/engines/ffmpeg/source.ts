/** What ffprobe tells of a file. */
export interface Source {
  /** Seconds; undefined where the format does not say. */
  readonly seconds: number | undefined;
  readonly tracks: readonly Track[];
  readonly chapters: number;
  readonly tags: Tags;
}

export type Tags = Readonly<Record<string, string>>;

export type Track = VideoTrack | AudioTrack | OtherTrack;

interface AnyTrack {
  /** Number of the stream in the file. */
  readonly index: number;
  /** As ffmpeg calls it: `h264`, `pcm_s16le`; `unknown` where it does not know it. */
  readonly codec: string;
  readonly tag: string;
  readonly seconds: number | undefined;
  readonly bitsPerSecond: number | undefined;
  readonly isDefault: boolean;
  readonly tags: Tags;
}

export interface VideoTrack extends AnyTrack {
  readonly kind: "video";
  /** A picture of the sleeve, and no film. */
  readonly isCover: boolean;
  /** Of a frame as it is stored: neither turned nor stretched. */
  readonly width: number;
  readonly height: number;
  /** Width of a pixel by its height. */
  readonly aspect: number;
  /** Degrees clockwise that a player turns it by: 0, 90, 180, 270. */
  readonly turned: number;
  readonly framesPerSecond: number | undefined;
  readonly pixels: string;
  /** How values stand for light: `smpte2084` and `arib-std-b67` are HDR. */
  readonly transfer: string;
  readonly isInterlaced: boolean;
}

export interface AudioTrack extends AnyTrack {
  readonly kind: "audio";
  readonly rate: number;
  readonly channels: number;
  /** Whether the file says which channel is where. */
  readonly isPlaced: boolean;
  readonly samples: string;
  /** Bits of a sample, where it has exact ones. */
  readonly bits: number;
}

export interface OtherTrack extends AnyTrack {
  readonly kind: "subtitle" | "data" | "attachment";
}

/** @returns the film: the stream that is marked, else the first. A cover is none. */
export const filmOf = ({ tracks }: Source): VideoTrack | undefined => {
  const films = tracks.filter((track) => track.kind === "video").filter(({ isCover }) => !isCover);
  return films.find(({ isDefault }) => isDefault) ?? films[0];
};

export const coverOf = ({ tracks }: Source): VideoTrack | undefined =>
  tracks.filter((track) => track.kind === "video").find(({ isCover }) => isCover);

/** @returns the tracks of sound that can be decoded, the one that is played first */
export const soundsOf = ({ tracks }: Source): AudioTrack[] =>
  tracks
    .filter((track) => track.kind === "audio")
    .filter(({ codec, channels }) => codec !== "unknown" && channels > 0)
    .toSorted((one, other) => Number(other.isDefault) - Number(one.isDefault));

const TEXTS = ["subrip", "ass", "ssa", "mov_text", "webvtt", "text"];

export const subtitlesOf = ({ tracks }: Source): OtherTrack[] =>
  tracks.filter((track): track is OtherTrack => track.kind === "subtitle");

/** @returns the subtitles that are text, and not pictures of it */
export const textsOf = (source: Source): OtherTrack[] =>
  subtitlesOf(source)
    .filter(({ codec }) => TEXTS.includes(codec))
    .toSorted((one, other) => Number(other.isDefault) - Number(one.isDefault));

/** Size of a frame as it is shown: turned, with square pixels. */
export const shownSize = ({ width, height, aspect, turned }: VideoTrack): { width: number; height: number } => {
  const wide = Math.max(1, Math.round(width * aspect));
  return turned % 180 === 0 ? { width: wide, height } : { width: height, height: wide };
};
