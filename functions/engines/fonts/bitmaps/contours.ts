import type { BitmapGlyph } from "./bdf.ts";

/** A corner, in pixels from the bitmap's lower left one. */
export type Corner = readonly [x: number, y: number];

/** Up, right, down, left: clockwise around a pixel, as TrueType fills it. */
const STEPS: readonly Corner[] = [
  [0, 1],
  [1, 0],
  [0, -1],
  [-1, 0],
];

/** At a corner: to the right first, so that pixels that only touch there are separate; straight on; to the left. */
const TURNS = [1, 0, 3] as const;

/** @returns the edges of all areas of pixels: clockwise around them, and counterclockwise around holes */
export const contoursOf = ({ width, height, rows }: BitmapGlyph): Corner[][] => {
  const bits = rows.map((row) => Buffer.from(row.padEnd(row.length + (row.length % 2), "0"), "hex"));
  const isSet = (x: number, y: number): boolean => {
    const row = x < 0 || x >= width ? undefined : bits[height - 1 - y];
    return (((row?.[x >> 3] ?? 0) >> (7 - (x & 7))) & 1) === 1;
  };
  const across = width + 1;
  const edges = new Set<number>();
  const add = (x: number, y: number, direction: number) => edges.add((y * across + x) * 4 + direction);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      if (isSet(x, y)) {
        !isSet(x - 1, y) && add(x, y, 0);
        !isSet(x, y + 1) && add(x, y + 1, 1);
        !isSet(x + 1, y) && add(x + 1, y + 1, 2);
        !isSet(x, y - 1) && add(x + 1, y, 3);
      }
    }
  }
  return [...loopsOf(edges, across)];
};

function* loopsOf(edges: Set<number>, across: number): Generator<Corner[]> {
  for (const start of edges) {
    const corners: Corner[] = [];
    let edge = start;
    do {
      const [x, y] = endOf(edge, across);
      const from = (y * across + x) * 4;
      // Each corner has as many edges that begin there as edges that end there.
      const turn = TURNS.find((each) => edges.has(from + ((edge + each) % 4))) ?? 0;
      const next = from + ((edge + turn) % 4);
      if (turn !== 0) {
        corners.push([x, y]);
      }
      edges.delete(next);
      edge = next;
    } while (edge !== start);
    yield corners;
  }
}

const endOf = (edge: number, across: number): Corner => {
  const [dx, dy] = STEPS[edge % 4] ?? [0, 0];
  const at = Math.floor(edge / 4);
  return [(at % across) + dx, Math.floor(at / across) + dy];
};
