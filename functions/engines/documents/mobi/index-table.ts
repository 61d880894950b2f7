import { corrupt, type Records, uint16, uint32, variable } from "./records.ts";

/** An entry of an index: its name, and its values by tag. */
export interface IndexEntry {
  readonly name: Buffer;
  readonly values: ReadonlyMap<number, readonly number[]>;
}

export interface IndexTable {
  readonly entries: readonly IndexEntry[];
  /** @returns the text at an offset in the index's string table */
  text(offset: number): Buffer;
}

interface Tag {
  readonly tag: number;
  readonly valuesEach: number;
  readonly mask: number;
  readonly ends: boolean;
}

/** Maximum entries of an index: a book has a few hundred fragments and headings. */
const ENTRIES_MAX = 200_000;
const TEXT_SPACE = 0x1_0000;

/** @returns the index whose header is in a record, followed by the records with its entries and its strings */
export const indexTable = (records: Records, start: number): IndexTable => {
  const header = records.at(start);
  const [headerLength, count, texts] = [uint32(header, 4), uint32(header, 24), uint32(header, 52)];
  if (
    header.toString("latin1", 0, 4) !== "INDX" ||
    header.toString("latin1", headerLength, headerLength + 4) !== "TAGX"
  ) {
    throw corrupt("an index is missing");
  }
  const tagsLength = uint32(header, headerLength + 4);
  const controlBytes = uint32(header, headerLength + 8);
  const tags = Array.from({ length: Math.min(255, Math.max(0, (tagsLength - 12) >> 2)) }, (_, index): Tag => {
    const [tag = 0, valuesEach = 0, mask = 0, ends = 0] = header.subarray(headerLength + 12 + 4 * index);
    return { tag, valuesEach, mask, ends: ends === 1 };
  });
  const entries = Array.from({ length: Math.min(count, records.count) }, (_, index) =>
    entriesOf(records.at(start + 1 + index), tags, controlBytes),
  ).flat();
  if (entries.length > ENTRIES_MAX) {
    throw corrupt(`an index has ${entries.length} entries`);
  }
  return {
    entries,
    text: (offset) => {
      const number = Math.floor(offset / TEXT_SPACE);
      const record = number < texts ? records.at(start + 1 + count + number) : Buffer.alloc(0);
      const { value, length } = variable(record, offset % TEXT_SPACE);
      const at = (offset % TEXT_SPACE) + length;
      return record.subarray(at, at + value);
    },
  };
};

const entriesOf = (record: Buffer, tags: readonly Tag[], controlBytes: number): IndexEntry[] => {
  const [table, count] = [uint32(record, 20), uint32(record, 24)];
  return Array.from({ length: Math.min(count, record.length >> 1) }, (_, index) => {
    const at = uint16(record, table + 4 + 2 * index);
    const nameLength = record[at] ?? 0;
    const control = at + 1 + nameLength;
    return {
      name: record.subarray(at + 1, control),
      values: valuesOf(record, control, { tags, controlBytes }),
    };
  });
};

/** The control bytes specify which tags an entry has, and the number of values or bytes for each. */
const valuesOf = (
  record: Buffer,
  control: number,
  { tags, controlBytes }: { tags: readonly Tag[]; controlBytes: number },
): Map<number, number[]> => {
  const found: { readonly tag: Tag; readonly values?: number; readonly bytes?: number }[] = [];
  let at = control + controlBytes;
  let byte = control;
  for (const tag of tags) {
    const bits = (record[byte] ?? 0) & tag.mask;
    byte += tag.ends ? 1 : 0;
    if (tag.ends || bits === 0) {
      continue;
    }
    if (bits === tag.mask && (tag.mask & (tag.mask - 1)) !== 0) {
      const { value, length } = variable(record, at);
      at += length;
      found.push({ tag, bytes: value });
    } else {
      // The value count is stored in the bits of the mask, shifted to its lowest bit.
      found.push({ tag, values: (bits / (tag.mask & -tag.mask)) * tag.valuesEach });
    }
  }
  const all = new Map<number, number[]>();
  for (const { tag, values = Number.POSITIVE_INFINITY, bytes = Number.POSITIVE_INFINITY } of found) {
    const list: number[] = [];
    const end = Math.min(record.length, at + bytes);
    while (list.length < values && at < end) {
      const { value, length } = variable(record, at);
      list.push(value);
      at += length;
    }
    all.set(tag.tag, list);
  }
  return all;
};
