import { uprightExif } from "../io/exif.ts";
import { pngChunk } from "../sharp/apng.ts";
import type { Metadata } from "./jpeg.ts";

/** Where the header chunk, which comes first, ends. */
const HEADER_END = 33;

/** @returns the PNG with this EXIF, which turns nothing any more, and this XMP; the decoder wrote neither */
export const withExifChunk = (png: Buffer, { exif, xmp }: Metadata): Buffer =>
  Buffer.concat([
    png.subarray(0, HEADER_END),
    ...(exif === undefined ? [] : [pngChunk("eXIf", uprightExif(exif))]),
    ...(xmp === undefined
      ? []
      : [pngChunk("iTXt", Buffer.concat([Buffer.from("XML:com.adobe.xmp\0\0\0\0\0", "latin1"), xmp]))]),
    png.subarray(HEADER_END),
  ]);
