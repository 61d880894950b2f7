import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import sharp from "sharp";
import { sampleOf } from "../fixtures.ts";
import { withTool } from "../tools.ts";

/** Photos with all kinds of locations, and with images after the first one. */

const XMP_NAME = "http://ns.adobe.com/xap/1.0/\0";

const xmpOf = (attributes: string, elements = ""): string =>
  `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">` +
  `<rdf:Description rdf:about="" xmlns:exif="http://ns.adobe.com/exif/1.0/" xmlns:dc="http://purl.org/dc/elements/1.1/" ` +
  `xmlns:photoshop="http://ns.adobe.com/photoshop/1.0/" xmlns:hdrgm="http://ns.adobe.com/hdr-gain-map/1.0/" ` +
  `xmlns:Container="http://ns.google.com/photos/1.0/container/" xmlns:Item="http://ns.google.com/photos/1.0/container/item/" ` +
  `xmlns:GCamera="http://ns.google.com/photos/1.0/camera/" ${attributes}>` +
  `<dc:creator><rdf:Seq><rdf:li>Photographer</rdf:li></rdf:Seq></dc:creator>${elements}` +
  `</rdf:Description></rdf:RDF></x:xmpmeta>`;

const segment = (marker: number, content: Buffer): Buffer => {
  const head = Buffer.from([0xff, marker, 0, 0]);
  head.writeUInt16BE(content.length + 2, 2);
  return Buffer.concat([head, content]);
};

const text = (words: string): Buffer => Buffer.from(words, "latin1");

/** @returns the JPEG with the segments after its EXIF */
const withSegments = (jpeg: Buffer, ...segments: readonly Buffer[]): Buffer => {
  const end = jpeg[3] === 0xe1 ? 4 + jpeg.readUInt16BE(4) - 2 + 2 : 2;
  return Buffer.concat([jpeg.subarray(0, end), ...segments, jpeg.subarray(end)]);
};

const xmpSegment = (xmp: string): Buffer => segment(0xe1, text(XMP_NAME + xmp));

/** IPTC-IIM with a caption and a city, in Photoshop's image resources. */
const iptcSegment = (): Buffer => {
  const dataset = (number: number, value: string): Buffer =>
    Buffer.concat([Buffer.from([0x1c, 2, number, 0, value.length]), text(value)]);
  const iim = Buffer.concat([dataset(90, "London"), dataset(120, "A caption")]);
  const size = Buffer.alloc(4);
  size.writeUInt32BE(iim.length);
  const resource = Buffer.concat([text("8BIM\u0004\u0004\0\0"), size, iim, Buffer.alloc(iim.length % 2)]);
  return segment(0xed, Buffer.concat([text("Photoshop 3.0\0"), resource]));
};

const PLACES = `exif:GPSLatitude="51,30.5383N" photoshop:City="London"`;
const PLACE_ELEMENTS = "<exif:GPSLongitude>0,7.7276W</exif:GPSLongitude>";

/** @returns the sample with its location in EXIF, XMP and IPTC */
export const locatedPhoto = (): Buffer =>
  withSegments(readFileSync(sampleOf("jpg")), xmpSegment(xmpOf(PLACES, PLACE_ELEMENTS)), iptcSegment());

const DIRECTORY =
  `<Container:Directory><rdf:Seq><rdf:li rdf:parseType="Resource"><Container:Item Item:Semantic="Primary" ` +
  `Item:Mime="image/jpeg"/></rdf:li><rdf:li rdf:parseType="Resource"><Container:Item Item:Semantic="GainMap" ` +
  `Item:Mime="image/jpeg" Item:Length="1000"/></rdf:li></rdf:Seq></Container:Directory>`;

/** @returns the index of a file of two images (CIPA DC-007, 5.2): the second one starts this far after the index */
const indexSegment = (sizes: readonly [number, number], offset: number): Buffer => {
  const index = Buffer.alloc(86);
  index.write("MPF\0MM\0*", "latin1");
  index.writeUInt32BE(8, 8);
  index.writeUInt16BE(3, 12);
  const entries = [
    [0xb000, 7, 4, 0x30313030],
    [0xb001, 4, 1, 2],
    [0xb002, 7, 32, 50],
  ] as const;
  for (const [position, [tag, type, count, value]] of entries.entries()) {
    const at = 14 + position * 12;
    index.writeUInt16BE(tag, at);
    index.writeUInt16BE(type, at + 2);
    index.writeUInt32BE(count, at + 4);
    index.writeUInt32BE(value, at + 8);
  }
  index.writeUInt32BE(0x030000, 54);
  index.writeUInt32BE(sizes[0], 58);
  index.writeUInt32BE(sizes[1], 74);
  index.writeUInt32BE(offset, 78);
  return segment(0xe2, index);
};

const twoImages = async (first: string, second: string, path = sampleOf("jpg")): Promise<Buffer> => {
  const gray = { width: 24, height: 16, channels: 3, background: "#808080" } as const;
  const appended = withSegments(await sharp({ create: gray }).jpeg().toBuffer(), xmpSegment(second));
  const sample = readFileSync(path);
  const build = (offset: number): Buffer =>
    withSegments(sample, xmpSegment(first), indexSegment([sample.length, appended.length], offset));
  const primary = build(0);
  return Buffer.concat([build(primary.length - primary.indexOf("MPF\0", 0, "latin1") - 4), appended]);
};

/** @returns a JPEG with a gain map after its image, which its XMP describes (Ultra HDR image format, 1.1) */
export const ultraHdrPhoto = (): Promise<Buffer> =>
  twoImages(xmpOf(`hdrgm:Version="1.0"`, DIRECTORY), xmpOf(`hdrgm:Version="1.0" hdrgm:GainMapMax="2.5"`));

/**
 * @param path a JPEG
 * @returns it with Apple's gain map, which only the second image describes
 */
export const applePhoto = (path = sampleOf("jpg")): Promise<Buffer> =>
  twoImages(
    xmpOf(""),
    `<x:xmpmeta xmlns:x="adobe:ns:meta/"><a HDRGainMap:HDRGainMapVersion="65536" ` +
      `apdi:AuxiliaryImageType="urn:com:apple:photo:2020:aux:hdrgainmap"/></x:xmpmeta>`,
    path,
  );

/** @returns a JPEG whose XMP describes a gain map, without an index of its images */
export const describedGainMap = (): Buffer =>
  withSegments(readFileSync(sampleOf("jpg")), xmpSegment(xmpOf(`hdrgm:Version="1.0"`, DIRECTORY)));

/** @returns a JPEG with a video after its image (Motion Photo format, 1.0) */
export const motionPhoto = (): Buffer =>
  Buffer.concat([
    withSegments(
      readFileSync(sampleOf("jpg")),
      xmpSegment(xmpOf(`GCamera:MotionPhoto="1" GCamera:MotionPhotoVersion="1"`)),
    ),
    Buffer.alloc(100),
  ]);

/** @returns the tags that ExifTool finds, by group and name; undefined without ExifTool */
export const tagsByExifTool = (path: string): Readonly<Record<string, unknown>> | undefined => {
  if (!withTool("exiftool")) {
    return undefined;
  }
  const [tags] = JSON.parse(execFileSync("exiftool", ["-j", "-G0", "-a", "-n", path], { encoding: "utf8" }));
  return tags;
};
