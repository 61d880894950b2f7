import { corrupt, type Source } from "../codec.ts";
import { keyOf, newMap, type Tree } from "../tree.ts";
import { type ByteReader, byteReader } from "./bytes.ts";

/** Shared reader of MessagePack and CBOR: values with a head that contains their kind and length. */
export interface Reader {
  readonly bytes: ByteReader;
  readonly source: Source;
  /** Reads the next value, counts it, and checks its depth. */
  readonly value: (depth: number) => Tree;
}

export type Read = (reader: Reader, depth: number) => Tree;

/** @returns the value of a file; several values in sequence become a list */
export const readValues = async (source: Source, format: string, read: Read): Promise<Tree> => {
  const bytes = byteReader(await source.bytes(), format);
  const reader: Reader = {
    bytes,
    source,
    value: (depth) => {
      source.budget.depth(depth);
      source.budget.spend(1, 0);
      return read(reader, depth);
    },
  };
  const values: Tree[] = [];
  while (!bytes.ended()) {
    values.push(reader.value(0));
  }
  if (values.length > 1) {
    source.notes.add("documents_as_list", values.length);
    return values;
  }
  const [only] = values;
  if (only === undefined) {
    throw corrupt("The file is empty.");
  }
  return only;
};

export const readBytes = ({ bytes, source }: Reader, length: number): Buffer => {
  source.budget.spend(0, length);
  return bytes.take(length);
};

export const readText = ({ bytes, source }: Reader, length: number): string => {
  source.budget.spend(0, length);
  return bytes.text(length);
};

/** Whether another member follows, given the number of those read so far. */
export type More = (done: number) => boolean;

export const readList = ({ value }: Reader, depth: number, more: More): Tree => {
  const items: Tree[] = [];
  while (more(items.length)) {
    items.push(value(depth + 1));
  }
  return items;
};

export const readMap = ({ source, value }: Reader, depth: number, more: More): Tree => {
  const { map, add } = newMap(source.notes);
  for (let done = 0; more(done); done += 1) {
    const key = value(depth + 1);
    add(keyOf(key, source.notes), value(depth + 1));
  }
  return map;
};
