import { deflateSync } from "node:zlib";
import type { FormatId } from "../../../../functions/domain/formats/formats.ts";
import { hugePng } from "../../../support/png.ts";
import { type Attack, patched, sample } from "./attack.ts";

/** Samples whose headers declare more than any file holds: the largest possible sizes, counts and offsets. */

/** A format, its target, and which bytes of its sample are overwritten where. */
type Patch = readonly [from: FormatId, to: readonly FormatId[], name: string, offset: number, hex: string];

const ALL = "ffffffff";
const MOST = "ffffff7f";
const WIDE_BIG = "0000ffff0000ffff";
const PICTURE: readonly FormatId[] = ["png", "jpg"];

/** Offsets from the format specifications. */
const PICTURES: readonly Patch[] = [
  ["bmp", PICTURE, "size", 18, `${MOST}${MOST}`],
  ["bmp", PICTURE, "negative size", 18, `${ALL}${ALL}`],
  ["bmp", PICTURE, "offset of the pixels", 10, ALL],
  ["bmp", PICTURE, "colors", 46, ALL],
  ["gif", ["png", "webp"], "size", 6, ALL],
  ["psd", PICTURE, "size", 14, WIDE_BIG],
  ["psd", PICTURE, "channels", 12, "ffff"],
  ["psd", PICTURE, "lengths", 26, ALL],
  ["psb", PICTURE, "size", 14, WIDE_BIG],
  ["qoi", PICTURE, "size", 4, `${ALL}${ALL}`],
  ["ico", PICTURE, "length of a picture", 14, `${ALL}16000000`],
  ["ico", PICTURE, "number of pictures", 4, "ffff"],
  ["cur", PICTURE, "offset of a picture", 18, ALL],
  ["dds", PICTURE, "size", 12, `${MOST}${MOST}`],
  ["dds", PICTURE, "number of levels", 28, ALL],
  ["tga", PICTURE, "size", 12, ALL],
  ["tga", PICTURE, "colors", 5, "ffff"],
  ["pcx", PICTURE, "size", 4, "00000000ffffffff"],
  ["sgi", PICTURE, "size", 6, "ffffffffffff"],
  ["ras", PICTURE, "size", 4, `${ALL}${ALL}`],
  ["pict", PICTURE, "frame", 514, "00000000ffffffff"],
  ["xcf", PICTURE, "size", 14, `${ALL}${ALL}`],
  ["icns", ["png"], "length of a picture", 12, "7fffffff"],
  ["farbfeld", ["png"], "size", 8, "7fffffff7fffffff"],
  ["jp2", PICTURE, "length of a box", 12, ALL],
  ["exr", ["png"], "length of an attribute", 25, ALL],
  ["exr", ["png"], "largest possible length of an attribute", 25, MOST],
  ["tiff", PICTURE, "offset of the directory", 4, ALL],
  ["webp", PICTURE, "length", 4, ALL],
  ["heic", PICTURE, "length of a box", 0, ALL],
  ["avif", PICTURE, "length of a box", 0, ALL],
  ["dng", ["png"], "offset of the directory", 4, ALL],
];

const OTHERS: readonly Patch[] = [
  ["ttf", ["woff", "woff2", "eot"], "number of tables", 4, "ffff"],
  ["ttf", ["woff", "woff2"], "length of a table", 24, ALL],
  ["otf", ["woff", "woff2"], "offset of a table", 20, ALL],
  ["woff", ["ttf", "woff2"], "number of tables", 12, "ffff"],
  ["woff", ["ttf", "woff2"], "uncompressed length of a table", 56, ALL],
  ["woff", ["ttf"], "total length", 16, ALL],
  ["woff2", ["ttf", "woff"], "number of tables", 12, "ffff"],
  ["woff2", ["ttf", "woff"], "total length", 16, ALL],
  ["woff2", ["ttf", "woff"], "compressed length", 20, ALL],
  ["eot", ["ttf", "woff"], "length of the font", 4, ALL],
  ["eot", ["ttf"], "length of a name", 82, "ffff"],
  ["ttc", ["ttf"], "number of fonts", 8, ALL],
  ["glb", ["gltf", "obj"], "length", 8, ALL],
  ["glb", ["gltf", "obj"], "length of its JSON", 12, ALL],
  ["stl", ["glb"], "name", 0, "000000000000000000"],
  ["fbx", ["glb"], "end of a node", 27, MOST],
  ["fbx", ["glb"], "number of properties", 31, ALL],
  ["dbf", ["csv", "json"], "number of records", 4, ALL],
  ["dbf", ["csv", "json"], "length of a record", 10, "ffff"],
  ["dbf", ["csv", "json"], "zero length of a record", 10, "0000"],
  ["dbf", ["csv", "json"], "length of the header", 8, "ffff"],
  ["sqlite", ["csv", "json"], "size of a page", 16, "ffff"],
  ["sqlite", ["csv", "json"], "number of pages", 28, ALL],
  ["sqlite", ["csv", "json"], "root of the schema", 100, "05ffffffffffffff"],
  ["gpkg", ["geojson"], "number of pages", 28, ALL],
  ["bson", ["json"], "length of a document", 0, MOST],
  ["bson", ["json"], "zero length of a document", 0, "00000000"],
  ["fgb", ["geojson"], "length of the header", 8, MOST],
  ["fgb", ["geojson"], "negative length of the header", 8, ALL],
  ["xls", ["csv", "json"], "offset of the directory", 48, MOST],
  ["xls", ["csv", "json"], "number of offset tables", 44, MOST],
  ["xls", ["csv", "json"], "size of a sector", 30, "ffff"],
  ["msg", ["json", "html"], "offset of the directory", 48, MOST],
  ["msg", ["json", "html"], "offset of the directory, circular", 48, "00000000"],
  ["msg", ["json", "html"], "number of offset tables", 44, MOST],
  ["msg", ["json", "html"], "number of further tables", 72, MOST],
  ["msg", ["json", "html"], "number of small tables", 64, MOST],
  ["mobi", ["html"], "number of records", 76, "ffff"],
  ["mobi", ["html"], "offset of a record", 78, ALL],
  ["azw3", ["html"], "number of records", 76, "ffff"],
  ["tar", ["zip"], "length of a file", 124, "3737373737373737373737"],
  ["zip", ["tar", "7z"], "length of a file", 18, `${ALL}${ALL}`],
  ["7z", ["zip"], "offset of the header", 12, `${ALL}${MOST}`],
  ["7z", ["zip"], "length of the header", 20, `${ALL}${MOST}`],
  ["rar", ["zip"], "length of a header", 12, ALL],
  ["cab", ["zip"], "number of files", 28, "ffff"],
  ["iso", ["zip"], "length of a folder", 32_768 + 166, ALL],
  ["wim", ["zip"], "length of a table", 48, `${ALL}ffffff00`],
  ["cpio", ["tar"], "length of a file", 54, "4646464646464646"],
  ["rpm", ["tar"], "number of entries", 104, ALL],
  ["lzma", ["gz"], "size of the window", 1, ALL],
  ["xz", ["gz"], "length of a header", 12, "ff"],
  ["zst", ["gz"], "size of the window", 4, "00f8"],
];

const written: readonly Attack[] = [
  {
    name: "60,000 × 60,000 pixels",
    from: "png",
    to: ["jpg", "pdf", "svg", "ico", "exr"],
    bytes: () => hugePng(60_000, 60_000),
  },
  {
    name: "a hundred million actual pixels",
    from: "png",
    to: ["pdf", "svg", "ico", "exr"],
    bytes: () => hugePng(10_000, 10_000, 10_000),
  },
  {
    name: "2^31 pixels",
    from: "hdr",
    to: ["png"],
    bytes: () => "#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y 99999 +X 99999\n",
  },
  { name: "no pixels", from: "hdr", to: ["png"], bytes: () => "#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y 0 +X 0\n" },
  ...(["pbm", "pgm", "ppm"] as const).map((from, index) => ({
    name: "2^60 pixels",
    from,
    to: PICTURE,
    bytes: () => `P${index + 4}\n1073741824 1073741824\n255\n`,
  })),
  {
    name: "2^60 pixels",
    from: "pam",
    to: PICTURE,
    bytes: () => "P7\nWIDTH 1073741824\nHEIGHT 1073741824\nDEPTH 65535\nMAXVAL 65535\nENDHDR\n",
  },
  {
    name: "unlimited colors",
    from: "xpm",
    to: PICTURE,
    bytes: () => '/* XPM */\nstatic char *a[] = {\n"9999 9999 999999999 9999",\n"a c #fff"};',
  },
  {
    name: "unlimited bits",
    from: "xbm",
    to: PICTURE,
    bytes: () => "#define a_width 999999\n#define a_height 999999\nstatic char a_bits[] = { 0x00 };",
  },
  {
    name: "unlimited pixels",
    from: "wbmp",
    to: PICTURE,
    bytes: () => Buffer.from("0000ffffffff7fffffffff7f", "hex"),
  },
  {
    name: "an unlimited picture",
    from: "miff",
    to: PICTURE,
    bytes: () => "id=ImageMagick\nclass=DirectClass columns=999999999 rows=999999999 depth=64\n\f\n:\u001a",
  },
  { name: "a billion triangles", from: "stl", to: ["glb"], bytes: () => patched(Buffer.alloc(200), 80, "00ca9a3b") },
  {
    name: "a billion vertices",
    from: "ply",
    to: ["glb"],
    bytes: () =>
      "ply\nformat binary_little_endian 1.0\nelement vertex 1000000000\nproperty float x\nproperty float y\nproperty float z\nelement face 1000000000\nproperty list uint int vertex_indices\nend_header\n",
  },
  {
    name: "a face of 2^32 vertices",
    from: "ply",
    to: ["glb"],
    bytes: () =>
      Buffer.concat([
        Buffer.from(
          "ply\nformat binary_little_endian 1.0\nelement vertex 1\nproperty float x\nproperty float y\nproperty float z\nelement face 1\nproperty list uint int vertex_indices\nend_header\n",
        ),
        Buffer.alloc(12),
        Buffer.from(ALL, "hex"),
      ]),
  },
  { name: "a list of 2^32", from: "msgpack", to: ["json"], bytes: () => Buffer.from(`dd${ALL}c0`, "hex") },
  { name: "an object of 2^32", from: "msgpack", to: ["json", "csv"], bytes: () => Buffer.from(`df${ALL}c0c0`, "hex") },
  { name: "bytes of 2^32", from: "msgpack", to: ["json"], bytes: () => Buffer.from(`c6${ALL}00`, "hex") },
  { name: "a list of 2^63", from: "cbor", to: ["json"], bytes: () => Buffer.from(`9b7fffffff${ALL}00`, "hex") },
  { name: "bytes of 2^63", from: "cbor", to: ["json"], bytes: () => Buffer.from(`5b7fffffff${ALL}00`, "hex") },
  {
    name: "a number of 2^16 digits",
    from: "cbor",
    to: ["json"],
    bytes: () => Buffer.concat([Buffer.from("c25a00800000", "hex"), Buffer.alloc(8_388_608, 0xff)]),
  },
  {
    name: "a decimal of 2^62 zeros",
    from: "cbor",
    to: ["json"],
    bytes: () => Buffer.from("c4821b3fffffffffffffff01", "hex"),
  },
  {
    name: "a number of a million digits",
    from: "json",
    to: ["yaml", "csv", "cbor", "msgpack", "xlsx"],
    bytes: () => `[{"a":${"9".repeat(1_000_000)}}]`,
  },
  {
    name: "an enormous exponent",
    from: "json",
    to: ["yaml", "csv", "cbor", "toml", "xlsx"],
    bytes: () => '[{"a":1e999999999}]',
  },
  {
    name: "a number of a million digits",
    from: "yaml",
    to: ["json", "cbor", "bson"],
    bytes: () => `a: ${"9".repeat(1_000_000)}`,
  },
  {
    name: "a wrong Parquet footer length",
    from: "parquet",
    to: ["csv", "json", "arrow"],
    bytes: () => {
      const bytes = sample("parquet");
      return patched(bytes, bytes.length - 8, ALL);
    },
  },
  {
    name: "a small image with a 300 MB profile",
    from: "png",
    to: ["jpg"],
    bytes: () =>
      hugePng(9, 9, 9, [
        chunkOf("iCCP", Buffer.concat([Buffer.from("a\0\0"), deflateSync(Buffer.alloc(300_000_000))])),
      ]),
  },
];

const chunkOf = (type: string, data: Buffer): Buffer => {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  return Buffer.concat([length, Buffer.from(type), data, Buffer.alloc(4)]);
};

export const sizes: readonly Attack[] = [
  ...[...PICTURES, ...OTHERS].map(([from, to, name, offset, hex]) => ({
    name: `a false ${name}`,
    from,
    to,
    bytes: () => patched(sample(EXTENSIONS[from] ?? from), offset, hex),
  })),
  ...written,
];

const EXTENSIONS: Partial<Record<FormatId, string>> = { farbfeld: "ff" };
