import type { PictureSize } from "../../../../functions/domain/conversions/picture-sizes.ts";
import type { FormatId } from "../../../../functions/domain/formats/formats.ts";

/** Tiny files whose headers declare any size, by format: a complete header, and no or hardly any pixels. */

const u8 = (...values: number[]): Buffer => Buffer.from(values);

const numbers = (bytes: 2 | 4, isLittle: boolean, values: readonly number[]): Buffer => {
  const buffer = Buffer.alloc(bytes * values.length);
  for (const [index, value] of values.entries()) {
    const at = index * bytes;
    const limited = value % 2 ** (8 * bytes);
    isLittle ? buffer.writeUIntLE(limited, at, bytes) : buffer.writeUIntBE(limited, at, bytes);
  }
  return buffer;
};

const be16 = (...values: number[]): Buffer => numbers(2, false, values);
const be32 = (...values: number[]): Buffer => numbers(4, false, values);
const le16 = (...values: number[]): Buffer => numbers(2, true, values);
const le32 = (...values: number[]): Buffer => numbers(4, true, values);
const text = (value: string): Buffer => Buffer.from(value, "latin1");
const join = (...parts: readonly Buffer[]): Buffer => Buffer.concat(parts);
const zeros = (count: number): Buffer => Buffer.alloc(count);

const box = (type: string, ...content: readonly Buffer[]): Buffer => {
  const body = join(...content);
  return join(be32(body.length + 8), text(type), body);
};

/** A codestream of JPEG 2000: SIZ, COD, QCD (ISO/IEC 15444-1, annex A), one tile-part without data. */
const codestream = ({ width, height }: PictureSize): Buffer =>
  join(
    u8(0xff, 0x4f, 0xff, 0x51),
    be16(38 + 9, 0),
    be32(width, height, 0, 0, width, height, 0, 0),
    be16(3),
    u8(7, 1, 1, 7, 1, 1, 7, 1, 1),
    u8(0xff, 0x52),
    be16(12),
    u8(0, 0, 0, 1, 1, 5, 4, 4, 0, 1),
    u8(0xff, 0x5c),
    be16(19),
    u8(0x40, ...Array.from({ length: 16 }, () => 0x40)),
    u8(0xff, 0x90),
    be16(10, 0),
    be32(14),
    u8(0, 1, 0xff, 0x93, 0xff, 0xd9),
  );

const jp2 = (size: PictureSize): Buffer =>
  join(
    box("jP  ", u8(0x0d, 0x0a, 0x87, 0x0a)),
    box("ftyp", text("jp2 "), be32(0), text("jp2 ")),
    box(
      "jp2h",
      box("ihdr", be32(size.height, size.width), be16(3), u8(7, 7, 0, 0)),
      box("colr", u8(1, 0, 0), be32(16)),
    ),
    box("jp2c", codestream(size)),
  );

const photoshop =
  (version: number) =>
  ({ width, height }: PictureSize): Buffer =>
    join(
      text("8BPS"),
      be16(version),
      zeros(6),
      be16(3),
      be32(height, width),
      be16(8, 3),
      zeros(version === 2 ? 16 : 12),
      be16(1),
    );

const icon =
  (kind: number) =>
  ({ width, height }: PictureSize): Buffer =>
    join(
      le16(0, kind, 1),
      u8(0, 0, 0, 0),
      le16(1, 32),
      le32(40, 22),
      le32(40, width, height * 2),
      le16(1, 32),
      zeros(24),
    );

/** Bits from the lowest on, as JPEG XL has them. */
const bitsOf = (fields: readonly (readonly [value: number, bits: number])[]): Buffer => {
  const bits = fields.flatMap(([value, count]) =>
    Array.from({ length: count }, (_, index) => Math.floor(value / 2 ** index) % 2),
  );
  return u8(
    ...Array.from({ length: Math.ceil(bits.length / 8) }, (_, byte) =>
      bits.slice(byte * 8, byte * 8 + 8).reduce((sum, bit, index) => sum + bit * 2 ** index, 0),
    ),
  );
};

/** SizeHeader of ISO/IEC 18181-1 with sizes of 30 bits, and default metadata. */
const jxl = ({ width, height }: PictureSize): Buffer =>
  join(
    u8(0xff, 0x0a),
    bitsOf([
      [0, 1],
      [3, 2],
      [height - 1, 30],
      [0, 3],
      [3, 2],
      [width - 1, 30],
      [1, 1],
      [1, 1],
    ]),
    zeros(40),
  );

const netpbm =
  (magic: string, end: string) =>
  ({ width, height }: PictureSize): Buffer =>
    text(`${magic}\n# a comment\n${width} ${height}\n${end}`);

/** A varying-length number of WBMP: seven bits a byte. */
const uintvar = (value: number): Buffer => {
  const digits = [value % 128];
  for (let rest = Math.floor(value / 128); rest > 0; rest = Math.floor(rest / 128)) {
    digits.unshift(0x80 + (rest % 128));
  }
  return u8(...digits);
};

const dpx = ({ width, height }: PictureSize): Buffer => {
  const bytes = zeros(2_048);
  join(text("SDPX"), be32(2_048), text("V1.0\0\0\0\0"), be32(2_048)).copy(bytes);
  join(be16(0, 1), be32(width, height), zeros(20), u8(50, 2, 2, 10), be16(1, 0), be32(2_048)).copy(bytes, 768);
  return bytes;
};

const pict = ({ width, height }: PictureSize): Buffer =>
  join(
    zeros(512),
    be16(0, 0, 0, height, width),
    be16(0x11, 0x2ff, 0xc00, 0xffff, 0xffff, 0, 0, 0, 0, width, 0, height, 0, 0),
    be16(0x98, 0x8000 + (width % 0x4000), 0, 0, height, width),
    zeros(100),
  );

/** A TIFF with one strip without pixels, for cameras with a brand. */
const tiff =
  (make: string, magic = 42) =>
  ({ width, height }: PictureSize): Buffer => {
    const strings = text(`${make}\0`);
    const entries = [
      [256, 4, 1, width],
      [257, 4, 1, height],
      [258, 3, 1, 8],
      [259, 3, 1, 1],
      [262, 3, 1, 1],
      [271, 2, strings.length, 146],
      [273, 4, 1, 200],
      [277, 3, 1, 1],
      [278, 4, 1, height],
      [279, 4, 1, 8],
    ];
    const directory = entries.map(([tag = 0, type = 0, count = 0, value = 0]) =>
      join(le16(tag, type), le32(count, value)),
    );
    return join(
      text("II"),
      le16(magic),
      le32(8),
      le16(entries.length),
      ...directory,
      le32(0),
      zeros(146 - 134),
      strings,
      zeros(120),
    );
  };

const heif =
  (brand: string, codec: string) =>
  (size: PictureSize): Buffer => {
    const full = (...rest: Buffer[]): Buffer => join(be32(0), ...rest);
    const ipco = box("ipco", box("ispe", full(be32(size.width, size.height))), box("pixi", full(u8(3, 8, 8, 8))));
    return join(
      box("ftyp", text(brand), be32(0), text(`mif1${brand}`)),
      box(
        "meta",
        full(
          box("hdlr", full(be32(0), text("pict"), zeros(13))),
          box("pitm", full(be16(1))),
          box("iinf", full(be16(1), box("infe", u8(2, 0, 0, 0), be16(1, 0), text(codec), u8(0)))),
          box("iprp", ipco, box("ipma", full(be32(1), be16(1), u8(2, 0x81, 2)))),
          box("iloc", full(u8(0x44, 0), be16(1, 1, 0, 1), be32(400, 16))),
        ),
      ),
      box("mdat", zeros(200)),
    );
  };

const gif = ({ width, height }: PictureSize): Buffer =>
  join(
    text("GIF89a"),
    le16(width, height),
    u8(0x80, 0, 0, 0, 0, 0, 255, 255, 255, 0x2c),
    le16(0, 0, width, height),
    u8(0, 2, 2, 0x44, 1, 0, 0x3b),
  );

const jpeg = ({ width, height }: PictureSize): Buffer =>
  join(
    u8(0xff, 0xd8, 0xff, 0xc0),
    be16(17),
    u8(8),
    be16(height, width),
    u8(3, 1, 0x11, 0, 2, 0x11, 0, 3, 0x11, 0, 0xff, 0xd9),
  );

const png = ({ width, height }: PictureSize): Buffer =>
  join(
    u8(0x89),
    text("PNG\r\n\x1a\n"),
    be32(13),
    text("IHDR"),
    be32(width, height),
    u8(8, 6, 0, 0, 0),
    zeros(4),
    be32(0),
    text("IEND"),
    zeros(4),
  );

const webp = ({ width, height }: PictureSize): Buffer =>
  join(
    text("RIFF"),
    le32(30),
    text("WEBPVP8X"),
    le32(10),
    u8(0, 0, 0, 0),
    le32(width - 1).subarray(0, 3),
    le32(height - 1).subarray(0, 3),
    text("VP8L"),
    le32(0),
  );

const exr = ({ width, height }: PictureSize): Buffer => {
  const attribute = (name: string, type: string, value: Buffer): Buffer =>
    join(text(`${name}\0${type}\0`), le32(value.length), value);
  const window = le32(0, 0, width - 1, height - 1);
  const channel = (name: string): Buffer => join(text(`${name}\0`), le32(1, 0, 1, 1));
  return join(
    le32(20_000_630, 2),
    attribute("channels", "chlist", join(channel("B"), channel("G"), channel("R"), u8(0))),
    attribute("compression", "compression", u8(0)),
    attribute("dataWindow", "box2i", window),
    attribute("displayWindow", "box2i", window),
    attribute("lineOrder", "lineOrder", u8(0)),
    u8(0),
  );
};

/** Files by format. */
export const lyingPictures: Partial<Record<FormatId, (size: PictureSize) => Buffer>> = {
  jpg: jpeg,
  png,
  webp,
  gif,
  tiff: tiff("Scanner"),
  avif: heif("avif", "av01"),
  heic: heif("heic", "hvc1"),
  bmp: ({ width, height }) => join(text("BM"), le32(54, 0, 54), le32(40, width, height), le16(1, 24), zeros(24)),
  jxl,
  jp2,
  j2k: codestream,
  psd: photoshop(1),
  psb: photoshop(2),
  qoi: ({ width, height }) => join(text("qoif"), be32(width, height), u8(4, 0), zeros(8), u8(1)),
  ico: icon(1),
  cur: icon(2),
  icns: (size) => {
    const inner = jp2(size);
    return join(text("icns"), be32(inner.length + 16), text("ic10"), be32(inner.length + 8), inner);
  },
  tga: ({ width, height }) => join(u8(0, 0, 10, 0, 0, 0, 0, 0), zeros(4), le16(width, height), u8(24, 0)),
  dds: ({ width, height }) =>
    join(
      text("DDS "),
      le32(124, 0x1007, height, width, 0, 0, 0),
      zeros(44),
      le32(32, 4),
      text("DXT1"),
      zeros(20),
      le32(0x1000),
      zeros(16),
    ),
  pbm: netpbm("P4", ""),
  pgm: netpbm("P5", "255\n"),
  ppm: netpbm("P6", "255\n"),
  pam: ({ width, height }) => text(`P7\nWIDTH ${width}\nHEIGHT ${height}\nDEPTH 3\nMAXVAL 255\nTUPLTYPE RGB\nENDHDR\n`),
  pcx: ({ width, height }) =>
    join(u8(10, 5, 1, 8), le16(0, 0, width - 1, height - 1, 72, 72), zeros(49), u8(3), le16(width, 1), zeros(58)),
  xbm: ({ width, height }) =>
    text(`#define a_width ${width}\n#define a_height ${height}\nstatic char a_bits[] = {\n0x00};\n`),
  xpm: ({ width, height }) =>
    text(`/* XPM */\nstatic char *a[] = {\n"${width} ${height} 1 1",\n"a c #ffffff",\n"a"};\n`),
  wbmp: ({ width, height }) => join(u8(0, 0), uintvar(width), uintvar(height), zeros(4)),
  pict,
  miff: ({ width, height }) =>
    text(`id=ImageMagick version=1.0\nclass=DirectClass\ncolumns=${width} rows=${height} depth=8\n\f\n:\x1a`),
  xcf: ({ width, height }) => join(text("gimp xcf file\0"), be32(width, height, 0, 0, 0, 0, 0)),
  sgi: ({ width, height }) => join(be16(0x1da), u8(1, 1), be16(3, width, height, 3), be32(0, 255), zeros(492)),
  ras: ({ width, height }) => join(u8(0x59, 0xa6, 0x6a, 0x95), be32(width, height, 24, 0, 2, 0, 0)),
  dpx,
  farbfeld: ({ width, height }) => join(text("farbfeld"), be32(width, height)),
  exr,
  hdr: ({ width, height }) => text(`#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y ${height} +X ${width}\n`),
  dng: tiff("Camera"),
  cr2: tiff("Canon"),
  nef: tiff("NIKON CORPORATION"),
  arw: tiff("SONY"),
  pef: tiff("PENTAX"),
  srw: tiff("SAMSUNG"),
};
