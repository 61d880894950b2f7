import { deflateSync } from "node:zlib";
import { readJpeg } from "../../../functions/engines/pdf/pdflib/jpeg.ts";
import { readPng } from "../../../functions/engines/pdf/pdflib/png.ts";
import { uprightExif } from "../../../functions/engines/pictures/files/exif.ts";
import { isExrHeader } from "../../../functions/engines/pictures/hdr/exr-header.ts";
import { withMetadata } from "../../../functions/engines/pictures/heif/jpeg.ts";
import { largestIcns } from "../../../functions/engines/pictures/magick/icns.ts";
import { PNG_SIGNATURE, pngChunk, pngChunks, readAnimatedPng } from "../../../functions/engines/pictures/sharp/apng.ts";
import { translated } from "../../../functions/engines/pictures/sharp/errors.ts";
import { tiffPages } from "../../../functions/engines/pictures/sharp/tiff-pages.ts";
import { sample } from "../../engines/support/attacks/attack.ts";
import type { Random } from "../../support/random.ts";
import { broken, type Parser, refused, type Workspace } from "../parser.ts";

/** Image headers that our own code reads. */

const EDGES = [0, 1, 2, 255, 256, 65_535, 65_536, 2 ** 31 - 1, 2 ** 31, 2 ** 32 - 1];
const SMALL = [0, 1, 2, 3, 4, 8, 16, 64];

/** Chunks with valid checksums: a reader checks those first, and random changes would break them. */
const pngOf = (_: Buffer, random: Random): Buffer => {
  const four = (values: readonly number[]): Buffer => {
    const bytes = Buffer.alloc(4 * values.length);
    for (const [index, value] of values.entries()) {
      bytes.writeUInt32BE(value, 4 * index);
    }
    return bytes;
  };
  const side = (): number => (random.chance(0.8) ? random.pick(SMALL) : random.pick(EDGES));
  const pixels = (): Buffer => deflateSync(Buffer.alloc(random.pick([0, 10, 100, 3_000]), random.below(5)));
  const chunks: readonly (() => Buffer)[] = [
    () => pngChunk("IDAT", random.chance(0.9) ? pixels() : Buffer.of(random.below(256))),
    () => pngChunk("IDAT", pixels()),
    () => pngChunk("PLTE", Buffer.alloc(random.pick([0, 2, 3, 48, 768, 769]), 9)),
    () => pngChunk("tRNS", Buffer.alloc(random.pick([0, 1, 2, 6, 256]), 1)),
    () => pngChunk("iCCP", Buffer.concat([Buffer.from("p\0\0"), pixels()])),
    () => pngChunk("acTL", four([random.pick(EDGES), random.pick(EDGES)])),
    () =>
      pngChunk(
        "fcTL",
        Buffer.concat([
          four([0, side(), side(), side(), side()]),
          Buffer.of(0, random.below(3), 0, random.below(3), random.below(4), random.below(3)),
        ]),
      ),
    () => pngChunk("fdAT", Buffer.concat([four([1]), pixels()])),
    () => pngChunk("eXIf", Buffer.from("II*\0\x08\0\0\0")),
  ];
  const head = Buffer.concat([
    four([side(), side()]),
    Buffer.of(
      random.pick([1, 2, 4, 8, 16, 0, 33, 255]),
      random.pick([0, 2, 3, 3, 4, 6, 7]),
      0,
      0,
      random.pick([0, 0, 0, 1]),
    ),
  ]);
  const all = [pngChunk("IHDR", head), ...Array.from({ length: random.below(9) }, () => random.pick(chunks)())];
  return Buffer.concat([
    PNG_SIGNATURE,
    ...all,
    random.chance(0.9) ? pngChunk("IEND", Buffer.alloc(0)) : Buffer.alloc(0),
  ]);
};

const holdPng = async (input: Buffer, workspace: Workspace): Promise<void> => {
  for (const { type, data } of pngChunks(input)) {
    if (type.length !== 4 || data.length > input.length) {
      throw broken("A chunk is within the file", [type, data.length]);
    }
  }
  const image = await readPng(input).catch(refused);
  if (image?.palette !== undefined && image.palette.length > 768) {
    throw broken("A palette has at most 256 colors", image.palette.length);
  }
  await readAnimatedPng(workspace.file(input)).catch((error: unknown) => {
    // The caller translates the errors of libvips for damaged pixels.
    throw translated(error, "apng");
  });
};

/** TIFF directories that refer to each other and beyond the end; also with 8-byte offsets. */
const tiffOf = (_: Buffer, random: Random): Buffer => {
  const [little, large] = [random.chance(0.5), random.chance(0.5)];
  const number = (value: number | bigint, length: number): Buffer => {
    const bytes = Buffer.alloc(8);
    bytes.writeBigUInt64BE(BigInt.asUintN(64, BigInt(value)));
    const cut = bytes.subarray(8 - length);
    return little ? Buffer.from(cut.toReversed()) : cut;
  };
  const offsetValue = (): number | bigint =>
    random.chance(0.2) ? random.pick([...EDGES, 2n ** 53n, 2n ** 63n, 2n ** 64n - 1n]) : random.below(400);
  const offset = large ? 8 : 4;
  const directory = (): Buffer => {
    const count = random.below(4);
    const entries = Array.from({ length: count }, () =>
      Buffer.concat([
        number(random.pick([254, 255, 256]), 2),
        number(4, 2),
        number(1, offset),
        number(random.below(8), offset),
      ]),
    );
    const stated = random.chance(0.1) ? random.pick(EDGES) : count;
    return Buffer.concat([number(stated, large ? 8 : 2), ...entries, number(offsetValue(), offset)]);
  };
  const head = Buffer.concat([
    Buffer.from(little ? "II" : "MM"),
    number(large ? 43 : 42, 2),
    ...(large ? [number(8, 2), number(0, 2)] : []),
    number(random.chance(0.8) ? 16 : offsetValue(), offset),
  ]);
  const padded = Buffer.concat([head, Buffer.alloc(16)]).subarray(0, 16);
  return Buffer.concat([padded, ...Array.from({ length: 1 + random.below(6) }, directory)]);
};

export const pictureParsers: readonly Parser[] = [
  {
    name: "png",
    sources: ["functions/engines/pdf/pdflib/png.ts", "functions/engines/pictures/sharp/apng.ts"],
    samples: () => [sample("png").subarray(0, 30_000), sample("apng").subarray(0, 60_000)],
    words: ["IHDR", "IDAT", "PLTE", "tRNS", "iCCP", "acTL", "fcTL", "fdAT", "IEND", "\xff\xff\xff\xff"],
    change: pngOf,
    hold: holdPng,
  },
  {
    name: "tiff",
    sources: ["functions/engines/pictures/sharp/tiff-pages.ts"],
    samples: () => [sample("tiff").subarray(0, 4_000), "II*\0\x08\0\0\0\0\0\0\0\0\0"],
    words: ["II*\0", "MM\0*", "II+\0", "\xfe\0\x04\0", "\xff\xff\xff\xff", "\0\0\0\0"],
    change: tiffOf,
    hold: async (input, workspace) => {
      const pages = await tiffPages(workspace.file(input));
      if (pages.length === 0 || pages.some((page) => !Number.isInteger(page))) {
        throw broken("A TIFF has a page", pages);
      }
    },
  },
  {
    name: "jpeg",
    sources: [
      "functions/engines/pdf/pdflib/jpeg.ts",
      "functions/engines/pictures/heif/jpeg.ts",
      "functions/engines/pictures/files/exif.ts",
    ],
    samples: () => [
      sample("jpg").subarray(0, 20_000),
      Buffer.from("\xff\xd8\xff\xe1\0\x10Exif\0\0II*\0\x08\0\0\0\xff\xd9", "latin1"),
    ],
    words: [
      "\xff\xd8",
      "\xff\xe1",
      "Exif\0\0",
      "\xff\xc0",
      "\xff\xda",
      "\xff\xd9",
      "Adobe",
      "II*\0",
      "MM\0*",
      "\xff\xff",
    ],
    hold: (input) => {
      readJpeg(input);
      withMetadata(input, { exif: input.subarray(10), xmp: undefined });
      uprightExif(input.subarray(4));
    },
  },
  {
    name: "icns",
    sources: ["functions/engines/pictures/magick/icns.ts"],
    samples: () => [
      sample("icns").subarray(0, 60_000),
      Buffer.from("icns\0\0\0\x20is32\0\0\0\x0c\x80\x01\x82\x05s8mk\0\0\0\x0c\0\0\0\0", "latin1"),
    ],
    words: [
      "icns",
      "is32",
      "it32",
      "t8mk",
      "s8mk",
      "ic08",
      "\x89PNG",
      "\0\0\0\x0c",
      "\xff\xff\xff\xff",
      "\xff\x01",
      "\x7f",
    ],
    hold: (input) => {
      const picture = largestIcns(input);
      if (picture.kind === "pixels" && picture.bytes.length !== picture.side ** 2 * 4) {
        throw broken("An icon has all its pixels", [picture.side, picture.bytes.length]);
      }
    },
  },
  {
    name: "exr",
    sources: ["functions/engines/pictures/hdr/exr-header.ts"],
    samples: () => [sample("exr").subarray(0, 20_000)],
    words: [
      "channels\0chlist\0",
      "dataWindow\0box2i\0",
      "\0",
      "compression\0compression\0",
      "\xff\xff\xff\x7f",
      "tiles\0tiledesc\0",
    ],
    hold: (input) => {
      isExrHeader(input);
    },
  },
];
