import type { FormatId } from "../../../../functions/domain/formats/formats.ts";
import { EBML, element, resegmented } from "../ebml.ts";
import { box, rewritten, SAMPLES, words } from "../processes/boxes.ts";
import { type Attack, attack, patched, sample } from "./attack.ts";

/** Audio and video whose headers declare more than any file holds, or more than any decoder can handle. */

const ALL = 0xffffffff;

/** @returns the sample, overwritten at every occurrence of a mark */
const patchedAfter = (extension: string, mark: string, offset: number, hex: string): Buffer => {
  const bytes = sample(extension);
  const at = bytes.indexOf(Buffer.from(mark, /^[0-9a-f]+$/.test(mark) ? "hex" : "latin1"));
  if (at === -1) {
    throw new TypeError(`The sample of ${extension} has no ${mark}.`);
  }
  return patched(bytes, at + offset, hex);
};

/** @returns the video with another sample table */
const table = (name: string, ...content: readonly number[]): Buffer =>
  rewritten(sample("mov"), [...SAMPLES, name], () => words(...content));

/** Offsets from the format specifications; RIFF and similar formats are little-endian. */
const HEADS: readonly (readonly [from: FormatId, to: FormatId, name: string, bytes: () => Buffer])[] = [
  ["mov", "mp4", "2^32 - 1 samples with one size", () => table("stsz", 0, 1, ALL)],
  ["mov", "webm", "2^32 - 1 samples without sizes", () => table("stsz", 0, 0, ALL)],
  ["mov", "mkv", "2^32 - 1 samples with one duration", () => table("stts", 0, 1, ALL, 1)],
  ["mov", "webm", "samples that last 2^31 each", () => table("stts", 0, 1, 50, 0x7fffffff)],
  ["mov", "mkv", "timestamps that go back", () => table("ctts", 0x01000000, 1, 50, 0x80000000)],
  ["mov", "mkv", "chunks of 2^32 - 1 samples", () => table("stsc", 0, 1, 1, ALL, 1)],
  ["mov", "mkv", "2^32 - 1 chunks", () => table("stco", 0, ALL, 36)],
  ["mov", "gif", "frames of 65,535 × 65,535", () => patchedAfter("mov", "avc1", 28, "ffffffff")],
  [
    "mov",
    "gif",
    "raw frames of 65,535 × 65,535",
    () => patched(patchedAfter("mov", "avc1", 28, "ffffffff"), sample("mov").indexOf("avc1"), "72617720"),
  ],
  [
    "mov",
    "mp4",
    "a duration of 2^32 - 1",
    () => rewritten(sample("mov"), ["moov", "mvhd"], (head) => patched(Buffer.from(head), 16, "ffffffff")),
  ],
  [
    "mov",
    "mp4",
    "zero ticks per second",
    () =>
      rewritten(sample("mov"), ["moov", "trak", "mdia", "mdhd"], (head) => patched(Buffer.from(head), 12, "00000000")),
  ],
  ["mp4", "mkv", "an empty box", () => patchedAfter("mp4", "moov", -4, "00000000")],
  ["mp4", "mkv", "a box of four bytes", () => patchedAfter("mp4", "trak", -4, "00000004")],
  [
    "mp4",
    "mkv",
    "a box of 2^63 bytes",
    () => Buffer.concat([sample("mp4").subarray(0, 32), words(1), Buffer.from("moov"), words(0x7fffffff, ALL)]),
  ],
  ["mkv", "mp4", "frames of 100,000 × 100,000", () => pictured(100_000)],
  ["mkv", "gif", "frames of 2^40 × 2^40", () => pictured(2 ** 40)],
  ["mkv", "mp4", "1,000 hours", () => lasting(3.6e9)],
  ["mkv", "mp4", "a duration that is not a number", () => lasting(Number.NaN)],
  [
    "mkv",
    "mp4",
    "an element of 2^55 bytes",
    () => Buffer.concat([sample("mkv").subarray(0, 60), Buffer.from("1654ae6b01fffffffffffffe", "hex")]),
  ],
  [
    "webm",
    "mp4",
    "a codec with a header of 2^40 bytes",
    () =>
      resegmented(sample("webm"), (all) =>
        all.map(({ id, raw }) =>
          id === EBML.tracks
            ? element(
                EBML.tracks,
                element(
                  "ae",
                  element("d7", 1),
                  element("83", 1),
                  element("86", "V_VP9"),
                  Buffer.from("63a20100010000000000", "hex"),
                ),
              )
            : raw,
        ),
      ),
  ],
  ["avi", "mp4", "frames of 2^31 × 2^31", () => patchedAfter("avi", "strf", 12, "ffffff7fffffff7f")],
  ["avi", "mp4", "no time per frame", () => patchedAfter("avi", "vids", 20, "0000000000000000")],
  ["avi", "mp4", "2^32 - 1 streams", () => patchedAfter("avi", "avih", 32, "ffffffff")],
  ["flv", "mp4", "a packet of 16 MB", () => patchedAfter("flv", "464c5601", 14, "ffffff")],
  ["wmv", "mp4", "an object of 2^63 bytes", () => patchedAfter("wmv", "3026b275", 16, "ffffffffffffff7f")],
  ["wmv", "mp4", "2^32 - 1 objects", () => patchedAfter("wmv", "3026b275", 24, "ffffffff")],
  ["ogv", "mp4", "frames of 2^20 × 2^20", () => patchedAfter("ogv", "807468656f7261", 10, "ffffffffffffffffffff")],
  [
    "y4m",
    "mp4",
    "frames of 100,000 × 100,000",
    () => Buffer.from(`YUV4MPEG2 W100000 H100000 F25:1 Ip C420\nFRAME\n${"a".repeat(100)}`),
  ],
  [
    "y4m",
    "mp4",
    "10^9 frames per second",
    () => Buffer.from(String(sample("y4m").toString("latin1")).replace("F2:1", "F1000000000:1"), "latin1"),
  ],
  ["mxf", "mp4", "a key of 2^55 bytes", () => patched(sample("mxf"), 16, "87ffffffffffffff")],
  ["rm", "mp4", "2^32 - 1 headers", () => patched(sample("rm"), 14, "ffffffff")],
  ["wav", "mp3", "4 GB of audio", () => patchedAfter("wav", "data", 4, "ffffffff").subarray(0, 300)],
  ["wav", "mp3", "65,535 channels", () => patchedAfter("wav", "fmt ", 10, "ffff")],
  ["wav", "mp3", "2^32 - 1 samples per second", () => patchedAfter("wav", "fmt ", 12, "ffffffffffffffff")],
  ["wav", "mp3", "no samples per second", () => patchedAfter("wav", "fmt ", 12, "0000000000000000")],
  ["wav", "mp3", "a header of 4 GB", () => patchedAfter("wav", "fmt ", 4, "ffffffff")],
  ["w64", "mp3", "audio of 2^63 bytes", () => patchedAfter("w64", "data", 16, "ffffffffffffff7f")],
  ["caf", "mp3", "2^31 channels", () => patchedAfter("caf", "desc", 36, "7fffffff")],
  ["caf", "mp3", "a part of 2^63 bytes", () => patchedAfter("caf", "desc", 4, "7fffffffffffffff")],
  ["au", "mp3", "2^31 channels", () => patched(sample("au"), 20, "7fffffff")],
  ["au", "mp3", "2^32 - 1 samples per second", () => patched(sample("au"), 16, "ffffffff")],
  ["au", "mp3", "a header of 4 GB", () => patched(sample("au"), 4, "fffffff0")],
  ["aiff", "mp3", "2^32 - 1 samples", () => patchedAfter("aiff", "COMM", 10, "ffffffff")],
  ["aiff", "mp3", "10^4000 samples per second", () => patchedAfter("aiff", "COMM", 16, "7ffeffffffffffffffff")],
  ["tta", "mp3", "2^32 - 1 samples", () => patchedAfter("tta", "TTA1", 14, "ffffffff")],
  ["wv", "mp3", "2^32 - 1 samples per block", () => patchedAfter("wv", "7776706b", 20, "ffffffff")],
  ["flac", "mp3", "2^36 samples", () => patchedAfter("flac", "664c6143", 21, "ffffffffff")],
  ["flac", "mp3", "a picture of 2^31 bytes", () => flacBlocks(Buffer.from("0600002a00000003ffffffff", "hex"))],
  ["flac", "mp3", "blocks of 16 MB", () => flacBlocks(Buffer.from("01ffffff", "hex"))],
  ["flac", "mp3", "2^32 - 1 comments", () => flacBlocks(Buffer.from("0400000800000000ffffffff", "hex"))],
  ["dsf", "mp3", "2^31 channels", () => patched(sample("dsf"), 52, "ffffff7f")],
  ["dsf", "mp3", "blocks of 2^31 bytes", () => patched(sample("dsf"), 72, "ffffff7f")],
  [
    "ape",
    "mp3",
    "2^32 - 1 frames",
    () => Buffer.from(`4d414320960f0000${"34000000".padEnd(24, "0")}${"ffffffff".repeat(12)}`, "hex"),
  ],
  ["mp3", "wav", "a tag of 256 MB", () => Buffer.concat([Buffer.from("4944330400007f7f7f7f", "hex"), sample("mp3")])],
  [
    "mp3",
    "wav",
    "a tag frame of 256 MB",
    () =>
      Buffer.concat([
        Buffer.from("494433040000000001004150494300007f7f7f7f0000", "hex"),
        Buffer.alloc(108),
        sample("mp3"),
      ]),
  ],
  ["mp3", "wav", "2^32 - 1 frames", () => patchedAfter("mp3", "Info", 8, "ffffffff")],
  ["aac", "mp3", "frames of eight bytes", () => Buffer.alloc(100_000, Buffer.from("fff15080011ffc00", "hex"))],
  ["ac3", "mp3", "endless frames", () => Buffer.alloc(100_000, Buffer.from("0b77ffff", "hex"))],
  ["mod", "mp3", "samples of 128 kB each", () => Buffer.alloc(1_084, 0xff).fill(0, 0, 950).fill("M.K.", 1_080)],
  ["it", "mp3", "65,535 patterns", () => patched(sample("it"), 38, "ffff")],
  ["xm", "mp3", "a header of 4 GB", () => patched(sample("xm"), 60, "ffffffff")],
  ["s3m", "mp3", "65,535 orders", () => patched(sample("s3m"), 32, "ffff")],
];

const pictured = (side: number): Buffer => {
  const picture = element("e0", element("b0", side), element("ba", side), element("2eb524", "RGB\u0018"));
  const codec = element("86", "V_UNCOMPRESSED");
  const tracks = element(EBML.tracks, element("ae", element("d7", 1), element("83", 1), codec, picture));
  return resegmented(sample("mkv"), (elements) => elements.map(({ id, raw }) => (id === EBML.tracks ? tracks : raw)));
};

const lasting = (milliseconds: number): Buffer => {
  const duration = Buffer.alloc(8);
  duration.writeDoubleBE(milliseconds);
  const info = element(EBML.info, element("2ad7b1", 1_000_000), element("4489", duration));
  return resegmented(sample("mkv"), (elements) => elements.map(({ id, raw }) => (id === EBML.info ? info : raw)));
};

/** @returns the sample with these bytes after its first block */
const flacBlocks = (block: Buffer): Buffer => {
  const bytes = sample("flac");
  return Buffer.concat([bytes.subarray(0, 42), block, bytes.subarray(42)]);
};

export const mediaHeaders: readonly Attack[] = [
  ...HEADS.map(([from, to, name, bytes]) => attack(from, [to], name, bytes)),
  attack("mp4", ["mkv"], "boxes nested 10,000 deep", () => {
    const deep = Array.from({ length: 10_000 }).reduce<Buffer>((inner) => box("moov", inner), Buffer.alloc(0));
    return Buffer.concat([sample("mp4").subarray(0, 32), deep]);
  }),
  attack("mp4", ["mkv"], "a million empty boxes", () =>
    Buffer.concat([sample("mp4").subarray(0, 32), Buffer.alloc(8_000_000, box("free")), sample("mp4").subarray(32)]),
  ),
];
