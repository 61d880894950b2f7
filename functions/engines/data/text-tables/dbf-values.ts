import { DOS_PAGES } from "./dos-pages.ts";

/** @returns text from the bytes of a code page */
export type Decode = (bytes: Uint8Array) => string;

/** Language driver IDs, and the Encoding Standard's names of their code pages. */
const LANGUAGES: Readonly<Record<number, string>> = {
  1: "ibm437",
  2: "ibm850",
  3: "windows-1252",
  8: "ibm850",
  9: "ibm437",
  10: "ibm850",
  13: "ibm437",
  19: "shift_jis",
  27: "ibm437",
  38: "ibm866",
  77: "gb18030",
  78: "euc-kr",
  79: "big5",
  87: "windows-1252",
  88: "windows-1252",
  89: "windows-1252",
  100: "ibm852",
  101: "ibm866",
  120: "big5",
  121: "euc-kr",
  122: "gb18030",
  123: "shift_jis",
  124: "windows-874",
  125: "windows-1255",
  126: "windows-1256",
  200: "windows-1250",
  201: "windows-1251",
  202: "windows-1254",
  203: "windows-1253",
  204: "windows-1257",
};

/** @returns the encoding of a language driver ID, if known */
export const encodingOfLanguage = (id: number): string | undefined => LANGUAGES[id];

/** @returns the decoder of an encoding */
export const decoderOf = (encoding: string): Decode => {
  const page = Object.entries(DOS_PAGES).find(([name]) => name === encoding)?.[1];
  if (page === undefined) {
    const decoder = new TextDecoder(encoding);
    return (bytes) => decoder.decode(bytes);
  }
  const upper = Array.from(page);
  return (bytes) =>
    Array.from(bytes, (byte) => (byte < 0x80 ? String.fromCharCode(byte) : (upper[byte - 0x80] ?? ""))).join("");
};

/** @returns the text of a value; null when it is empty; dates in ISO 8601 */
export const textOfDbf = (bytes: Buffer, type: string, decode: Decode): string | null =>
  READERS[type]?.(bytes, decode) ?? null;

const ascii = (bytes: Buffer): string => bytes.toString("latin1").replaceAll("\0", " ").trim();

const numberText = (bytes: Buffer): string | null => {
  const text = ascii(bytes);
  // Asterisks replace a number that did not fit.
  return text === "" || text.includes("*")
    ? null
    : text
        .replace(/^\+/, "")
        .replace(/^(-?)\./, "$10.")
        .replace(/\.$/, "");
};

const dateText = (bytes: Buffer): string | null =>
  /^(\d{4})(\d\d)(\d\d)$/.exec(ascii(bytes))?.slice(1).join("-") ?? null;

const logicalText = (bytes: Buffer): string | null => {
  const letter = ascii(bytes).toUpperCase();
  return "TY".includes(letter) && letter !== "" ? "true" : "FN".includes(letter) && letter !== "" ? "false" : null;
};

/** The Julian day of 1970-01-01. */
const JULIAN_EPOCH = 2_440_588;
const DAY_MS = 86_400_000;

const timeText = (bytes: Buffer): string | null => {
  if (bytes.length < 8 || bytes.readInt32LE(0) === 0) {
    return null;
  }
  const ms = (bytes.readInt32LE(0) - JULIAN_EPOCH) * DAY_MS + bytes.readInt32LE(4);
  return Number.isNaN(new Date(ms).getTime()) ? null : new Date(ms).toISOString().slice(0, 19);
};

const CURRENCY_SCALE = 10_000n;

const currencyText = (bytes: Buffer): string | null => {
  if (bytes.length < 8) {
    return null;
  }
  const value = bytes.readBigInt64LE(0);
  const size = value < 0n ? -value : value;
  return `${value < 0n ? "-" : ""}${size / CURRENCY_SCALE}.${String(size % CURRENCY_SCALE).padStart(4, "0")}`;
};

const READERS: Readonly<Record<string, (bytes: Buffer, decode: Decode) => string | null>> = {
  C: (bytes, decode) => withoutPadding(decode(bytes)) || null,
  V: (bytes, decode) => withoutPadding(decode(bytes)) || null,
  N: numberText,
  F: numberText,
  D: dateText,
  L: logicalText,
  T: timeText,
  "@": timeText,
  Y: currencyText,
  I: (bytes) => (bytes.length < 4 ? null : String(bytes.readInt32LE(0))),
  "+": (bytes) => (bytes.length < 4 ? null : String(bytes.readInt32LE(0))),
  B: (bytes) => (bytes.length < 8 ? null : String(bytes.readDoubleLE(0))),
};

/** Without a regular expression, which would rescan blanks in the middle of a long text once for each of them. */
const withoutPadding = (text: string): string => {
  let end = text.length;
  while (end > 0 && /[\s\0]/.test(text.charAt(end - 1))) {
    end -= 1;
  }
  return text.slice(0, end);
};
