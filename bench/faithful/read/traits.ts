import sharp from "sharp";
import type { Trait } from "../../../functions/domain/formats/format.ts";
import { run } from "../tools.ts";

/** Which features of the tables of formats a file has, as far as other programs report them. */
export type Traits = Readonly<Partial<Record<Trait, boolean>>>;

/** @param paths a picture, or the files of a result with several pages, in a format that sharp reads */
export const pictureTraits = async (paths: readonly string[]): Promise<Traits> => {
  const [path = ""] = paths;
  const { format, pages = 1, hasAlpha, icc } = await sharp(path, { limitInputPixels: 2 ** 28 }).metadata();
  const several = pages > 1 || paths.length > 1;
  const isOpaque = !hasAlpha || (await sharp(path, { limitInputPixels: 2 ** 28 }).stats()).isOpaque;
  return {
    alpha: !isOpaque,
    // A profile of sRGB says what pictures without one are anyway.
    color_profile: icc !== undefined && !/s\0?R\0?G\0?B/u.test(icc.toString("latin1")),
    ...(format === "tiff" ? { pages: several } : { frames: several }),
  };
};

/** @param path a printed document */
export const documentTraits = async (path: string): Promise<Traits> => ({
  // Two lines of head.
  pictures: (await run("pdfimages", ["-list", path])).trim().split("\n").length > 2,
});

interface Stream {
  readonly codec_type: string;
  readonly disposition?: Readonly<Record<string, number>>;
}

/** @param probed what ffprobe reports */
export const mediaTraits = (probed: {
  readonly streams: readonly Stream[];
  readonly chapters?: readonly unknown[];
}): Traits => {
  const has = (type: string, isCover: boolean): boolean =>
    probed.streams.some(
      ({ codec_type, disposition }) => codec_type === type && (disposition?.attached_pic === 1) === isCover,
    );
  return {
    sound: has("audio", false),
    moving_pictures: has("video", false),
    subtitles: has("subtitle", false),
    pictures: has("video", true),
    chapters: (probed.chapters ?? []).length > 0,
  };
};
