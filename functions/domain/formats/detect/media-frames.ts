/**
 * Audio that consists only of frames: each says where the next one starts, and a chain of them is not a coincidence.
 */

/** A frame's format and size in bytes, and the properties that all frames of a stream share, as one word. */
interface Frame {
  readonly format: string;
  readonly bytes: number;
  readonly same: number;
}

/** Minimum number of frames in a chain at the first byte, and after other bytes that some programs leave there. */
const FRAMES_MIN = 3;
const FRAMES_LATER_MIN = 6;
/** Maximum number of bytes before the first frame. */
const LEAD_BYTES_MAX = 4_096;

/** @returns `mp3`, `mp2`, `aac`, `ac3` or `eac3`; empty if the bytes are not a chain of frames */
export const frameContents = (view: Buffer): string[] => {
  const start = view.findIndex((byte) => byte !== 0);
  if (start === -1) {
    return [];
  }
  const format = chainAt(view, start, FRAMES_MIN);
  if (format !== undefined) {
    return [format];
  }
  for (let at = start + 1; at < Math.min(view.length, start + LEAD_BYTES_MAX); at += 1) {
    const later = chainAt(view, at, FRAMES_LATER_MIN);
    if (later !== undefined) {
      return [later];
    }
  }
  return [];
};

/** @returns the format of the frames from here, if there are at least `min`, or if they are all the bytes */
const chainAt = (view: Buffer, start: number, min: number): string | undefined => {
  const first = frameAt(view, start);
  let frame = first;
  let at = start;
  for (let frames = 0; first !== undefined; frames += 1) {
    if (frames === min || (at === view.length && start === 0 && frames > 1)) {
      return first.format;
    }
    if (frame?.format !== first.format || frame.same !== first.same) {
      return undefined;
    }
    at += frame.bytes;
    frame = frameAt(view, at);
  }
  return undefined;
};

const frameAt = (view: Buffer, at: number): Frame | undefined => {
  if (at + 7 > view.length) {
    return undefined;
  }
  const word = view.readUInt16BE(at);
  if (word === 0x0b77) {
    return dolbyFrame(view, at);
  }
  if (word < 0xffe0) {
    return undefined;
  }
  return (word & 0xfff6) === 0xfff0 ? adtsFrame(view, at) : mpegFrame(view, at);
};

/**
 * Bit rates in kbit/s by the index in the frame: for layers I, II and III of MPEG-1; then for layer I, and for layers
 * II and III, of MPEG-2.
 */
const RATES_I = [0, 32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448];
const RATES_II = [0, 32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384];
const RATES_III = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320];
const RATES_LOW_I = [0, 32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256];
const RATES_LOW = [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160];
const HERTZ = [44_100, 48_000, 32_000];

/**
 * MPEG audio (ISO/IEC 11172-3, 2.4.2.3; 13818-3). Version "2.5", which is not a standard, halves the sample rates
 * again.
 */
const mpegFrame = (view: Buffer, at: number): Frame | undefined => {
  const bits = view.readUInt32BE(at);
  const version = (bits >>> 19) & 3;
  const layer = 4 - ((bits >>> 17) & 3);
  const hertz = (HERTZ[(bits >>> 10) & 3] ?? 0) / (version === 3 ? 1 : version === 2 ? 2 : 4);
  const full = version === 3 ? [RATES_I, RATES_II, RATES_III] : [RATES_LOW_I, RATES_LOW, RATES_LOW];
  const kilobits = full[layer - 1]?.[(bits >>> 12) & 15] ?? 0;
  if (version === 1 || layer === 4 || hertz === 0 || kilobits === 0 || (bits & 3) === 2) {
    return undefined;
  }
  const padding = (bits >>> 9) & 1;
  const samples = layer === 1 ? 384 : layer === 3 && version !== 3 ? 576 : 1_152;
  const slot = layer === 1 ? 4 : 1;
  const bytes = (Math.floor((samples * kilobits * 125) / hertz / slot) + padding) * slot;
  return { format: layer === 3 ? "mp3" : "mp2", bytes, same: bits & 0xfffe0c00 };
};

/** AAC with a header before each frame (ISO/IEC 14496-3, 1.A.3.2). */
const adtsFrame = (view: Buffer, at: number): Frame | undefined => {
  const bits = view.readUInt32BE(at);
  const bytes = ((bits & 3) << 11) | (view.readUInt16BE(at + 4) >>> 5);
  return bytes < 8 || ((bits >>> 10) & 15) > 12 ? undefined : { format: "aac", bytes, same: bits & 0xfffefdc0 };
};

const DOLBY_RATES = [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384, 448, 512, 576, 640];

/** AC-3, and Enhanced AC-3, whose stream number is 11 or higher (ETSI TS 102 366, 4.4.1 and E.1.3.1). */
const dolbyFrame = (view: Buffer, at: number): Frame | undefined => {
  const stream = (view[at + 5] ?? 0) >>> 3;
  if (stream > 10) {
    const bytes = 2 * ((view.readUInt16BE(at + 2) & 0x7ff) + 1);
    return stream > 16 || bytes < 8 ? undefined : { format: "eac3", bytes, same: 0 };
  }
  const code = view[at + 4] ?? 0;
  const kilobits = DOLBY_RATES[(code & 63) >>> 1];
  const words =
    kilobits === undefined ? undefined : [2 * kilobits, Math.floor((320 * kilobits) / 147) + (code & 1), 3 * kilobits];
  const size = words?.[code >>> 6];
  return size === undefined ? undefined : { format: "ac3", bytes: 2 * size, same: code >>> 6 };
};
