import sharp from "sharp";

/** The baseline: the engine alone, with the service's settings, from file to file. */

const at = (input: string | Uint8Array) => sharp(input).autoOrient().keepMetadata();

export const bareWebp = async (input: string, output: string): Promise<void> => {
  await at(input).webp({ quality: 80 }).toFile(output);
};

export const bareJpeg = async (input: string, output: string): Promise<void> => {
  await at(input).jpeg({ quality: 80 }).toFile(output);
};

/** An image in memory, for a worker with structured messages. */
export interface BareBytes {
  readonly bytes: Uint8Array;
  readonly target: string;
}

/** @returns the same in memory */
const converted = ({ bytes, target }: BareBytes): Promise<Buffer> =>
  (target === "jpg" ? at(bytes).jpeg({ quality: 80 }) : at(bytes).webp({ quality: 80 })).toBuffer();

/**
 * As a worker: converts one path after the other, PNG to JPEG and the rest to WebP, and returns the path of each
 * result. Bytes are converted to their target and returned.
 */
process.on("message", async (input: string | BareBytes) => {
  if (typeof input !== "string") {
    process.send?.(await converted(input));
    return;
  }
  const [convert, extension] = input.endsWith(".png") ? [bareJpeg, "jpg"] : [bareWebp, "webp"];
  const output = `${input}.${process.pid}.${extension}`;
  await convert(input, output);
  process.send?.(output);
});
