import {
  CONVERTER_MEMORY_BYTES_MAX,
  DOCUMENT_MEMORY_BYTES_MAX,
  FAST_INPUT_BYTES_MAX,
  MEDIA_INPUT_BYTES_MAX,
  MEDIA_MEMORY_BYTES_MAX,
} from "./conversion-limits.ts";

/** A lane is a queue and the function that drains it. The conversion's engines choose the lane. */
export interface Lane {
  /** Whether the function is a container image with the programs of the system, and not a zip with layers. */
  readonly image: boolean;
  /** The layers of the function, by their folder in `layers/`: at most five, 250 MB unzipped with the function. */
  readonly layers: readonly string[];
  /** Memory of the function, MB. 1,769 MB is one whole virtual CPU. */
  readonly memoryMegabytes: number;
  /** Bytes that a conversion may hold, its programs counted. */
  readonly conversionBytesMax: number;
  /** Seconds that one conversion may take. */
  readonly conversionSecondsMax: number;
  readonly inputBytesMax: number;
}

const ZIPPED = {
  image: false,
  memoryMegabytes: 1_769,
  conversionBytesMax: CONVERTER_MEMORY_BYTES_MAX,
  conversionSecondsMax: 120,
  inputBytesMax: FAST_INPUT_BYTES_MAX,
} as const;

/** Cheapest first: a route goes to the first lane that holds all its engines. */
export const lanes = {
  fast: { ...ZIPPED, layers: ["pictures", "papers", "texts"] },
  data: { ...ZIPPED, layers: ["texts", "tables"] },
  documents: {
    image: true,
    layers: [],
    memoryMegabytes: 3_008,
    conversionBytesMax: DOCUMENT_MEMORY_BYTES_MAX,
    conversionSecondsMax: 300,
    inputBytesMax: FAST_INPUT_BYTES_MAX,
  },
  media: {
    image: true,
    layers: [],
    memoryMegabytes: 8_192,
    conversionBytesMax: MEDIA_MEMORY_BYTES_MAX,
    // A function ends at 900 s, and the transfer is to fit in as well.
    conversionSecondsMax: 840,
    inputBytesMax: MEDIA_INPUT_BYTES_MAX,
  },
} as const satisfies Record<string, Lane>;

export type LaneId = keyof typeof lanes;

export const laneIds = Object.keys(lanes) as LaneId[];

/** Seconds that a converter has beyond the conversion itself, to fetch, store and finish. */
const TRANSFER_SECONDS_MAX = 60;

/** @returns seconds that a job may take from its claim to its end; its lease and the function's time limit */
export const leaseSeconds = (lane: LaneId): number => lanes[lane].conversionSecondsMax + TRANSFER_SECONDS_MAX;

/** @returns what a conversion of the lane may take: milliseconds, and bytes of memory */
export const conversionLimits = (lane: LaneId): { timeoutMs: number; memoryBytesMax: number } => ({
  timeoutMs: lanes[lane].conversionSecondsMax * 1_000,
  memoryBytesMax: lanes[lane].conversionBytesMax,
});
