import { readFileSync } from "node:fs";
import sharp from "sharp";
import { describe, expect, test } from "vitest";
import type { FormatId } from "../../../functions/domain/formats/formats.ts";
import { sampleOf } from "../support/fixtures.ts";
import { locatedPhoto, tagsByExifTool } from "../support/pictures/photo.ts";
import { scratchFolder } from "../support/scratch.ts";
import { convertingBy, convertingByRoute } from "../support/task.ts";

const scratch = scratchFolder();
const convert = convertingBy("sharp", scratch);
const describePicture = async (input: string, from: FormatId) =>
  JSON.parse(readFileSync((await convert(input, [from, "json"])).path, "utf8"));

describe("the description of an image", () => {
  test("has its size, colors, camera and location, as ExifTool reads them", async () => {
    const input = scratch.file(locatedPhoto());
    const made = await describePicture(input, "jpg");
    expect(made).toMatchObject({
      ...{ width: 96, height: 64, orientation: 6, frames: 1, color_space: "srgb", channels: 3, has_alpha: false },
      color_profile: { name: "sP3C", color_space: "RGB" },
      location: { latitude: 51.5089722, longitude: -0.1287944 },
      exif: { image: { Make: "Anyform", Model: "Fixture" }, photo: { PixelXDimension: 64 } },
      iptc: { City: expect.any(String), Caption: "A caption" },
      xmp: { "dc:creator": ["Photographer"] },
    });
    const tags = tagsByExifTool(input);
    if (tags !== undefined) {
      const { exif, iptc, location, color_profile } = made;
      expect([exif.image.Make, exif.image.Model, iptc.City, iptc.Caption]).toEqual(
        ["EXIF:Make", "EXIF:Model", "IPTC:City", "IPTC:Caption-Abstract"].map((name) => tags[name]),
      );
      expect(location.latitude).toBeCloseTo(Number(tags["Composite:GPSLatitude"]), 6);
      expect(location.longitude).toBeCloseTo(Number(tags["Composite:GPSLongitude"]), 6);
      expect(color_profile.name).toBe(tags["ICC_Profile:ProfileDescription"]);
    }
  });

  test("counts frames, and has null for what the image does not contain", async () => {
    const frames = await sharp(sampleOf("png")).resize(8, 8).toBuffer();
    const gif = await sharp([frames, frames, frames], { join: { animated: true } })
      .gif({ delay: [100, 200, 300], loop: 2 })
      .toBuffer();
    expect(await describePicture(scratch.file(gif), "gif")).toMatchObject({
      ...{
        width: 8,
        height: 8,
        frames: expect.any(Number),
        loop: 2,
        location: null,
        exif: null,
        iptc: null,
        xmp: null,
      },
    });
    const apng = await convertingByRoute(scratch)(scratch.file(gif), ["gif", "apng"]);
    const { frames: count } = await describePicture(apng.output, "apng");
    expect(count).toBe((await describePicture(scratch.file(gif), "gif")).frames);
  });

  test("of a damaged or different file is refused, and damaged metadata is left out", async () => {
    await expect(describePicture(sampleOf("png"), "jpg")).rejects.toMatchObject({ code: "source_mismatch" });
    await expect(describePicture(scratch.file(Buffer.from("no image")), "jpg")).rejects.toMatchObject({
      code: "source_corrupt",
    });
    const bytes = readFileSync(sampleOf("jpg"));
    // Entries of the first directory that point beyond the end of the data.
    bytes.fill(0xff, bytes.indexOf("Exif\0\0") + 6 + 8 + 2 + 8, bytes.indexOf("Exif\0\0") + 6 + 8 + 2 + 60);
    expect(await describePicture(scratch.file(bytes), "jpg")).toMatchObject({ width: expect.any(Number) });
  });
});

/** A photo with an author and a copyright in XMP and EXIF. */
const ownedPhoto = async (): Promise<string> =>
  scratch.file(
    await sharp(scratch.file(locatedPhoto()))
      .keepMetadata()
      .withExifMerge({ IFD0: { Copyright: "2026 Anyform & Sons", Artist: "Zoe" } })
      .toBuffer(),
  );

describe.each(["jpg", "png", "webp", "avif", "tiff"] as const)("strip_metadata `private` in %s", (to) => {
  test("keeps the author, the copyright and the color profile, and nothing else", async () => {
    const source = await ownedPhoto();
    const result = await convertingByRoute(scratch)(source, ["jpg", to], { strip_metadata: "private" });
    expect(result.warnings.map(({ code }) => code)).toEqual([]);
    const made = await describePicture(result.output, to);
    expect(made.xmp).toEqual({ "dc:creator": ["Photographer"], "dc:rights": "2026 Anyform & Sons" });
    expect([made.location, made.iptc, made.exif?.image.Make, made.color_profile.name]).toEqual([
      ...[null, null, undefined, "sP3C"],
    ]);
    const tags = tagsByExifTool(result.output);
    const isLeft = (name: string): boolean => /GPS|City|^IPTC:|^EXIF:(?:Make|Model)$/.test(name);
    expect(Object.keys(tags ?? {}).filter(isLeft)).toEqual([]);
    expect(tags?.["XMP:Rights"]).toBe(tags && "2026 Anyform & Sons");
  });
});

test("strip_metadata `private` keeps nothing where there is no author", async () => {
  const { output } = await convertingByRoute(scratch)(sampleOf("jpg"), ["jpg", "jpg"], {
    strip_metadata: "private",
  });
  expect(await describePicture(output, "jpg")).toMatchObject({ exif: null, xmp: null, location: null });
});
