import sharp from "sharp";

/** The floor that the service is held against: the engine alone, with the settings that the service gives it, file to file. */

const at = (input: string) => sharp(input).autoOrient().keepMetadata();

export const bareWebp = async (input: string, output: string): Promise<void> => {
  await at(input).webp({ quality: 80 }).toFile(output);
};

export const bareJpeg = async (input: string, output: string): Promise<void> => {
  await at(input).jpeg({ quality: 80 }).toFile(output);
};

/** As a worker: converts one path after the other, PNG to JPEG and the rest to WebP, and says so. */
process.on("message", async (input: string) => {
  const [convert, extension] = input.endsWith(".png") ? [bareJpeg, "jpg"] : [bareWebp, "webp"];
  await convert(input, `${input}.${process.pid}.${extension}`);
  process.send?.("done");
});
