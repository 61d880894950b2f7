import { boxContents, ebmlContents, oggContents, windowsContents } from "./media-containers.ts";
import { frameContents } from "./media-frames.ts";

/**
 * Tells sound and films that have no mark at a fixed place, or one that says too little: containers that hold either,
 * frames and packets that only repeat, what stands behind an ID3 tag. It is asked of bytes only, never of a text.
 *
 * @returns what the bytes prove, the most telling first; empty when they are none of these. `id3` stands for a tag that
 * hides what is behind it, and `matroska` for one whose tracks are not seen, so that the name may tell
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

/** Marks of sound that an ID3 tag may stand before, though their own formats have other tags. */
const TAGGED = [
  ["fLaC", "flac"],
  ["MAC ", "ape"],
  ["wvpk", "wv"],
  ["TTA1", "tta"],
  ["tBaK", "tak"],
] as const;

/** Tags that may follow each other. */
const TAGS_MAX = 4;

const taggedContents = (view: Buffer): string[] => {
  let start = 0;
  for (let tags = 0; tags < TAGS_MAX && view.toString("latin1", start, start + 3) === "ID3"; tags += 1) {
    start += tagBytes(view, start);
  }
  if (start === 0) {
    return [];
  }
  const rest = view.subarray(Math.min(start, view.length));
  const mark = rest.toString("latin1", 0, 4);
  const told = TAGGED.find(([known]) => known === mark)?.[1];
  const behind = told === undefined ? frameContents(rest) : [told];
  return behind.length > 0 ? behind : ["id3", "mp3"];
};

/** @returns the bytes of a tag: four of its head, of seven bits each, tell them (id3.org, ID3v2.4, 3.1) */
const tagBytes = (view: Buffer, start: number): number => {
  const size = [6, 7, 8, 9].reduce((sum, index) => sum * 128 + ((view[start + index] ?? 0) & 0x7f), 0);
  const footer = ((view[start + 5] ?? 0) & 0x10) === 0 ? 0 : 10;
  return 10 + size + footer;
};

/** Where a module of 31 samples has its mark, and where each sample says how much it is out of tune: 0 to 15. */
const MODULE_MARK = 1_080;
const TUNES = Array.from({ length: 31 }, (_, sample) => 44 + 30 * sample);

const moduleContents = (view: Buffer): string[] => {
  const mark = view.toString("latin1", MODULE_MARK, MODULE_MARK + 4);
  const known = /^(?:M[.!]K[.!]|FLT[48]|[1-9]CHN|[1-3]\dC[HN]|OCTA|OKTA|CD81)$/.test(mark);
  return known && TUNES.every((at) => (view[at] ?? 16) < 16) ? ["mod"] : [];
};

/** Bytes of a packet of a transport stream: plain, with a time before it, with a checksum behind it. */
const PACKETS = [
  { bytes: 188, format: "ts" },
  { bytes: 192, format: "m2ts" },
  { bytes: 204, format: "ts" },
] as const;

/** Packets that are looked at, and how many there must be. */
const PACKETS_MAX = 40;
const PACKETS_MIN = 5;

const packetContents = (view: Buffer): string[] => {
  const told = PACKETS.find(({ bytes }) =>
    Array.from({ length: bytes }, (_, start) => start).some((start) => repeats(view, start, bytes)),
  );
  return told === undefined ? [] : [told.format];
};

/** @returns whether each packet begins with its sync byte, and says that it holds something (ISO/IEC 13818-1, 2.4.3.3) */
const repeats = (view: Buffer, start: number, bytes: number): boolean => {
  const packets = Math.min(Math.floor((view.length - start) / bytes), PACKETS_MAX);
  for (let at = start; at < start + packets * bytes; at += bytes) {
    if (view[at] !== 0x47 || ((view[at + 3] ?? 0) & 0x30) === 0) {
      return false;
    }
  }
  return packets >= PACKETS_MIN;
};
