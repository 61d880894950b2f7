import { boxContents, ebmlContents, oggContents, windowsContents } from "./media-containers.ts";
import { frameContents } from "./media-frames.ts";

/**
 * Detects audio and video without a signature at a fixed offset, or with an ambiguous one: containers of either,
 * repeated frames and packets, and content after an ID3 tag. Only for binary content.
 *
 * @returns what the bytes prove, most specific first; empty for other content. `id3` is a tag that hides the content
 * after it, and `matroska` a file whose tracks are not visible: the filename decides
 */
export const mediaContents = (head: Uint8Array): string[] => {
  const view = Buffer.from(head.buffer, head.byteOffset, head.byteLength);
  for (const contentsOf of [
    oggContents,
    ebmlContents,
    windowsContents,
    boxContents,
    taggedContents,
    moduleContents,
    packetContents,
    frameContents,
  ]) {
    const contents = contentsOf(view);
    if (contents.length > 0) {
      return contents;
    }
  }
  return [];
};

/** Signatures of audio formats that can follow an ID3 tag, although the formats define other tags. */
const TAGGED = [
  ["fLaC", "flac"],
  ["MAC ", "ape"],
  ["wvpk", "wv"],
  ["TTA1", "tta"],
  ["tBaK", "tak"],
] as const;

/** Maximum number of consecutive tags. */
const TAGS_MAX = 4;

/** Zeros that some programs leave before the first tag. */
const ZEROS_MAX = 4_096;

const taggedContents = (view: Buffer): string[] => {
  const first = Math.max(
    0,
    view.subarray(0, ZEROS_MAX).findIndex((byte) => byte !== 0),
  );
  let start = first;
  for (let tags = 0; tags < TAGS_MAX && view.toString("latin1", start, start + 3) === "ID3"; tags += 1) {
    start += tagBytes(view, start);
  }
  if (start === first) {
    return [];
  }
  const rest = view.subarray(Math.min(start, view.length));
  const mark = rest.toString("latin1", 0, 4);
  const format = TAGGED.find(([known]) => known === mark)?.[1];
  const contents = format === undefined ? frameContents(rest) : [format];
  return contents.length > 0 ? contents : ["id3", "mp3"];
};

/** @returns the size of a tag in bytes: four bytes of its header, with seven bits each (id3.org, ID3v2.4, 3.1) */
const tagBytes = (view: Buffer, start: number): number => {
  const size = [6, 7, 8, 9].reduce((sum, index) => sum * 128 + ((view[start + index] ?? 0) & 0x7f), 0);
  const footer = ((view[start + 5] ?? 0) & 0x10) === 0 ? 0 : 10;
  return 10 + size + footer;
};

/** Offsets of the signature of a module with 31 samples, and of the fine-tuning of each sample: 0 to 15. */
const MODULE_MARK = 1_080;
const TUNES = Array.from({ length: 31 }, (_, sample) => 44 + 30 * sample);

const moduleContents = (view: Buffer): string[] => {
  const mark = view.toString("latin1", MODULE_MARK, MODULE_MARK + 4);
  const known = /^(?:M[.!]K[.!]|FLT[48]|[1-9]CHN|[1-3]\dC[HN]|OCTA|OKTA|CD81)$/.test(mark);
  return known && TUNES.every((at) => (view[at] ?? 16) < 16) ? ["mod"] : [];
};

/** Packet sizes of transport streams in bytes: plain, with a timestamp before, with a checksum after. */
const PACKETS = [
  { bytes: 188, format: "ts" },
  { bytes: 192, format: "m2ts" },
  { bytes: 204, format: "ts" },
] as const;

/** Maximum number of inspected packets, and minimum number of packets. */
const PACKETS_MAX = 40;
const PACKETS_MIN = 5;

const packetContents = (view: Buffer): string[] => {
  const packet = PACKETS.find(({ bytes }) =>
    Array.from({ length: bytes }, (_, start) => start).some((start) => repeats(view, start, bytes)),
  );
  return packet === undefined ? [] : [packet.format];
};

/** @returns whether each packet starts with its sync byte and is not empty (ISO/IEC 13818-1, 2.4.3.3) */
const repeats = (view: Buffer, start: number, bytes: number): boolean => {
  const packets = Math.min(Math.floor((view.length - start) / bytes), PACKETS_MAX);
  for (let at = start; at < start + packets * bytes; at += bytes) {
    if (view[at] !== 0x47 || ((view[at + 3] ?? 0) & 0x30) === 0) {
      return false;
    }
  }
  return packets >= PACKETS_MIN;
};
