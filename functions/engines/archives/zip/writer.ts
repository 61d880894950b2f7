import { createWriteStream } from "node:fs";
import { pipeline } from "node:stream/promises";
import { ZipFile } from "yazl";

/** A zip member: its path, and its content as bytes or as a file on disk. */
export type ZipMember = {
  readonly path: string;
  /** Whether it is stored without compression. @default true for extensions of compressed formats only */
  readonly stored?: boolean;
} & ({ readonly bytes: Uint8Array | string } | { readonly file: string });

/** Extensions of formats that are already compressed: compressing them again takes time and saves nothing. */
const COMPRESSED =
  /\.(?:jpe?g|png|webp|gif|avif|jxl|heic|zip|docx|xlsx|pptx|epub|woff2?|parquet|gz|7z|zst|xz|mp3|mp4)$/i;

/** The earliest date that a zip supports: the same input gives the same bytes. */
const EPOCH = new Date(1980, 0, 1);

/** Writes a zip with these members, in order. */
export const writeZip = async (output: string, members: readonly ZipMember[]): Promise<void> => {
  const zip = new ZipFile();
  for (const member of members) {
    const compress = !(member.stored ?? COMPRESSED.test(member.path));
    const options = { mtime: EPOCH, mode: 0o100644, compress };
    if ("file" in member) {
      zip.addFile(member.file, member.path, options);
    } else {
      zip.addBuffer(Buffer.from(member.bytes), member.path, options);
    }
  }
  zip.end();
  const failed = new Promise<never>((_, reject) => zip.once("error", reject));
  await Promise.race([pipeline(zip.outputStream, createWriteStream(output, { flags: "wx" })), failed]);
};
