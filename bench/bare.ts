import sharp from "sharp";

/** The floor that the service is held against: the engine alone, with the settings that the service gives it. */

export const bareWebp = async (input: string): Promise<Buffer> =>
  sharp(input).autoOrient().keepMetadata().webp({ quality: 80 }).toBuffer();

export const bareJpeg = async (input: string): Promise<Buffer> =>
  sharp(input).autoOrient().keepMetadata().jpeg({ quality: 80 }).toBuffer();

/** As a worker: converts one path after the other, and says so. */
process.on("message", async (input: string) => {
  await bareWebp(input);
  process.send?.("done");
});
