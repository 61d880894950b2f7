import { iimOf } from "../metadata/iptc.ts";

/** Names of datasets of the application record (IPTC IIM 4.2, with the names of IPTC Photo Metadata). */
const NAMES: Readonly<Record<number, string>> = {
  5: "ObjectName",
  15: "Category",
  20: "SupplementalCategories",
  25: "Keywords",
  40: "SpecialInstructions",
  55: "DateCreated",
  60: "TimeCreated",
  80: "Byline",
  85: "BylineTitle",
  90: "City",
  92: "Sublocation",
  95: "ProvinceState",
  100: "CountryCode",
  101: "Country",
  103: "TransmissionReference",
  105: "Headline",
  110: "Credit",
  115: "Source",
  116: "CopyrightNotice",
  118: "Contact",
  120: "Caption",
  122: "CaptionWriter",
};
/** Datasets that occur several times. */
const LISTS = new Set([20, 25, 118]);

const TAG = 0x1c;
const [ENVELOPE, APPLICATION] = [1, 2];
const CHARACTER_SET = 90;
const UTF8 = "\u001b%G";
const DATASETS_MAX = 1_000;

/**
 * @param bytes IPTC-IIM data, or the image resources of Photoshop with it
 * @returns the known datasets
 */
export const readIptc = (bytes: Buffer): Readonly<Record<string, string | readonly string[]>> => {
  const iim = iimOf(bytes);
  const found = new Map<string, string | readonly string[]>();
  let encoding: "latin1" | "utf8" = "latin1";
  for (let at = 0, sets = 0; at + 5 <= iim.length && iim[at] === TAG && sets < DATASETS_MAX; sets += 1) {
    const [record, dataset] = [iim[at + 1], iim[at + 2] ?? 0];
    const end = at + 5 + iim.readUInt16BE(at + 3);
    const value = iim.subarray(at + 5, end);
    const name = record === APPLICATION ? NAMES[dataset] : undefined;
    if (record === ENVELOPE && dataset === CHARACTER_SET && value.toString("latin1") === UTF8) {
      encoding = "utf8";
    } else if (name !== undefined) {
      const text = value.toString(encoding).trim();
      const before = found.get(name) ?? [];
      found.set(name, LISTS.has(dataset) ? [...before, text] : text);
    }
    at = end;
  }
  return Object.fromEntries(found);
};
