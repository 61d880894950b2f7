import type { OptionRules } from "../../option-rules.ts";

/**
 * Default quality of images and rendered pages. AVIF achieves the same quality at a lower number: 70 is about JPEG 80.
 */
export const QUALITY = { jpg: 80, webp: 80, avif: 70 } as const;

/** Default quality of photos from a camera, which are often archived as JPEG. */
export const PHOTO_QUALITY = 85;

/** Default quality of formats that ImageMagick writes. */
export const RARE_QUALITY = 85;

/** Default quality of images in a PDF. */
export const ALBUM_QUALITY = 90;

/** Default color of the page, and of transparent pixels if the target does not support transparency. */
export const WHITE = "#ffffff";

/** @returns the rules of an encoding with this default quality */
export const withQuality = (quality: number): OptionRules => ({ quality: { default: quality } });

/** JPEG has no transparency. */
export const JPEG_RULES: OptionRules = { ...withQuality(QUALITY.jpg), background: { default: WHITE } };
