import type { Sfnt } from "./sfnt.ts";

const POSTSCRIPT_NAME = 6;
const WINDOWS = 3;
const RECORD_BYTES = 12;
const NAME_CHARACTERS_MAX = 63;

/** @returns the PostScript name, such as `NotoSans-Bold` ("name" in OpenType 1.9); undefined when the font has none */
export const faceName = ({ tables }: Sfnt): string | undefined => {
  const data = tables.find(({ tag }) => tag === "name")?.data;
  if (data === undefined || data.length < 6) {
    return undefined;
  }
  const start = data.readUInt16BE(4);
  for (
    let at = 6;
    at + RECORD_BYTES <= data.length && at < 6 + data.readUInt16BE(2) * RECORD_BYTES;
    at += RECORD_BYTES
  ) {
    if (data.readUInt16BE(at + 6) === POSTSCRIPT_NAME) {
      const from = start + data.readUInt16BE(at + 10);
      const text = data.subarray(from, from + data.readUInt16BE(at + 8));
      // The name is ASCII; on the Windows platform it is encoded in UTF-16.
      const plain = data.readUInt16BE(at) === WINDOWS ? text.filter((_, index) => index % 2 === 1) : text;
      const name = plain
        .toString("latin1")
        .replaceAll(/[^\w.-]+/g, "_")
        .slice(0, NAME_CHARACTERS_MAX);
      return /[^_.]/.test(name) ? name : undefined;
    }
  }
  return undefined;
};
