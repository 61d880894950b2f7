import sharp, { type OverlayOptions } from "sharp";
import type { Options } from "../../../domain/conversions/options.ts";
import type { PictureSize } from "../../../domain/conversions/picture-sizes.ts";
import { grayOf } from "./colors.ts";

type Position = NonNullable<Options["watermark_position"]>;

const GRAVITIES: Readonly<Record<Exclude<Position, "tile">, string>> = {
  center: "center",
  top: "north",
  bottom: "south",
  left: "west",
  right: "east",
  top_left: "northwest",
  top_right: "northeast",
  bottom_left: "southwest",
  bottom_right: "southeast",
};

/** Distance from the edges, and around each repetition, as a share of the shorter side. */
const MARGIN = 0.02;
const TILE_GAP = 0.06;

/** Resolution at which the text is measured. */
const MEASURED_DPI = 72;
const DPI_MAX = 20_000;
const FONT = "sans-serif bold 20";

/** @returns the image of an upload as a PNG with this width */
export type StampAt = (width: number) => Promise<Buffer>;

/**
 * @param size of the image
 * @param stamp the image to use instead of a text
 * @returns the watermark of an image, with its position; undefined without one, or if the image is too small for any
 */
export const watermarkOf = async (
  options: Options,
  size: PictureSize,
  stamp?: StampAt,
): Promise<OverlayOptions | undefined> => {
  const { watermark_position: position = "center", watermark_rotation: angle = 0 } = options;
  const margin = Math.round(Math.min(size.width, size.height) * (position === "tile" ? TILE_GAP : MARGIN));
  const room = { width: size.width - 2 * margin, height: size.height - 2 * margin };
  if ((options.watermark_text === undefined && stamp === undefined) || Math.min(room.width, room.height) < 2) {
    return undefined;
  }
  const { watermark_size = 40 } = options;
  const width = Math.max(2, Math.round((size.width * watermark_size) / 100));
  const drawn = stamp === undefined ? await drawnText(options, width) : await faded(options, await stamp(width));
  // Rotated text needs more room; an overlay must not exceed the image.
  const input = await sharp(await turned(drawn, angle))
    .resize({ ...room, fit: "inside", withoutEnlargement: true })
    .extend({ top: margin, bottom: margin, left: margin, right: margin, background: "#0000" })
    .png()
    .toBuffer();
  return position === "tile" ? { input, tile: true, gravity: "northwest" } : { input, gravity: GRAVITIES[position] };
};

const turned = (picture: Buffer, angle: number): Promise<Buffer> =>
  angle === 0 ? Promise.resolve(picture) : sharp(picture).rotate(angle, { background: "#0000" }).png().toBuffer();

/** @returns the text as a PNG with transparency and this width */
const drawnText = async (options: Options, width: number): Promise<Buffer> => {
  const { watermark_color = "#808080", grayscale = false } = options;
  const color = grayscale ? grayOf(watermark_color) : watermark_color;
  const text = `<span foreground="${color}">${escaped(options.watermark_text ?? "")}</span>`;
  const drawn = (dpi: number) => sharp({ text: { text, font: FONT, rgba: true, dpi } });
  const { info } = await drawn(MEASURED_DPI).png().toBuffer({ resolveWithObject: true });
  const dpi = Math.min(DPI_MAX, Math.max(MEASURED_DPI, Math.ceil((MEASURED_DPI * width) / info.width)));
  return faded(options, await drawn(dpi).resize({ width }).png().toBuffer());
};

const faded = async (options: Options, picture: Buffer): Promise<Buffer> => {
  const { watermark_opacity = 0.3, grayscale = false } = options;
  // sharp adds channels after it changes their values, so the image gets them in a separate step.
  const colored = await sharp(picture).grayscale(grayscale).toColourspace("srgb").ensureAlpha().png().toBuffer();
  return sharp(colored).linear([1, 1, 1, watermark_opacity], [0, 0, 0, 0]).png().toBuffer();
};

/** Pango reads marks. */
const escaped = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
