import sharp from "sharp";

/** The baseline: the engine alone, with the service's settings, from file to file. */

const at = (input: string) => sharp(input).autoOrient().keepMetadata();

export const bareWebp = async (input: string, output: string): Promise<void> => {
  await at(input).webp({ quality: 80 }).toFile(output);
};

export const bareJpeg = async (input: string, output: string): Promise<void> => {
  await at(input).jpeg({ quality: 80 }).toFile(output);
};

/** As a worker: converts one path after the other, PNG to JPEG and the rest to WebP, and reports each result. */
process.on("message", async (input: string) => {
  const [convert, extension] = input.endsWith(".png") ? [bareJpeg, "jpg"] : [bareWebp, "webp"];
  await convert(input, `${input}.${process.pid}.${extension}`);
  process.send?.("done");
});
