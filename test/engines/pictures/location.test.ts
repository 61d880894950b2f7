import { readFileSync, statSync } from "node:fs";
import sharp from "sharp";
import { describe, expect, test } from "vitest";
import type { FormatId } from "../../../functions/domain/formats/formats.ts";
import { fixture, sampleOf } from "../support/fixtures.ts";
import {
  applePhoto,
  describedGainMap,
  locatedPhoto,
  motionPhoto,
  tagsByExifTool,
  ultraHdrPhoto,
} from "../support/pictures/photo.ts";
import { scratchFolder } from "../support/scratch.ts";
import { convertingBy, convertingByRoute, isInstalled } from "../support/task.ts";

const scratch = scratchFolder();
const convert = convertingByRoute(scratch);

/** Formats to which the metadata of a photo is written, and the tags of a location that their writers write. */
const TARGETS: readonly (readonly [FormatId, readonly string[]])[] = [
  ["jpg", ["EXIF:GPSLatitude", "XMP:GPSLatitude", "XMP:GPSLongitude", "XMP:City", "IPTC:City"]],
  ["png", ["EXIF:GPSLatitude", "XMP:GPSLatitude", "XMP:GPSLongitude", "XMP:City"]],
  ["webp", ["EXIF:GPSLatitude", "XMP:GPSLatitude", "XMP:GPSLongitude", "XMP:City"]],
  ["avif", ["EXIF:GPSLatitude", "XMP:GPSLatitude", "XMP:GPSLongitude", "XMP:City"]],
  ["tiff", ["XMP:GPSLatitude", "XMP:GPSLongitude", "XMP:City"]],
  ["jxl", ["EXIF:GPSLatitude"]],
];

const codes = ({ warnings }: { warnings: readonly { code: string }[] }) => warnings.map(({ code }) => code);

const placesIn = (tags: Readonly<Record<string, unknown>>): string[] =>
  Object.entries(tags).flatMap(([name, value]) => (/GPS|City/.test(name) && String(value).trim() !== "" ? [name] : []));

describe.each(TARGETS)("the location of a photo in %s", (to, written) => {
  test("is kept, with a warning", async () => {
    const result = await convert(scratch.file(locatedPhoto()), ["jpg", to]);
    const tags = tagsByExifTool(result.output);
    expect(codes(result)).toContain("location_kept");
    expect(tags && Object.keys(tags)).toEqual(tags && expect.arrayContaining([...written]));
  });

  test("is removed by `gps`; everything else is kept", async () => {
    const result = await convert(scratch.file(locatedPhoto()), ["jpg", to], { strip_metadata: "gps" });
    expect(codes(result)).not.toContain("location_kept");
    const tags = tagsByExifTool(result.output);
    expect(tags && placesIn(tags)).toEqual(tags && []);
    expect(tags?.["ExifTool:Warning"] ?? "[minor]").toContain("[minor]");
    expect(tags?.["XMP:Creator"]).toBe(to === "jxl" || tags === undefined ? undefined : "Photographer");
    expect(tags?.["EXIF:Make"]).toBe(to === "tiff" || tags === undefined ? undefined : "Anyform");
    expect(tags?.["IPTC:Caption-Abstract"]).toBe(to === "jpg" && tags ? "A caption" : tags?.["IPTC:Caption-Abstract"]);
  });

  test("is removed with all other metadata by `all`", async () => {
    const result = await convert(scratch.file(locatedPhoto()), ["jpg", to], { strip_metadata: "all" });
    expect(codes(result)).toEqual([]);
    const tags = tagsByExifTool(result.output);
    expect(Object.keys(tags ?? {}).filter((name) => /^(?:XMP|IPTC):|EXIF:(?:Make|GPS)/.test(name))).toEqual([]);
  });
});

test("a photo without a location has no warning", async () => {
  expect(codes(await convert(sampleOf("png"), ["png", "jpg"]))).toEqual([]);
});

test("formats without metadata contain no location, and have no warning", async () => {
  for (const to of ["bmp", "gif", "psd", "jp2", "qoi", "ico"] as const) {
    const result = await convert(scratch.file(locatedPhoto()), ["jpg", to]);
    const tags = to === "qoi" ? {} : tagsByExifTool(result.output);
    expect([to, tags && placesIn(tags)]).toEqual([to, tags && []]);
    expect(codes(result)).not.toContain("location_kept");
  }
});

test("a PDF contains the photo without its metadata", async () => {
  const { output } = await convert(scratch.file(locatedPhoto()), ["jpg", "pdf"]);
  const bytes = readFileSync(output);
  expect(bytes.includes("Exif\0\0") || bytes.includes("GPSLatitude") || bytes.includes("London")).toBe(false);
});

describe.skipIf(!isInstalled("heif"))("the location of a HEIC", () => {
  const byHeif = convertingBy("heif", scratch);

  test.each([{}, { width: 40 }])("is kept in JPEG with a warning, and removed by `gps`, with %j", async (options) => {
    const kept = await byHeif(fixture("photo.heic"), ["heic", "jpg"], options);
    expect(kept.codes).toContain("location_kept");
    const removed = await byHeif(fixture("photo.heic"), ["heic", "jpg"], { ...options, strip_metadata: "gps" });
    expect(removed.codes).not.toContain("location_kept");
    const tags = tagsByExifTool(removed.path);
    expect(tags && placesIn(tags)).toEqual(tags && []);
    expect(tags?.["EXIF:Make"]).toBe(tags && "Anyform");
  });
});

describe("what a photo has in addition to its image", () => {
  test.each([
    ["an Ultra HDR gain map", "gain_map_dropped", ultraHdrPhoto],
    ["Apple's gain map", "gain_map_dropped", applePhoto],
    ["the video of a motion photo", "motion_photo_dropped", async () => motionPhoto()],
  ] as const)("%s is reported as dropped, and nothing refers to it", async (_, code, make) => {
    const input = scratch.file(await make());
    for (const to of ["jpg", "webp", "png", "avif"] as const) {
      const result = await convert(input, ["jpg", to]);
      expect(codes(result)).toContain(code);
      const tags = tagsByExifTool(result.output) ?? {};
      const left = Object.keys(tags).filter((name) => /MPF|DirectoryItem|HDRG|Motion|hdrgm|GainMap/i.test(name));
      expect([to, left]).toEqual([to, []]);
      expect(readFileSync(result.output).includes("hdrgm:Version")).toBe(false);
    }
  });

  test("a gain map after a large image is found by the index of images, one without an index by its description", async () => {
    const noise = { type: "gaussian", mean: 128, sigma: 60 } as const;
    const create = { width: 800, height: 600, channels: 3, background: "#888", noise } as const;
    const large = scratch.file(await sharp({ create }).jpeg({ quality: 95 }).toBuffer());
    expect(statSync(large).size).toBeGreaterThan(300_000);
    expect(codes(await convert(scratch.file(await applePhoto(large)), ["jpg", "png"]))).toContain("gain_map_dropped");
    expect(codes(await convert(scratch.file(describedGainMap()), ["jpg", "png"]))).toContain("gain_map_dropped");
  });

  test("a gain map is reported by the other engines that read photos, too", async () => {
    expect(codes(await convert(scratch.file(await ultraHdrPhoto()), ["jpg", "tga"]))).toContain("gain_map_dropped");
    const auxiliary = Buffer.from("\0\0\0\x38freeurn:com:apple:photo:2020:aux:hdrgainmap".padEnd(0x38, "\0"), "latin1");
    const heic = scratch.file(Buffer.concat([readFileSync(fixture("photo.heic")), auxiliary]));
    expect(codes(await convert(heic, ["heic", "jpg"]))).toContain("gain_map_dropped");
    expect(codes(await convert(heic, ["heic", "png"]))).toContain("gain_map_dropped");
  });

  test("only previews after the image are not reported", async () => {
    expect(codes(await convert(scratch.file(locatedPhoto()), ["jpg", "png"]))).toEqual(["location_kept"]);
  });
});
