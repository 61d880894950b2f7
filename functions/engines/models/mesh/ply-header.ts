import { JobError } from "../../../domain/errors.ts";

/** An element list of a PLY: its rows have these properties, in this order. */
export interface PlyElement {
  readonly name: string;
  readonly count: number;
  readonly properties: readonly PlyProperty[];
}

interface PlyProperty {
  readonly name: string;
  readonly type: string;
  /** The type of the count before a list. */
  readonly countType?: string | undefined;
}

interface PlyHeader {
  readonly format: string;
  readonly elements: readonly PlyElement[];
  /** Offset of the data. */
  readonly bytes: number;
}

/** A row: its element, its index there, its values by property, and its list of indices if it has one. */
export interface PlyRow {
  readonly element: string;
  readonly row: number;
  readonly values: readonly number[];
  readonly list: readonly number[];
}

const HEADER_BYTES_MAX = 65_536;

/** @throws JobError `source_corrupt` */
export const plyHeaderOf = (bytes: Buffer): PlyHeader => {
  const text = bytes.toString("latin1", 0, HEADER_BYTES_MAX);
  const end = /\bend_header[^\S\n]*\n/.exec(text);
  if (!text.startsWith("ply") || end === null) {
    throw new JobError("source_corrupt", "The PLY has no header.");
  }
  const elements: (PlyElement & { properties: PlyProperty[] })[] = [];
  let format = "";
  for (const line of text.slice(0, end.index).split(/\r?\n/)) {
    const [word, ...rest] = line.trim().split(/\s+/);
    if (word === "format") {
      format = rest[0] ?? "";
    } else if (word === "element") {
      elements.push({ name: rest[0] ?? "", count: Number(rest[1]), properties: [] });
    } else if (word === "property") {
      const [type = "", ...names] = rest;
      elements
        .at(-1)
        ?.properties.push(
          type === "list"
            ? { name: names[2] ?? "", type: names[1] ?? "", countType: names[0] }
            : { name: names[0] ?? "", type },
        );
    }
  }
  if (elements.some(({ count }) => !(count >= 0 && Number.isSafeInteger(count)))) {
    throw new JobError("source_corrupt", "The PLY header has an invalid element count.");
  }
  return { format, elements, bytes: end.index + end[0].length };
};

/** @returns the rows of all elements, in their order */
export const rowsOf = (bytes: Buffer, header: PlyHeader): Generator<PlyRow> => {
  if (header.format === "ascii") {
    return textRows(bytes.toString("latin1", header.bytes), header);
  }
  if (header.format !== "binary_little_endian" && header.format !== "binary_big_endian") {
    throw new JobError("unsupported_feature", `Unsupported PLY format: ${header.format.slice(0, 30)}.`);
  }
  return binaryRows(bytes.subarray(header.bytes), header);
};

const truncated = (): JobError => new JobError("source_corrupt", "Truncated PLY: it has fewer rows than declared.");

const LIST_MAX = 100_000;

/** Reads the rows with a function that returns the next number of a type. */
const rowsBy = function* ({ elements }: PlyHeader, next: (type: string) => number): Generator<PlyRow> {
  for (const { name, count, properties } of elements) {
    for (let row = 0; row < count; row += 1) {
      let list: number[] = [];
      const values = properties.map(({ name: property, type, countType }) => {
        if (countType === undefined) {
          return next(type);
        }
        const length = next(countType);
        if (!(length >= 0 && length <= LIST_MAX)) {
          throw truncated();
        }
        const numbers = Array.from({ length }, () => next(type));
        list = /^vertex_ind(?:ex|ices)$/.test(property) ? numbers : list;
        return Number.NaN;
      });
      yield { element: name, row, values, list };
    }
  }
};

const textRows = (text: string, header: PlyHeader): Generator<PlyRow> => {
  const words = text.matchAll(/\S+/g);
  return rowsBy(header, () => {
    const { value, done } = words.next();
    if (done === true) {
      throw truncated();
    }
    return Number(value[0]);
  });
};

type Reader = (view: DataView, at: number, little: boolean) => number;

const int8: [number, Reader] = [1, (view, at) => view.getInt8(at)];
const uint8: [number, Reader] = [1, (view, at) => view.getUint8(at)];
const int16: [number, Reader] = [2, (view, at, little) => view.getInt16(at, little)];
const uint16: [number, Reader] = [2, (view, at, little) => view.getUint16(at, little)];
const int32: [number, Reader] = [4, (view, at, little) => view.getInt32(at, little)];
const uint32: [number, Reader] = [4, (view, at, little) => view.getUint32(at, little)];
const float32: [number, Reader] = [4, (view, at, little) => view.getFloat32(at, little)];
const float64: [number, Reader] = [8, (view, at, little) => view.getFloat64(at, little)];

/** Types have two names each. */
const TYPES: Readonly<Record<string, [number, Reader]>> = {
  char: int8,
  uchar: uint8,
  short: int16,
  ushort: uint16,
  int: int32,
  uint: uint32,
  float: float32,
  double: float64,
  ...{ int8, uint8, int16, uint16, int32, uint32, float32, float64 },
};

const binaryRows = (bytes: Buffer, header: PlyHeader): Generator<PlyRow> => {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const little = header.format === "binary_little_endian";
  let at = 0;
  return rowsBy(header, (type) => {
    const known = TYPES[type];
    if (known === undefined) {
      throw new JobError("source_corrupt", `Unknown number type in the PLY: ${type.slice(0, 30)}.`);
    }
    const [size, read] = known;
    if (at + size > view.byteLength) {
      throw truncated();
    }
    at += size;
    return read(view, at - size, little);
  });
};
