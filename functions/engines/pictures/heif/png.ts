import { uprightExif } from "../files/exif.ts";
import { pngChunk } from "../sharp/apng.ts";
import type { Metadata } from "./jpeg.ts";

/** End of the header chunk, which comes first. */
const HEADER_END = 33;

/** @returns the PNG with this EXIF, with the orientation reset, and this XMP; the decoder writes neither */
export const withExifChunk = (png: Buffer, { exif, xmp }: Metadata): Buffer =>
  Buffer.concat([
    png.subarray(0, HEADER_END),
    ...(exif === undefined ? [] : [pngChunk("eXIf", uprightExif(exif))]),
    ...(xmp === undefined
      ? []
      : [pngChunk("iTXt", Buffer.concat([Buffer.from("XML:com.adobe.xmp\0\0\0\0\0", "latin1"), xmp]))]),
    png.subarray(HEADER_END),
  ]);
