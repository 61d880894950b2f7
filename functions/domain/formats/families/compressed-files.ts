import { at, type Format, says } from "../format.ts";

/** Single compressed files. A tar inside one is detected by the filename, or by decompressing its start. */
export const compressedFormats = [
  {
    id: "gz",
    name: "gzip",
    family: "archive",
    extensions: ["gz"],
    mediaTypes: ["application/gzip", "application/x-gzip"],
    keeps: ["files"],
    magic: [[at(0, "1f 8b 08")]],
  },
  {
    id: "bz2",
    name: "bzip2",
    family: "archive",
    extensions: ["bz2"],
    mediaTypes: ["application/x-bzip2", "application/bzip2"],
    keeps: ["files"],
    // The second is for an empty file.
    magic: [
      [says(0, "BZh"), at(4, "31 41 59 26 53 59")],
      [says(0, "BZh"), at(4, "17 72 45 38 50 90")],
    ],
  },
  {
    id: "xz",
    name: "XZ",
    family: "archive",
    extensions: ["xz"],
    mediaTypes: ["application/x-xz"],
    keeps: ["files"],
    magic: [[at(0, "fd 37 7a 58 5a 00")]],
  },
  {
    id: "zst",
    name: "Zstandard",
    family: "archive",
    extensions: ["zst", "zstd"],
    mediaTypes: ["application/zstd", "application/x-zstd"],
    keeps: ["files"],
    magic: [[at(0, "28 b5 2f fd")]],
  },
  {
    id: "lz4",
    name: "LZ4",
    family: "archive",
    extensions: ["lz4"],
    mediaTypes: ["application/x-lz4"],
    keeps: ["files"],
    // A frame, and a frame of the legacy format.
    magic: [[at(0, "04 22 4d 18")], [at(0, "02 21 4c 18")]],
  },
  {
    id: "br",
    name: "Brotli",
    family: "archive",
    extensions: ["br"],
    mediaTypes: ["application/x-brotli", "application/brotli"],
    keeps: ["files"],
    // The format has no signature.
    named: "any",
  },
  {
    id: "lzma",
    name: "LZMA",
    family: "archive",
    extensions: ["lzma"],
    mediaTypes: ["application/x-lzma"],
    keeps: ["files"],
    // The default parameters, and a size that is unknown or below a terabyte.
    magic: [
      [at(0, "5d 00 00"), at(5, "ff ff ff ff ff ff ff ff")],
      [at(0, "5d 00 00"), at(10, "00 00 00")],
    ],
  },
  {
    id: "z",
    name: "compress",
    family: "archive",
    extensions: ["z"],
    mediaTypes: ["application/x-compress"],
    keeps: ["files"],
    magic: [[at(0, "1f 9d")]],
  },
] as const satisfies readonly Format[];
