import { deflateSync } from "node:zlib";
import { hugePng } from "../../../support/png.ts";
import { EBML, element, elementsIn, resegmented } from "../ebml.ts";
import { oggPage } from "../ogg.ts";
import { canvasGif } from "../pictures/gif.ts";
import { box, rewritten, words } from "../processes/boxes.ts";
import { transportPackets, transportTables } from "../transport.ts";
import { type Attack, attack, sample } from "./attack.ts";

/** Small audio and video files that become long, large or numerous. */

/** More than two hours of audio in a hundred kilobytes: all parts are identical. */
const repeatedSound = (hours: number): Buffer => {
  const rate = 8_000;
  const part = 100_000;
  const parts = Math.ceil((hours * 3_600 * rate) / part);
  const sound = box("mdat", Buffer.alloc(part, 0x80));
  const mono = Buffer.concat([words(0, 1), words(0, 0), Buffer.from("0001000800000000", "hex"), words(rate * 65_536)]);
  const table = box(
    "stbl",
    box("stsd", words(0, 1), box("raw ", mono)),
    box("stts", words(0, 1, parts * part, 1)),
    box("stsc", words(0, 1, 1, part, 1)),
    box("stsz", words(0, 1, 0)),
    box("stco", words(0, parts, ...Array.from({ length: parts }, () => 8 + 20))),
  );
  const self = box("dinf", box("dref", words(0, 1), box("url ", words(1))));
  const handler = box("hdlr", words(0, 0), Buffer.from("soun"), Buffer.alloc(13));
  const seconds = (name: string) => box(name, words(0, 0, 0, rate, 10 * rate, 0));
  const media = box("mdia", seconds("mdhd"), handler, box("minf", box("smhd", words(0, 0)), self, table));
  const head = box("mvhd", words(0, 0, 0, 1_000, 10_000), Buffer.alloc(80));
  const track = box("trak", box("tkhd", words(7, 0, 0, 1, 0, 10_000), Buffer.alloc(60)), media);
  return Buffer.concat([
    box("ftyp", Buffer.from("qt  "), words(0), Buffer.from("qt  ")),
    sound,
    box("moov", head, track),
  ]);
};

/** A video whose second half starts hours after the first: filling the gap with frames never ends. */
const gap = (hours: number): Buffer =>
  resegmented(sample("mkv"), (elements) => [
    ...elements.map(({ raw }) => raw),
    ...elements
      .filter(({ id }) => id === EBML.cluster)
      .map(({ content }) => {
        const blocks = elementsIn(content).filter(({ id }) => id === "a3");
        return element(EBML.cluster, element("e7", hours * 3_600_000), ...blocks.map(({ raw }) => raw));
      }),
  ]);

/** QuickTime may compress its index, with its uncompressed size declared in advance. */
const packedIndex = (): Buffer => {
  const packed = Buffer.concat([words(0x7fffffff), deflateSync(Buffer.alloc(200_000_000))]);
  const index = box("moov", box("cmov", box("dcom", Buffer.from("zlib")), box("cmvd", packed)));
  return Buffer.concat([box("ftyp", Buffer.from("qt  "), words(0)), index]);
};

const manyTracks = (count: number): Buffer =>
  resegmented(sample("mkv"), (elements) =>
    elements.map(({ id, content, raw }) =>
      id === EBML.tracks
        ? element(
            EBML.tracks,
            content,
            ...Array.from({ length: count }, (_, index) =>
              element(
                "ae",
                element("d7", index + 10),
                element("73c5", index + 10),
                element("83", 2),
                element("86", "A_AAC"),
              ),
            ),
          )
        : raw,
    ),
  );

/** Blocks that decompress a thousandfold, as Matroska compresses subtitles. */
const packedTrack = (): Buffer => {
  const packing = element("6d80", element("6240", element("5034", element("4254", 0))));
  const track = element(
    "ae",
    element("d7", 1),
    element("73c5", 1),
    element("83", 2),
    element("86", "A_PCM/INT/LIT"),
    packing,
    element("e1", element("9f", 2), element("6264", 16)),
  );
  const bomb = Buffer.concat([Buffer.from("81000080", "hex"), deflateSync(Buffer.alloc(300_000_000))]);
  return resegmented(sample("mkv"), () => [
    element(EBML.info, element("2ad7b1", 1_000_000)),
    element(EBML.tracks, track),
    element(EBML.cluster, element("e7", 0), element("a3", bomb)),
  ]);
};

/** A cover of 100 megapixels in two seconds of audio. */
const coveredMp3 = (): Buffer => {
  const picture = Buffer.concat([Buffer.from("\0image/png\0\u0003\0", "latin1"), hugePng(10_000, 10_000, 10_000)]);
  return Buffer.concat([
    tag(Buffer.concat([Buffer.from("APIC"), synchsafe(picture.length), Buffer.alloc(2), picture])),
    sample("mp3"),
  ]);
};

/** A compressed tag frame: two flags mark it, and the first four bytes are its uncompressed size. */
const packedTag = (): Buffer => {
  const packed = deflateSync(Buffer.alloc(200_000_000));
  const frame = Buffer.concat([
    Buffer.from("TXXX"),
    synchsafe(packed.length + 4),
    Buffer.from("0009", "hex"),
    synchsafe(200_000_000),
    packed,
  ]);
  return Buffer.concat([tag(frame), sample("mp3")]);
};

const tag = (frames: Buffer): Buffer =>
  Buffer.concat([Buffer.from("ID3\u0004\0\0", "latin1"), synchsafe(frames.length), frames]);

const synchsafe = (value: number): Buffer => Buffer.from([21, 14, 7, 0].map((shift) => (value >> shift) & 0x7f));

/** An index that refers to the first packet repeatedly. */
const indexedAvi = (entries: number): Buffer => {
  const bytes = sample("avi");
  const at = bytes.indexOf("idx1");
  const first = bytes.subarray(at + 8, at + 24);
  return Buffer.concat([bytes.subarray(0, at + 4), words(16 * entries).swap32(), Buffer.alloc(16 * entries, first)]);
};

/** Rows that last for hours at the slowest tempo: 128 patterns of 64 rows of 31 ticks of 78 ms. */
const slowModule = (): Buffer => {
  const bytes = Buffer.from(sample("mod"));
  bytes[950] = 128;
  const [pattern, next] = [1_084, 1_084 + 16];
  bytes.writeUInt16BE(0x0f1f, pattern + 2);
  bytes.writeUInt16BE(0x0f20, pattern + 6);
  bytes.fill(0, next, pattern + 1_024);
  return bytes;
};

const repeatedTracks = (count: number): Buffer =>
  rewritten(sample("mov"), ["moov"], (content) => {
    const at = content.indexOf("trak") - 4;
    const track = content.subarray(at, at + content.readUInt32BE(at));
    return Buffer.concat([content, Buffer.alloc(count * track.length, track)]);
  });

export const mediaBombs: readonly Attack[] = [
  attack("mov", ["wav"], "ten hours of audio declared as ten seconds", () => repeatedSound(10)),
  attack("mov", ["mp3"], "a hundred hours of audio declared as ten seconds", () => repeatedSound(100)),
  attack("mkv", ["avi"], "a gap of 50 minutes", () => gap(5 / 6)),
  attack("mkv", ["gif"], "a gap of 50 minutes", () => gap(5 / 6)),
  attack("mkv", ["mp4"], "a gap of 20 hours", () => gap(20)),
  attack("mkv", ["webm"], "a gap of 20 hours", () => gap(20)),
  attack("mkv", ["mp3"], "a gap of 20 hours", () => gap(20)),
  attack("mkv", ["mp4"], "a gap of 10,000 hours", () => gap(10_000)),
  attack("mkv", ["mp3"], "a gap of 10,000 hours", () => gap(10_000)),
  attack("mkv", ["mp4"], "10,000 tracks", () => manyTracks(10_000)),
  attack("mkv", ["mp3"], "blocks that decompress a thousandfold", packedTrack),
  attack("mov", ["mp4"], "10,000 tracks", () => repeatedTracks(10_000)),
  attack("ogg", ["mp3"], "10,000 streams that start at once", () =>
    Buffer.concat([
      ...Array.from({ length: 10_000 }, (_, serial) =>
        oggPage(serial, 2, Buffer.from("\u0001vorbis".padEnd(30, "\0"))),
      ),
      sample("ogg"),
    ]),
  ),
  attack("ogg", ["mp3"], "a chain of 300 streams", () => Buffer.alloc(300 * sample("ogg").length, sample("ogg"))),
  attack("ts", ["mp4"], "10,000 streams", () => Buffer.concat([transportTables(40, 250), sample("ts")])),
  attack("ts", ["mp4"], "packets without stream information", () => transportPackets(100_000)),
  attack("avi", ["mp4"], "an index with endless entries", () => indexedAvi(200_000)),
  attack("gif", ["mp4"], "a canvas of 65,535 × 65,535", () => canvasGif({ width: 65_535, height: 65_535, frames: 2 })),
  attack("gif", ["mp4"], "100,000 frames", () => canvasGif({ width: 500, height: 500, frames: 100_000 })),
  attack("gif", ["webm"], "frames of 100 megapixels", () => canvasGif({ width: 10_000, height: 10_000, frames: 50 })),
  attack("mov", ["mkv"], "a compressed index that declares 2 GB", packedIndex),
  attack("mp3", ["m4a"], "a cover of 100 megapixels", coveredMp3),
  attack("mp3", ["flac"], "a tag that decompresses to 200 MB", packedTag),
  attack("mod", ["mp3"], "a module that plays for hours", slowModule),
];
