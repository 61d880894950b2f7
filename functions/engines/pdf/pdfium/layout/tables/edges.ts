import type { Fill } from "../../content/content.ts";
import type { Box } from "../../page/geometry.ts";
import { shareDrawn } from "./cells.ts";
import type { Edge, Ruling } from "./rulings.ts";

/** Points within which edges are one. */
export const SNAP = 3;
const EDGES_MAX = 400;

/** Edges at one place. */
export interface Edges {
  readonly at: number;
  readonly parts: readonly Edge[];
}

/** @returns the places of edges, with the outer sides, from the left or top */
export const edgesFrom = (edges: readonly Edge[], start: number, end: number): Edges[] => {
  const places: Edge[][] = [];
  const outer = [start, end].map((at) => ({ at, from: 0, to: 0, width: 0 }));
  for (const edge of [...edges, ...outer].toSorted((one, other) => one.at - other.at)) {
    const last = places.at(-1);
    if (last !== undefined && edge.at - (last[0]?.at ?? 0) < SNAP) {
      last.push(edge);
    } else {
      places.push([edge]);
    }
  }
  return places.slice(0, EDGES_MAX).map((parts) => ({ at: placeOf(parts), parts }));
};

/** @returns the place of the longest of the edges */
const placeOf = (edges: readonly Edge[]): number =>
  edges.reduce((long, edge) => (edge.to - edge.from > long.to - long.from ? edge : long)).at;

/** Minimum share of the width for an edge that only fills have: the bars of a chart are short. */
const FILL_EDGE = 0.25;

export const isLong = (parts: readonly Edge[], { left, right }: Box): boolean =>
  parts.some(({ color }) => color !== undefined) || shareDrawn(parts, left, right) > FILL_EDGE;

/** @returns the edges of fills, without those between two of one color: lines of text are often filled one by one */
export const fillEdges = ({ fills }: Ruling, side: "across" | "down"): Edge[] => {
  if (side === "down") {
    return fills.flatMap(({ left, top, right, bottom }) =>
      [left, right].map((at) => ({ at, from: top, to: bottom, width: 0 })),
    );
  }
  const key = (at: number, { left, color }: Fill) => `${Math.round(at)} ${Math.round(left)} ${color}`;
  const tops = new Set(fills.map((fill) => key(fill.top, fill)));
  const bottoms = new Set(fills.map((fill) => key(fill.bottom, fill)));
  const isInner = (others: ReadonlySet<string>, at: number, fill: Fill) =>
    [-1, 0, 1].some((offset) => others.has(key(at + offset, fill)));
  return fills.flatMap((fill) => {
    const { left: from, right: to, top, bottom } = fill;
    const edge = (at: number) => ({ at, from, to, width: 0 });
    return [
      ...(isInner(bottoms, top, fill) ? [] : [edge(top)]),
      ...(isInner(tops, bottom, fill) ? [] : [edge(bottom)]),
    ];
  });
};
