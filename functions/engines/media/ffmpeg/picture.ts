import {
  type VideoCodec,
  type VideoCodecName,
  videoCodecs,
} from "../../../domain/conversions/by-engine/media/codecs.ts";
import type { Options } from "../../../domain/conversions/options.ts";
import { framing } from "./framing.ts";
import type { Encoding, Setting } from "./settings.ts";
import type { VideoTrack } from "./source.ts";

/** How a video codec is written; `videoCodecs` has its constant rate factor. Names are ffmpeg's. */
interface PictureCodec {
  /** They include the quality if the codec has no constant rate factor. */
  readonly settings: readonly Setting[];
  /** Slower settings with smaller output, for videos with at most this many pixels in all frames. */
  readonly short?: { readonly pixelsMax: number; readonly settings: readonly Setting[] };
  /** Supported frame rates. @default any */
  readonly rates?: readonly number[];
  /** @default yuv420p: supported by every player */
  readonly pixels?: string;
  readonly sidePixelsMin?: number;
}

/** Assumed if the file does not declare its frame rate. */
export const FRAMES_PER_SECOND = 30;

const FILM_RATES = [24_000 / 1_001, 24, 25, 30_000 / 1_001, 30, 50, 60_000 / 1_001, 60];

/**
 * Presets are the fastest ones whose output is not much larger: an hour of 1080p must fit into the lane's time limit.
 */
const pictureCodecs = {
  h264: {
    settings: [
      ["c", "libx264"],
      ["preset", "veryfast"],
    ],
  },
  hevc: {
    settings: [
      ["c", "libx265"],
      ["preset", "veryfast"],
      ["x265-params", "log-level=error"],
    ],
  },
  vp9: {
    settings: [
      ["c", "libvpx-vp9"],
      ["deadline", "realtime"],
      ["cpu-used", "6"],
      ["row-mt", "1"],
    ],
    // A third smaller at the same quality, in four times the CPU time: 6 million pixels per second and core, measured
    // with noisy video. 16 s of 1080p at 30 frames per second take up to 170 s, of the 840 s of the lane.
    short: {
      pixelsMax: 1e9,
      settings: [
        ["c", "libvpx-vp9"],
        ["deadline", "good"],
        ["cpu-used", "4"],
        ["row-mt", "1"],
      ],
    },
  },
  av1: {
    settings: [
      ["c", "libsvtav1"],
      ["preset", "10"],
    ],
    sidePixelsMin: 64,
  },
  mpeg4: {
    settings: [
      ["c", "mpeg4"],
      ["q", "3"],
    ],
  },
  mpeg2: {
    settings: [
      ["c", "mpeg2video"],
      ["q", "3"],
      ["maxrate", "9000000"],
      ["bufsize", "1835008"],
    ],
    rates: FILM_RATES,
  },
  theora: {
    settings: [
      ["c", "libtheora"],
      ["q", "7"],
    ],
  },
  wmv2: {
    settings: [
      ["c", "wmv2"],
      ["q", "3"],
    ],
  },
  prores: {
    settings: [
      ["c", "prores_ks"],
      ["profile", "standard"],
    ],
    pixels: "yuv422p10le",
  },
} as const satisfies Record<VideoCodecName, PictureCodec>;

/** @returns the encoding of the video */
export const pictureEncoding = (
  name: VideoCodecName,
  track: VideoTrack,
  { options, seconds }: { readonly options: Options; readonly seconds: number | undefined },
): Encoding => {
  const codec: PictureCodec = pictureCodecs[name];
  const { filters, warnings, size } = framing(track, options, { even: true });
  const rate = rateFor(codec, track, options);
  const frames = (rate ?? track.framesPerSecond ?? FRAMES_PER_SECOND) * (seconds ?? Number.POSITIVE_INFINITY);
  const { short } = codec;
  const isShort = short !== undefined && size.width * size.height * frames <= short.pixelsMax;
  const rgb = RGB.test(track.pixels);
  return {
    settings: [
      ...(isShort ? short.settings : codec.settings),
      ...amount(videoCodecs[name], options),
      ...(rgb ? BT709 : []),
    ],
    filters: [
      ...filters,
      ...(rate === undefined ? [] : [`fps=${rate}`]),
      ...(rgb ? ["scale=out_color_matrix=bt709:out_range=tv"] : []),
      `format=${codec.pixels ?? "yuv420p"}`,
    ],
    warnings,
  };
};

/** Converts RGB to the color space that players assume by default, and tags the stream with it. */
const RGB = /^(?:rgb|bgr|argb|abgr|gbr|pal8)/;
const BT709: readonly Setting[] = [
  ["colorspace", "bt709"],
  ["color_primaries", "bt709"],
  ["color_trc", "bt709"],
];

/** A requested bit rate takes precedence over quality; VP9 applies quality only with a bit rate of 0. */
const amount = ({ crf }: VideoCodec, options: Options): Setting[] => {
  if (options.video_bitrate !== undefined) {
    return [["b", `${options.video_bitrate}k`]];
  }
  return crf === undefined
    ? []
    : [
        ["crf", String(options.crf ?? crf.default)],
        ["b", "0"],
      ];
};

const rateFor = ({ rates }: PictureCodec, track: VideoTrack, { fps }: Options): number | undefined => {
  const wanted = fps ?? track.framesPerSecond ?? 25;
  const nearest = rates?.toSorted((one, other) => Math.abs(one - wanted) - Math.abs(other - wanted))[0];
  return nearest ?? fps;
};
