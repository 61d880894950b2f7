import sharp from "sharp";
import { PICTURE_PIXELS_MAX } from "../../domain/conversion-limits.ts";
import { checkDrawing } from "../io/drawing-check.ts";
import { type Attached, compile } from "./compiler.ts";

/** A picture of a document, ready for Typst. */
export interface Picture extends Attached {
  /** In points: a pixel of HTML is three quarters of one. */
  readonly width: number;
  readonly height: number;
}

/** Takes pictures out of `data:` URIs, at most {@link PICTURE_PIXELS_MAX} pixels in all. */
export interface PictureReader {
  /** @returns undefined where the picture cannot be read, or is too much */
  read(uri: string): Promise<Picture | undefined>;
  readonly files: readonly Attached[];
}

const POINTS_PER_PIXEL = 0.75;
const QUALITY = 90;

export const pictureReader = (): PictureReader => {
  const known = new Map<string, Picture | undefined>();
  const files: Attached[] = [];
  let pixelsLeft = PICTURE_PIXELS_MAX;
  const take = async (uri: string): Promise<Picture | undefined> => {
    const bytes = Buffer.from(uri.slice(uri.indexOf(",") + 1), "base64");
    const name = `picture-${files.length + 1}`;
    const picture = /^data:image\/svg/i.test(uri) ? await drawing(bytes, name) : await pixels(bytes, name, pixelsLeft);
    if (picture !== undefined) {
      files.push(picture);
      pixelsLeft -= (picture.width * picture.height) / POINTS_PER_PIXEL ** 2;
    }
    return picture;
  };
  return {
    files,
    read: async (uri) => {
      const picture = known.has(uri) ? known.get(uri) : await take(uri);
      known.set(uri, picture);
      return picture;
    },
  };
};

/** A drawing stays one. It is tried alone first: one that Typst refuses would take the whole document with it. */
const drawing = async (bytes: Buffer, name: string): Promise<Picture | undefined> => {
  try {
    checkDrawing(bytes);
    const { width, height } = await sharp(bytes).metadata();
    const file = { name: `${name}.svg`, bytes };
    compile(`#image("/${file.name}")`, [file]);
    return { ...file, ...inPoints(width, height) };
  } catch {
    return undefined;
  }
};

/** JPEG stays JPEG; all else becomes a PNG, which cannot be refused. */
const pixels = async (bytes: Buffer, name: string, pixelsMax: number): Promise<Picture | undefined> => {
  try {
    const picture = sharp(bytes, {
      failOn: "error",
      limitInputPixels: Math.max(1, Math.floor(pixelsMax)),
    }).autoOrient();
    const { format } = await picture.metadata();
    const coded = format === "jpeg" ? picture.jpeg({ quality: QUALITY }) : picture.png();
    const { data, info } = await coded.toBuffer({ resolveWithObject: true });
    return { name: `${name}.${format === "jpeg" ? "jpg" : "png"}`, bytes: data, ...inPoints(info.width, info.height) };
  } catch {
    return undefined;
  }
};

const inPoints = (width: number, height: number) => ({
  width: width * POINTS_PER_PIXEL,
  height: height * POINTS_PER_PIXEL,
});
