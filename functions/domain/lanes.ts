import { FAST_INPUT_BYTES_MAX } from "./limits.ts";

/** A lane is a queue and the function that drains it. The conversion's engines choose the lane. */
export interface Lane {
  /** The layers of the function, by their folder in `layers/`: at most five, 250 MB unzipped with the function. */
  readonly layers: readonly string[];
  /** Memory of the function, MB. 1,769 MB is one whole virtual CPU. */
  readonly memoryMegabytes: number;
  /** Seconds that one conversion may take. */
  readonly conversionSecondsMax: number;
  readonly inputBytesMax: number;
}

/** Cheapest first: a route goes to the first lane that holds all its engines. */
export const lanes = {
  fast: {
    layers: ["pictures", "papers", "texts"],
    memoryMegabytes: 1_769,
    conversionSecondsMax: 120,
    inputBytesMax: FAST_INPUT_BYTES_MAX,
  },
  data: {
    layers: ["texts", "tables"],
    memoryMegabytes: 1_769,
    conversionSecondsMax: 120,
    inputBytesMax: FAST_INPUT_BYTES_MAX,
  },
} as const satisfies Record<string, Lane>;

export type LaneId = keyof typeof lanes;

export const laneIds = Object.keys(lanes) as LaneId[];

/** Seconds that a converter has beyond the conversion itself, to fetch, store and finish. */
const TRANSFER_SECONDS_MAX = 60;

/** @returns seconds that a job may take from its claim to its end; its lease and the function's time limit */
export const leaseSeconds = (lane: LaneId): number => lanes[lane].conversionSecondsMax + TRANSFER_SECONDS_MAX;
