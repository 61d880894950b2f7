import sharp from "sharp";

/**
 * The baseline: the engine alone, with the service's settings, from file to file. As in the service, transparent pixels
 * become white in a JPEG; the default of the engine is black, which takes it less time.
 */

const converted = (input: string | Uint8Array, target: string) => {
  const image = sharp(input).autoOrient().keepMetadata();
  return target === "jpg" ? image.flatten({ background: "white" }).jpeg({ quality: 80 }) : image.webp({ quality: 80 });
};

export const bareWebp = async (input: string, output: string): Promise<void> => {
  await converted(input, "webp").toFile(output);
};

export const bareJpeg = async (input: string, output: string): Promise<void> => {
  await converted(input, "jpg").toFile(output);
};

/** An image in memory, for a worker with structured messages. */
export interface BareBytes {
  readonly bytes: Uint8Array;
  readonly target: string;
}

/**
 * As a worker: converts one path after the other, PNG to JPEG and the rest to WebP, and returns the path of each
 * result. Bytes are converted to their target and returned.
 */
process.on("message", async (input: string | BareBytes) => {
  if (typeof input !== "string") {
    process.send?.(await converted(input.bytes, input.target).toBuffer());
    return;
  }
  const target = input.endsWith(".png") ? "jpg" : "webp";
  const output = `${input}.${process.pid}.${target}`;
  await converted(input, target).toFile(output);
  process.send?.(output);
});
