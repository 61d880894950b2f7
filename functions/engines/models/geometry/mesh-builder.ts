import type { Mesh } from "./model.ts";

/** A growing list of numbers in a typed array: a plain array takes twice the memory. */
export interface Growing<T> {
  push(...added: readonly number[]): void;
  at(index: number): number;
  length(): number;
  /** @returns the pushed values, as a view */
  taken(): T;
}

const growing = <T extends Float32Array | Uint32Array>(make: (length: number) => T): Growing<T> => {
  let values = make(1_024);
  let length = 0;
  return {
    push: (...added) => {
      if (length + added.length > values.length) {
        const larger = make(2 * (length + added.length));
        larger.set(values);
        values = larger;
      }
      for (const value of added) {
        values[length] = value;
        length += 1;
      }
    },
    at: (index) => values[index] ?? 0,
    length: () => length,
    taken: () => values.subarray(0, length) as T,
  };
};

export const floats = (): Growing<Float32Array> => growing((length) => new Float32Array(length));
export const integers = (): Growing<Uint32Array> => growing((length) => new Uint32Array(length));

/**
 * @returns the mesh with vertices at the same position merged, and without other vertex attributes: files without
 * indices, such as STL, repeat each vertex for every face
 */
export const welded = ({ name, positions, indices, material }: Mesh): Mesh => {
  const find = positionTable(indices.length);
  const result = new Uint32Array(indices.length);
  for (let at = 0; at < indices.length; at += 1) {
    const from = (indices[at] ?? 0) * 3;
    result[at] = find.indexOf(positions[from] ?? 0, positions[from + 1] ?? 0, positions[from + 2] ?? 0);
  }
  return { name, positions: find.positions(), indices: result, material };
};

/** @returns a table that assigns an index to each new position */
const positionTable = (count: number) => {
  const size = 2 ** Math.ceil(Math.log2(Math.max(16, count * 2)));
  const table = new Int32Array(size).fill(-1);
  const kept = floats();
  const key = new Float32Array(3);
  const bits = new Int32Array(key.buffer);
  const indexOf = (x: number, y: number, z: number): number => {
    // Positive and negative zero are the same position.
    key.set([x + 0, y + 0, z + 0]);
    const [a = 0, b = 0, c = 0] = bits;
    let slot = (Math.imul(a, 73_856_093) ^ Math.imul(b, 19_349_663) ^ Math.imul(c, 83_492_791)) >>> 0;
    slot = (slot ^ (slot >>> 15)) & (size - 1);
    for (;;) {
      const known = table[slot] ?? -1;
      if (known === -1) {
        table[slot] = kept.length() / 3;
        kept.push(x, y, z);
        return kept.length() / 3 - 1;
      }
      if (kept.at(known * 3) === x && kept.at(known * 3 + 1) === y && kept.at(known * 3 + 2) === z) {
        return known;
      }
      slot = (slot + 1) & (size - 1);
    }
  };
  return { indexOf, positions: () => kept.taken() };
};
