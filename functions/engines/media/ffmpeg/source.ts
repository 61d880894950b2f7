import type { Warning } from "../../../domain/warning.ts";

/** ffprobe's report about a file. */
export interface Source {
  /** Seconds; undefined if the format does not declare them. */
  readonly seconds: number | undefined;
  readonly tracks: readonly Track[];
  readonly chapters: number;
  readonly tags: Tags;
}

export type Tags = Readonly<Record<string, string>>;

export type Track = VideoTrack | AudioTrack | OtherTrack;

interface AnyTrack {
  /** Index of the stream in the file. */
  readonly index: number;
  /** ffmpeg's name: `h264`, `pcm_s16le`; `unknown` if ffmpeg does not know the codec. */
  readonly codec: string;
  readonly tag: string;
  readonly seconds: number | undefined;
  readonly bitsPerSecond: number | undefined;
  readonly isDefault: boolean;
  readonly tags: Tags;
}

export interface VideoTrack extends AnyTrack {
  readonly kind: "video";
  /** Whether this is a cover picture, not a video. */
  readonly isCover: boolean;
  /** Size of the stored frame, before rotation and scaling. */
  readonly width: number;
  readonly height: number;
  /** Pixel width divided by pixel height. */
  readonly aspect: number;
  /** Degrees clockwise by which players rotate it: 0, 90, 180, 270. */
  readonly turned: number;
  readonly framesPerSecond: number | undefined;
  readonly pixels: string;
  /** Transfer function. */
  readonly transfer: string;
  /** Color primaries and matrix: `bt2020`, `bt2020nc`; `unknown` or empty if not declared. */
  readonly primaries: string;
  readonly matrix: string;
  readonly isInterlaced: boolean;
}

export interface AudioTrack extends AnyTrack {
  readonly kind: "audio";
  readonly rate: number;
  readonly channels: number;
  /** Whether the file declares its channel layout. */
  readonly isPlaced: boolean;
  readonly samples: string;
  /** Bits per sample, if exact. */
  readonly bits: number;
}

export interface OtherTrack extends AnyTrack {
  readonly kind: "subtitle" | "data" | "attachment";
}

/** @returns the video: the default stream, else the first. A cover does not count. */
export const filmOf = ({ tracks }: Source): VideoTrack | undefined => {
  const films = tracks.filter((track) => track.kind === "video").filter(({ isCover }) => !isCover);
  return films.find(({ isDefault }) => isDefault) ?? films[0];
};

const HDR_TRANSFERS = ["smpte2084", "arib-std-b67"];

/** @returns whether the video has a high dynamic range: PQ (HDR10, Dolby Vision) or HLG */
export const isHdr = ({ transfer }: VideoTrack): boolean => HDR_TRANSFERS.includes(transfer);

export const COVER_WARNING: Warning = {
  code: "cover_dropped",
  detail: "The cover picture was lost.",
};

export const coverOf = ({ tracks }: Source): VideoTrack | undefined =>
  tracks.filter((track) => track.kind === "video").find(({ isCover }) => isCover);

/** @returns the decodable audio tracks, default track first */
export const soundsOf = ({ tracks }: Source): AudioTrack[] =>
  tracks
    .filter((track) => track.kind === "audio")
    .filter(({ codec, channels }) => codec !== "unknown" && channels > 0)
    .toSorted((one, other) => Number(other.isDefault) - Number(one.isDefault));

const TEXTS = ["subrip", "ass", "ssa", "mov_text", "webvtt", "text"];

export const subtitlesOf = ({ tracks }: Source): OtherTrack[] =>
  tracks.filter((track): track is OtherTrack => track.kind === "subtitle");

/** @returns the text subtitles, without bitmap subtitles */
export const textsOf = (source: Source): OtherTrack[] =>
  subtitlesOf(source)
    .filter(({ codec }) => TEXTS.includes(codec))
    .toSorted((one, other) => Number(other.isDefault) - Number(one.isDefault));

/** Size of the displayed frame: rotated, with square pixels. */
export const shownSize = ({ width, height, aspect, turned }: VideoTrack): { width: number; height: number } => {
  const wide = Math.max(1, Math.round(width * aspect));
  return turned % 180 === 0 ? { width: wide, height } : { width: height, height: wide };
};
